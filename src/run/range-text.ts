/** The detagged text of a stretch of a page: enough of it to recognise a template by. */
import { decodeReferences, sourceOffset } from '../parse/text.ts';
import type { Tree } from '../parse/tree.ts';

/** Characters of a template's text that are kept. */
export const SAMPLE_CHARS = 300;

export function rangeText(tree: Tree, start: number, end: number, { maxChars = SAMPLE_CHARS } = {}): string {
  const first = textPosition(tree, start);
  const last = Math.min(textPosition(tree, end), first + maxChars * 4);
  const bytes = tree.text.subarray(first, last);
  const text = decodeReferences(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  return [...text.trim()]
    .slice(0, maxChars)
    .join('')
    .replace(/\ufffd+$/, '');
}

/** The first position of the text that lies at or after a byte of the source: offsets only grow. */
function textPosition(tree: Tree, offset: number): number {
  let low = 0;
  let high = tree.textLength;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sourceOffset(tree, middle, 'start') < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
