/** Pieces of a page's detagged text as strings, for its metadata. */
import { decodeReferences } from '../parse/character-references.ts';
import type { Tree } from '../parse/tree.ts';
import type { TextPart } from './kept-text.ts';

const decoder = new TextDecoder();

/** The text between two offsets of the detagged text. */
export function textBetween(tree: Tree, start: number, end: number): string {
  return decodeReferences(decoder.decode(tree.text.subarray(start, end)));
}

/** The first 400 bytes of an element's text, or of a text node's. */
export function textOfNode(tree: Tree, node: number): string {
  const { textStart, last } = tree;
  const start = textStart[node];
  return textBetween(tree, start, Math.min(textStart[last[node]], start + 400)).trim();
}

/** The address of a link as it is written, at most 300 bytes. */
export function hrefOf({ source, linkStart, linkEnd }: Tree, link: number): string {
  return decoder.decode(source.subarray(linkStart[link], Math.min(linkEnd[link], linkStart[link] + 300)));
}

/** The first node whose text begins at a position or after it. */
export function nodeAt({ textStart, nodeCount }: Tree, position: number): number {
  let low = 1;
  let high = nodeCount - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (textStart[middle] >= position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Distance in bytes from the end of the headline to the start of a text; doubled for a text before the headline. */
export function distanceTo(headlineEnd: number, start: number): number {
  return start >= headlineEnd - 2 ? start - headlineEnd : 2 * (headlineEnd - start);
}

/** Parts with a role, nearest to the headline first. */
export function nearestParts(
  parts: readonly TextPart[],
  role: TextPart['role'],
  headlineEnd: number,
): TextPart[] {
  return parts
    .filter((part) => part.role === role)
    .sort((a, b) => distanceTo(headlineEnd, a.start) - distanceTo(headlineEnd, b.start));
}

/** Collapses white space and cuts to at most `most` characters, never within a character. */
export function tidy(text: string, most: number): string {
  const short = text.length > 4 * most ? text.slice(0, 4 * most) : text;
  const collapsed = short.replace(/[\s\u0000-\u001f\u200b\ufeff]+/g, ' ').trim();
  return (collapsed.length > most ? collapsed.slice(0, most) : collapsed).toWellFormed();
}
