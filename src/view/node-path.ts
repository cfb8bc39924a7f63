/**
 * Where an element stands, as a person reads it: `html > body > div#nav`; and texts cut to what fits on a
 * line. Both are bounded whatever the page holds. Cost: linear in the depth of the node.
 */
import { readAttribute } from '../parse/attributes.ts';
import { decodeReferences } from '../parse/character-references.ts';
import { tagName } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';

/** Elements of a place: so many at the outer end, so many at the inner. */
const OUTER_STEPS = 2;
const INNER_STEPS = 5;
/** Characters of an id or a class. */
const MARK_CHARACTERS = 40;

/**
 * The path of a node: its element and the ancestors of that, outermost first; `…` for those left out in the middle. `cache`
 * holds the steps of one page, for callers that ask for the paths of many nodes.
 */
export function placeOf(tree: Tree, node: number, cache?: Map<number, string>): string {
  const path: number[] = [];
  for (let at = node; at >= 0; at = tree.parent[at]) if (tree.kind[at] === ELEMENT) path.push(at);
  const tooMany = path.length - OUTER_STEPS - INNER_STEPS;
  let place = '';
  for (let k = path.length - 1; k >= 0; k--) {
    if (tooMany > 0 && k === INNER_STEPS + tooMany - 1) {
      place += ' > …';
      k = INNER_STEPS - 1;
    }
    if (place !== '') place += ' > ';
    place += cachedStep(tree, path[k], cache);
  }
  return place;
}

/** The beginning of `[start, end)` of a page's text on one line, references decoded. */
export function lineOfText({ text }: Pick<Tree, 'text'>, start: number, end: number, most: number): string {
  // a reference takes more bytes than the character it stands for, and others up to four
  const bytes = text.subarray(start, Math.min(end, start + most * 8));
  const line = decodeReferences(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  return firstCharacters(line.replace(/\s+/g, ' ').trim(), most).replace(/\ufffd+$/, '');
}

function cachedStep(tree: Tree, node: number, cache: Map<number, string> | undefined): string {
  const known = cache?.get(node);
  if (known !== undefined) return known;
  const step = stepOf(tree, node);
  cache?.set(node, step);
  return step;
}

/** The name of an element with its id, or else with its first class. */
function stepOf(tree: Tree, node: number): string {
  const name = tagName(tree, node).slice(0, MARK_CHARACTERS);
  const id = firstWord(readAttribute(tree, node, 'id'));
  if (id !== '') return `${name}#${id}`;
  const className = firstWord(readAttribute(tree, node, 'class'));
  return className === '' ? name : `${name}.${className}`;
}

function firstWord(value = ''): string {
  return firstCharacters(/\S+/.exec(value)?.[0] ?? '', MARK_CHARACTERS);
}

/** Cuts between characters, never within one. */
function firstCharacters(text: string, most: number): string {
  return text.length <= most
    ? text
    : Array.from(text.slice(0, most * 2))
        .slice(0, most)
        .join('');
}
