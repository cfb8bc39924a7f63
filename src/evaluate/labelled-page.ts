/**
 * Gold of a page that was labelled block by block: its content as text, the words that are neither asked for nor punished
 * (headline, facts, captions, disputed blocks), and its units: rows of tables, items of lists, labels with their values. A
 * unit is whole when all its words are in the output, in a row.
 */
import { segmentWords } from '../analysis/word-scanner.ts';
import { findLabelBlocks, type LabelClass } from '../detect/joint/label-blocks.ts';
import { TAG } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';
import type { GoldRow } from './gold.ts';

/** Kinds of units. */
export const UNITS = ['rows', 'items', 'pairs'] as const;
type UnitKind = (typeof UNITS)[number];

/** By kind: units that are content, those of which the output has at least a third of the words, and whole ones. */
export type UnitCounts = Record<UnitKind, { all: number; found: number; whole: number }>;

interface Unit {
  kind: UnitKind;
  words: string[];
}

const unitsByRow = new WeakMap<GoldRow, Unit[]>();
const OPEN = new Set<LabelClass | undefined>(['T', 'M', 'K', 'O']);
/** Maximum words of a label that ends in a colon. */
const LABEL_WORDS = 4;

/**
 * Sets the gold text of a row with labels, from the blocks of its page. Returns false when the page has another number of
 * blocks than the one that was labelled.
 */
export function readLabelled(row: GoldRow, tree: Tree): boolean {
  const { labels } = row;
  const blocks = findLabelBlocks(tree);
  if (!labels || blocks.length !== labels.count) return false;
  const textOf = (isWanted: (label: LabelClass | undefined) => boolean) =>
    blocks
      .filter((_, block) => isWanted(labels.classes.get(block)))
      .map(({ text }) => text)
      .join('\n');
  const text = textOf((label) => label === 'C');
  if (text !== '') row.text = text;
  row.comments = textOf((label) => OPEN.has(label));
  unitsByRow.set(row, findUnits(row, tree));
  return true;
}

/** Units of a row whose page was read; undefined for other rows. */
export function unitsOf(row: GoldRow): readonly Unit[] | undefined {
  return unitsByRow.get(row);
}

function findUnits({ labels }: GoldRow, tree: Tree): Unit[] {
  const blocks = findLabelBlocks(tree);
  const isContent = (block: number) => labels?.classes.get(block) === 'C';
  const { kind, name, last, nodeCount } = tree;
  const units: Unit[] = [];
  const add = (unit: UnitKind, members: readonly number[]) => {
    const words = segmentWords(members.map((block) => blocks[block].text).join('\n'));
    if (members.every(isContent) && words.length > 1) units.push({ kind: unit, words });
  };
  const inside = (from: number, to: number) => {
    const found: number[] = [];
    for (let block = firstFrom(blocks, from); block < blocks.length && blocks[block].nodes[0] < to; block++)
      found.push(block);
    return found;
  };
  for (let node = 1; node < nodeCount; node++) {
    if (kind[node] !== ELEMENT) continue;
    if (name[node] === TAG.tr) {
      const cells = childrenOf(tree, node, (tag) => tag === TAG.td || tag === TAG.th);
      const members = inside(node, last[node]);
      if (cells.length < 2 || members.length < 2 || hasInside(tree, node, TAG.table)) continue;
      add('rows', members);
      if (cells.length === 2 && name[cells[0]] === TAG.th) add('pairs', members);
    } else if (name[node] === TAG.li) {
      if (!hasInside(tree, node, TAG.li)) add('items', inside(node, last[node]));
    } else if (name[node] === TAG.dt) {
      const value = last[node] < nodeCount && name[last[node]] === TAG.dd ? last[last[node]] : 0;
      if (value > 0) add('pairs', inside(node, value));
    }
  }
  for (let block = 0; block + 1 < blocks.length; block++) {
    const { text } = blocks[block];
    if (/[:：]$/.test(text) && segmentWords(text).length <= LABEL_WORDS) add('pairs', [block, block + 1]);
  }
  return units;
}

function firstFrom(blocks: readonly { nodes: number[] }[], node: number): number {
  let low = 0;
  for (let high = blocks.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (blocks[middle].nodes[0] < node) low = middle + 1;
    else high = middle;
  }
  return low;
}

function childrenOf({ kind, name, last }: Tree, node: number, isWanted: (tag: number) => boolean): number[] {
  const found: number[] = [];
  for (let child = node + 1; child < last[node]; child = last[child])
    if (kind[child] === ELEMENT && isWanted(name[child])) found.push(child);
  return found;
}

function hasInside({ name, last }: Tree, node: number, tag: number): boolean {
  for (let inner = node + 1; inner < last[node]; inner++) if (name[inner] === tag) return true;
  return false;
}

/** Counts the units of a page that an output has. */
export function countUnits(units: readonly Unit[], output: readonly string[]): UnitCounts {
  const counts = noUnits();
  const text = ` ${output.join(' ')} `;
  const words = new Set(output);
  for (const unit of units) {
    const count = counts[unit.kind];
    count.all++;
    if (text.includes(` ${unit.words.join(' ')} `)) count.whole++;
    if (3 * unit.words.filter((word) => words.has(word)).length >= unit.words.length) count.found++;
  }
  return counts;
}

/** Adds up the counts of pages. */
export function addUnitCounts(pages: readonly UnitCounts[]): UnitCounts {
  const sum = noUnits();
  for (const kind of UNITS) {
    for (const page of pages) {
      sum[kind].all += page[kind].all;
      sum[kind].found += page[kind].found;
      sum[kind].whole += page[kind].whole;
    }
  }
  return sum;
}

function noUnits(): UnitCounts {
  const none = () => ({ all: 0, found: 0, whole: 0 });
  return { rows: none(), items: none(), pairs: none() };
}
