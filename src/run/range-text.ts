/** The detagged text of a stretch of a page: enough of it to recognise a template by. */
import { decodeReferences, TextCursor } from '../parse/text.ts';
import type { Tree } from '../parse/tree.ts';

/** Characters of a template's text that are kept. */
export const SAMPLE_CHARS = 300;

export function rangeText(tree: Tree, start: number, end: number, { maxChars = SAMPLE_CHARS } = {}): string {
  const cursor = new TextCursor(tree);
  const first = cursor.positionOf(start);
  const last = Math.min(cursor.positionOf(end), first + maxChars * 4);
  const bytes = tree.text.subarray(first, last);
  const text = decodeReferences(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  return firstCharacters(text.trim(), maxChars).replace(/\ufffd+$/, '');
}

function firstCharacters(text: string, count: number): string {
  return text.length <= count ? text : Array.from(text).slice(0, count).join('');
}
