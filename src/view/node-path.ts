/**
 * Describes the place of an element for people, as `html > body > div#nav`, and shortens texts to one line. Both are
 * bounded whatever the page holds. Cost: linear in the depth of the node.
 */
import { readAttribute } from '../parse/attributes.ts';
import { decodeReferences } from '../parse/character-references.ts';
import { TAG, tagName } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';

/** Maximum number of elements of a path: at the outer end, then at the inner end. */
const OUTER_STEPS = 2;
const INNER_STEPS = 5;
/** Maximum characters of a tag name, an id or a class. */
const MARK_CHARACTERS = 40;

/**
 * The path of a node: its ancestors, outermost first, then the element; `…` replaces those in the middle. `cache` holds
 * the steps of one page, for callers that need the paths of many nodes.
 */
export function placeOf(tree: Tree, node: number, cache?: Map<number, string>): string {
  const path: number[] = [];
  for (let at = node; at >= 0; at = tree.parent[at]) if (tree.kind[at] === ELEMENT) path.push(at);
  const tooMany = path.length - OUTER_STEPS - INNER_STEPS;
  let place = '';
  for (let k = path.length - 1; k >= 0; k--) {
    // after the outer steps, continue at the inner ones
    if (tooMany > 0 && k === INNER_STEPS + tooMany - 1) {
      place += ' > …';
      k = INNER_STEPS - 1;
    }
    if (place !== '') place += ' > ';
    place += cachedStep(tree, path[k], cache);
  }
  return place;
}

/** Maximum number of steps of a short path. */
const SHORT_STEPS = 3;

/**
 * The last steps of a node's path, from the nearest element with an id: `div#top > nav.main`. An id or class with a
 * number of two digits or more names one page's element (`post-1225`) and is left out.
 */
export function shortPlaceOf(tree: Tree, node: number): string {
  const steps: string[] = [];
  for (let at = node; at >= 0 && steps.length < SHORT_STEPS; at = tree.parent[at]) {
    if (tree.kind[at] !== ELEMENT) continue;
    const tag = tree.name[at];
    if (steps.length > 0 && (tag === TAG.html || tag === TAG.body)) break;
    const step = stepOf(tree, at, isLasting);
    steps.unshift(step);
    if (step.includes('#')) break;
  }
  return steps.join(' > ');
}

/** The beginning of `[start, end)` of a page's text on one line, references decoded. */
export function lineOfText({ text }: Pick<Tree, 'text'>, start: number, end: number, most: number): string {
  // a reference takes more bytes than its character, and other characters up to four
  const bytes = text.subarray(start, Math.min(end, start + most * 8));
  const line = decodeReferences(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  return firstCharacters(line.replace(/\s+/g, ' ').trim(), most).replace(/(?<!\ufffd)\ufffd+$/, '');
}

function cachedStep(tree: Tree, node: number, cache: Map<number, string> | undefined): string {
  const known = cache?.get(node);
  if (known !== undefined) return known;
  const step = stepOf(tree, node);
  cache?.set(node, step);
  return step;
}

/** Whether an id or class is likely to be the same on many pages. */
function isLasting(word: string): boolean {
  return !/\d\d/.test(word);
}

/** The name of an element with its id, or else with its first class; `takes` says which of them may be used. */
function stepOf(tree: Tree, node: number, takes: (word: string) => boolean = () => true): string {
  const name = tagName(tree, node).slice(0, MARK_CHARACTERS);
  const [id = ''] = wordsOf(readAttribute(tree, node, 'id'));
  if (id !== '' && takes(id)) return `${name}#${firstCharacters(id, MARK_CHARACTERS)}`;
  const className = wordsOf(readAttribute(tree, node, 'class')).find(takes) ?? '';
  return className === '' ? name : `${name}.${firstCharacters(className, MARK_CHARACTERS)}`;
}

/** Most characters of an attribute that are read: a hostile page may have megabytes. */
const ATTRIBUTE_CHARACTERS = 1000;

function wordsOf(value = ''): string[] {
  return value.slice(0, ATTRIBUTE_CHARACTERS).match(/\S+/g) ?? [];
}

/** Cuts between characters, never within one. */
function firstCharacters(text: string, most: number): string {
  return text.length <= most
    ? text
    : Array.from(text.slice(0, most * 2))
        .slice(0, most)
        .join('');
}
