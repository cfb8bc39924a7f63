/**
 * What a person knows a fragment by: where it stands (`html > body > div#nav`) and the beginning of its text.
 * Both are bounded whatever the page holds. Cost: linear in the depth of the node and the length of the line.
 */
import { readAttribute } from '../parse/attributes.ts';
import { tagName } from '../parse/tag-names.ts';
import { decodeReferences } from '../parse/text.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';

export interface FragmentDescription {
  /** The element and those it stands in, outermost first; `…` for those left out in the middle. */
  place: string;
  /** The beginning of its text on one line, references decoded; empty when it has none. */
  text: string;
}

/** Characters of text. */
const TEXT_CHARACTERS = 160;
/** Elements of a place: so many at the outer end, so many at the inner. */
const OUTER_STEPS = 2;
const INNER_STEPS = 5;
/** Characters of an id or a class. */
const MARK_CHARACTERS = 40;

/** Describes the nodes `[node, sibling)`: an element, or adjacent siblings of which it is the first. */
export function describeFragment(tree: Tree, node: number, sibling: number): FragmentDescription {
  return { place: placeOf(tree, node), text: lineOf(tree, node, sibling) };
}

function placeOf(tree: Tree, node: number): string {
  const path: number[] = [];
  for (let at = node; at >= 0; at = tree.parent[at]) if (tree.kind[at] === ELEMENT) path.push(at);
  path.reverse();
  const steps = (nodes: number[]) => nodes.map((at) => stepOf(tree, at));
  if (path.length <= OUTER_STEPS + INNER_STEPS) return steps(path).join(' > ');
  return [...steps(path.slice(0, OUTER_STEPS)), '…', ...steps(path.slice(-INNER_STEPS))].join(' > ');
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

function lineOf({ text, textStart }: Tree, node: number, sibling: number): string {
  // a reference takes more bytes than the character it stands for, and others up to four
  const end = Math.min(textStart[sibling], textStart[node] + TEXT_CHARACTERS * 8);
  const bytes = text.subarray(textStart[node], end);
  const line = decodeReferences(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  return firstCharacters(line.replace(/\s+/g, ' ').trim(), TEXT_CHARACTERS).replace(/\ufffd+$/, '');
}

/** Cuts between characters, never within one. */
function firstCharacters(text: string, most: number): string {
  return text.length <= most
    ? text
    : Array.from(text.slice(0, most * 2))
        .slice(0, most)
        .join('');
}
