/**
 * Labels of whole pages by reading (docs/reference/gold-rows.md, `labels`): numbers of text blocks and a class for each.
 * A block is a run of text between tags other than inline ones, in document order; text of scripts, choices and embedded
 * pages is in no block. The numbers need no text of the page in the label file.
 */

import * as layout from '../../kernel/block-layout.ts';
import { decodeReferences } from '../../parse/character-references.ts';
import { TAG, tagsOf } from '../../parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../../parse/tree.ts';
import type { PageBlocks } from './block-reader.ts';

/**
 * Classes of blocks: C content, T headline, M facts about the item such as byline and date, K captions, U readers' comments,
 * O open to dispute. Blocks without a class are boilerplate.
 */
export const LABEL_CLASSES = ['C', 'T', 'M', 'K', 'U', 'O'] as const;
/** One of `LABEL_CLASSES`. */
export type LabelClass = (typeof LABEL_CLASSES)[number];

/** Classes of the blocks of one page. */
export interface BlockLabels {
  /** Number of blocks of the page: other blocks than the reader's are an error. */
  count: number;
  /** Class by number of the block. */
  classes: ReadonlyMap<number, LabelClass>;
}

/** A text block of a page: its text nodes in document order. */
export interface LabelBlock {
  nodes: number[];
  text: string;
}

const INLINE = new Set<number>(
  tagsOf(
    'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q ruby rt rp s samp small span strike strong sub sup time tt u var wbr img nobr blink svg button br',
  ),
);
const SKIPPED = new Set<number>(
  tagsOf('script style template noscript head select option textarea iframe object'),
);

const decoder = new TextDecoder();

/** Finds the text blocks of a page that labels number. */
export function findLabelBlocks(tree: Tree): LabelBlock[] {
  const { kind, name, last, textStart, nodeCount } = tree;
  const blocks: LabelBlock[] = [];
  let nodes: number[] = [];
  let text = '';
  const flush = () => {
    const folded = decodeReferences(text).replace(/\s+/g, ' ').trim();
    if (folded !== '') blocks.push({ nodes, text: folded });
    nodes = [];
    text = '';
  };
  // ends of the open elements that end a block
  const open: number[] = [];
  for (let node = 1; node < nodeCount; ) {
    while (open.length > 0 && open[open.length - 1] <= node) {
      open.pop();
      flush();
    }
    if (kind[node] === TEXT) {
      nodes.push(node);
      text += decoder.decode(tree.text.subarray(textStart[node], textStart[node + 1]));
    } else if (kind[node] === ELEMENT) {
      if (SKIPPED.has(name[node])) {
        node = last[node];
        continue;
      }
      if (name[node] === TAG.br) text += ' ';
      else if (!INLINE.has(name[node])) {
        flush();
        open.push(last[node]);
      }
    }
    node++;
  }
  flush();
  return blocks;
}

/** Parses `{"blocks": 90, "C": "5-12,14", "T": "3"}`; throws a TypeError when a class is not a list of numbers. */
export function parseBlockLabels(value: unknown): BlockLabels {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const { blocks: count } = fields;
  if (!Number.isInteger(count) || (count as number) < 0)
    throw new TypeError('labels.blocks must be a number of blocks');
  const classes = new Map<number, LabelClass>();
  for (const label of LABEL_CLASSES) {
    for (const part of String(fields[label] ?? '').split(',')) {
      if (part === '') continue;
      const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
      if (from === undefined || Number(to) >= (count as number))
        throw new TypeError(
          `labels.${label} must be numbers and ranges of blocks under ${count}, not "${part}"`,
        );
      for (let block = Number(from); block <= Number(to); block++) classes.set(block, label);
    }
  }
  return { count: count as number, classes };
}

/**
 * The labels of the blocks that the joint detector judges, from the class of their longest text: 1 for content, and whether
 * the block is no example, because its class is open to choice. Undefined when the page has other blocks than the labelled one.
 */
export function classesOfBlocks(
  { count, classes }: BlockLabels,
  tree: Tree,
  blocks: PageBlocks,
): { labels: Float32Array; isOpen: Uint8Array } | undefined {
  const labelled = findLabelBlocks(tree);
  if (labelled.length !== count) return undefined;
  const classOf = new Map(
    labelled.flatMap(({ nodes }, block) => nodes.map((node) => [node, classes.get(block)])),
  );
  const labels = new Float32Array(blocks.count);
  const isOpen = new Uint8Array(blocks.count);
  const { records } = blocks;
  const lengthOf = (node: number) => tree.textStart[node + 1] - tree.textStart[node];
  for (let block = 0; block < blocks.count; block++) {
    const record = block * layout.BLOCK_RECORD_WORDS;
    let longest = records[record + layout.BLOCK_FIRST_TEXT];
    for (let node = longest + 1; node <= records[record + layout.BLOCK_LAST_TEXT]; node++)
      if (tree.kind[node] === TEXT && lengthOf(node) > lengthOf(longest)) longest = node;
    const label = classOf.get(longest);
    if (label === 'C') labels[block] = 1;
    else if (label !== undefined && label !== 'U') isOpen[block] = 1;
  }
  return { labels, isOpen };
}
