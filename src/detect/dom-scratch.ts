/** Scratch memory of the dom detector in the kernel, one for each thread: columns by node of the page that it works on. */
import { Block } from '../kernel/block.ts';
import {
  DOM_BREAKS,
  DOM_BYTE_COLUMNS,
  DOM_FIRST_BYTE_COLUMN,
  DOM_FIRST_WORD_COLUMN,
  DOM_GAPS,
  DOM_HEADER_WORDS,
  DOM_SPANS,
  DOM_TAG_COUNTS,
  DOM_WORD_COLUMNS,
  GAP_WORDS,
  SPAN_WORDS,
} from '../kernel/dom-layout.ts';
import { threadKernel } from '../kernel/thread-kernel.ts';
import { breaksWords, FIRST_FOREIGN_TAG } from '../parse/tag-names.ts';

const BREAKS_BYTES = FIRST_FOREIGN_TAG;
const TAG_COUNT_BYTES = 4 * FIRST_FOREIGN_TAG;

let scratch: { block: Block; address: number; capacity: number } | undefined;

/** The address of scratch memory with room for a page of so many nodes. */
export function domScratch(nodeCount: number): number {
  scratch ??= { block: new Block(threadKernel()), address: 0, capacity: 0 };
  if (nodeCount <= scratch.capacity && scratch.capacity > 0) return scratch.address;
  const capacity = Math.max(4096, nodeCount, 2 * scratch.capacity);
  const columnBytes = 4 * (capacity + 4);
  const spanBytes = 4 * (SPAN_WORDS + GAP_WORDS) * capacity;
  const address = scratch.block.room(
    4 * DOM_HEADER_WORDS +
      BREAKS_BYTES +
      TAG_COUNT_BYTES +
      (DOM_WORD_COLUMNS + DOM_BYTE_COLUMNS) * columnBytes +
      spanBytes,
  );
  const { bytes, words } = threadKernel();
  const header = address >> 2;
  let at = address + 4 * DOM_HEADER_WORDS;
  bytes.fill(0, address, at + BREAKS_BYTES + TAG_COUNT_BYTES);
  words[header + DOM_BREAKS] = at;
  for (let tag = 0; tag < FIRST_FOREIGN_TAG; tag++) bytes[at + tag] = Number(breaksWords(tag));
  at += BREAKS_BYTES;
  words[header + DOM_TAG_COUNTS] = at;
  at += TAG_COUNT_BYTES;
  for (let k = 0; k < DOM_WORD_COLUMNS; k++, at += columnBytes)
    words[header + DOM_FIRST_WORD_COLUMN + k] = at;
  for (let k = 0; k < DOM_BYTE_COLUMNS; k++, at += columnBytes)
    words[header + DOM_FIRST_BYTE_COLUMN + k] = at;
  words[header + DOM_SPANS] = at;
  words[header + DOM_GAPS] = at + 4 * SPAN_WORDS * capacity;
  scratch = { block: scratch.block, address, capacity };
  return address;
}
