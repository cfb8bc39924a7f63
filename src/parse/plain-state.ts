/**
 * When a page can be built in WebAssembly for a while (plain-code.ts), and what the tree builder hands over before
 * and takes back after: half a dozen integers. Everything else lies in memory that both work on.
 */
import {
  type Construction,
  IN_BODY,
  IN_CELL,
  IN_HEAD,
  IN_ROW,
  IN_TABLE,
  IN_TABLE_BODY,
} from './construction.ts';
import {
  DEPTH,
  ENTRY_COUNT,
  FORMATTING_LENGTH,
  HAS_FORM,
  LINK_COUNT,
  MODE,
  MOST_DEPTH,
  MOST_NODES,
  NODE_COUNT,
  TEXT_AT,
  TEXT_LENGTH,
  WORD_ENDED,
} from './kernel-layout.ts';
import { NOT_PLAIN } from './plain-drawing.ts';
import type { ScanKernel } from './scan-kernel.ts';

/**
 * Whether the rules for plain tags hold: in the head, or in body or a table with something shown already; no text hidden, and
 * all in the memory that is shared.
 */
export function isPlain(build: Construction, kernel: ScanKernel): boolean {
  const { open, mode } = build;
  return (
    (mode === IN_HEAD || (!build.framesetOk && isPlainMode(mode))) &&
    open.hiddenDepth === 0 &&
    open.depth <= open.maxDepth &&
    (open.currentFlags & NOT_PLAIN) === 0 &&
    open.entries === kernel.entries &&
    build.formatting.tag === kernel.formatting.tag &&
    build.columns.isIn(kernel.columns)
  );
}

function isPlainMode(mode: number): boolean {
  return (
    mode === IN_BODY || mode === IN_CELL || mode === IN_ROW || mode === IN_TABLE_BODY || mode === IN_TABLE
  );
}

/** Hands the state over. */
export function leaveState(build: Construction, { words, textAt }: ScanKernel): void {
  const { columns, open, formatting } = build;
  words[DEPTH] = open.depth;
  words[NODE_COUNT] = columns.nodeCount;
  words[TEXT_LENGTH] = columns.textLength;
  words[LINK_COUNT] = columns.linkCount;
  words[WORD_ENDED] = open.wordEnded ? 1 : 0;
  words[FORMATTING_LENGTH] = formatting.length;
  words[MODE] = build.mode;
  words[HAS_FORM] = build.hasForm ? 1 : 0;
  words[TEXT_AT] = textAt;
  // a tag adds two at most
  words[MOST_NODES] = columns.capacity - 1;
  words[MOST_DEPTH] = Math.min(open.maxDepth, ENTRY_COUNT - 1);
}

/** Takes it back. */
export function takeState(build: Construction, words: Int32Array): void {
  const { columns, open, formatting } = build;
  open.depth = words[DEPTH];
  columns.nodeCount = words[NODE_COUNT];
  columns.textLength = words[TEXT_LENGTH];
  columns.linkCount = words[LINK_COUNT];
  open.wordEnded = words[WORD_ENDED] !== 0;
  formatting.length = words[FORMATTING_LENGTH];
  build.mode = words[MODE];
  build.hasForm = words[HAS_FORM] !== 0;
}
