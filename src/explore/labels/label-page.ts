/**
 * Prepares a page for labelling: its blocks, the elements around them with several blocks, and the suggestions of
 * the joint verdict. Marks are by block; a mark on an element is a mark on each block inside it.
 *
 * The marks of a page make its gold row. A page with every block marked has the whole `text`; until then it has
 * snippets to `keep` and to `drop`, which are correct for marked blocks and leave the others open.
 */
import { createHash } from 'node:crypto';
import type { JudgedBlock } from '../../detect/joint/judged-blocks.ts';
import { makeRange } from '../../detect/ranges.ts';
import type { Page } from '../../model/page.ts';
import type { Label, Range } from '../../model/range.ts';
import { readAttribute } from '../../parse/attributes.ts';
import { isHeading, tagName } from '../../parse/tag-names.ts';
import type { Tree } from '../../parse/tree.ts';
import { renderText } from '../../view/visible-text.ts';
import { nodeAnchor } from '../frame/render-frame.ts';
import type { BlockGroup, Mark } from '../page-answers.ts';

/** All marks that a person can give. */
export const MARKS: readonly Mark[] = ['content', 'template', 'slot', 'comment'];

/** True when a value is one of `MARKS`. */
export function isMark(value: unknown): value is Mark {
  return MARKS.includes(value as Mark);
}

/** Labels of one page by one person, as one line of a file of gold rows. */
export interface LabelRow {
  url: string;
  time?: string;
  site: string;
  set: string;
  /** Text and classes of a page with every block marked. */
  text?: string;
  comments?: string;
  blocks?: [label: number, text: string][];
  /** Snippets of any other page. */
  keep?: string[];
  drop?: string[];
  /** Start and end in the source, mark, and characters of text, for each marked block. */
  marks: [start: number, end: number, mark: Mark, characters: number][];
  /** Number of blocks of the page. */
  blockCount: number;
  /** SHA-256 of the source; marks are valid for these bytes only. */
  source: string;
  annotator: string;
}

/** Returns the suggested mark: values such as dates and bylines are slots of the page's template. */
export function suggestMark({ isKept, role }: JudgedBlock): Mark {
  if (role === 'comments') return 'comment';
  if (!isKept) return 'template';
  return role === 'date' || role === 'byline' || role === 'facts' ? 'slot' : 'content';
}

/** Returns the elements with several blocks, outer ones first; of elements with the same blocks, the outermost. */
export function groupBlocks(tree: Tree, blocks: readonly JudgedBlock[]): BlockGroup[] {
  const { parent } = tree;
  const spans = new Map<number, { first: number; last: number }>();
  for (const [block, { node }] of blocks.entries()) {
    for (let element = node; element > 0; element = parent[element]) {
      const span = spans.get(element);
      if (span) span.last = block + 1;
      else spans.set(element, { first: block, last: block + 1 });
    }
  }
  const groups: BlockGroup[] = [];
  const numbers = new Map<number, number>();
  for (const [element, { first, last }] of [...spans].sort(([a], [b]) => a - b)) {
    const around = numbers.get(parent[element]) ?? -1;
    const isSame = around >= 0 && groups[around].first === first && groups[around].last === last;
    numbers.set(element, isSame ? around : groups.length);
    if (isSame) continue;
    groups.push({
      parent: around,
      first,
      last,
      name: nameOf(tree, element),
      anchor: nodeAnchor(tree, element),
    });
  }
  return groups;
}

/** Longest class name that is shown for an element. */
const NAME_CHARACTERS = 60;

function nameOf(tree: Tree, element: number): string {
  const id = readAttribute(tree, element, 'id')?.trim();
  const first = readAttribute(tree, element, 'class')?.trim().split(/\s+/, 1)[0];
  const names = `${id ? `#${id}` : ''}${first ? `.${first}` : ''}`;
  return `${tagName(tree, element)}${names.slice(0, NAME_CHARACTERS)}`;
}

/** Numbers of BLOCK_LABELS (evaluate/gold.ts): headline, full text, supplemental, boilerplate, comments. */
const GOLD_LABELS: Record<Mark, number> = { template: 0, content: 2, slot: 3, comment: 5 };
const HEADLINE = 1;

/** Returns the gold row of a page; `marks` has an entry for each block, undefined when it is not marked. */
export function labelRow(
  page: Page,
  tree: Tree,
  blocks: readonly JudgedBlock[],
  { marks, annotator }: { marks: readonly (Mark | undefined)[]; annotator: string },
): LabelRow {
  const { url, time, site, source } = page;
  const marked = blocks.flatMap((block, k) => {
    const mark = marks[k];
    return mark === undefined ? [] : [{ block, mark }];
  });
  const row: LabelRow = {
    url,
    ...(time === '' ? {} : { time }),
    site,
    set: annotator,
    marks: marked.map(({ block: { start, end, text }, mark }) => [start, end, mark, text.length]),
    blockCount: blocks.length,
    source: digestOf(source),
    annotator,
  };
  if (marked.length < blocks.length || blocks.length === 0) {
    const texts = (wanted: readonly Mark[]) =>
      marked.flatMap(({ block, mark }) => (wanted.includes(mark) ? [block.text] : []));
    return { ...row, keep: texts(['content', 'slot']), drop: texts(['template']) };
  }
  const text = (wanted: readonly Mark[]) => renderText(tree, rangesOf(source.length, marked, wanted));
  const comments = text(['comment']);
  return {
    ...row,
    text: text(['content', 'slot']),
    ...(comments === '' ? {} : { comments }),
    blocks: marked.map(({ block, mark }) => [
      mark === 'content' && isHeading(tree.name[block.node]) ? HEADLINE : GOLD_LABELS[mark],
      block.text,
    ]),
  };
}

/** Returns ranges in which blocks with some marks are content, and all else is template. */
function rangesOf(
  sourceBytes: number,
  marked: readonly { block: JudgedBlock; mark: Mark }[],
  wanted: readonly Mark[],
): Range[] {
  const ranges: Range[] = [];
  let at = 0;
  const push = (end: number, label: Label) => {
    if (end > at) ranges.push(makeRange(at, end, label, 1, '', ''));
    at = Math.max(at, end);
  };
  for (const { block, mark } of marked) {
    if (!wanted.includes(mark)) continue;
    push(block.start, 'template');
    push(block.end, 'content');
  }
  push(sourceBytes, 'template');
  return ranges;
}

/** Returns the marks by block from a saved row; none when the page has changed since. */
export function marksOf(
  row: LabelRow | undefined,
  page: Page,
  blocks: readonly JudgedBlock[],
): (Mark | undefined)[] {
  if (row === undefined || row.source !== digestOf(page.source)) return blocks.map(() => undefined);
  const byPlace = new Map(row.marks.map(([start, end, mark]) => [`${start} ${end}`, mark]));
  return blocks.map(({ start, end }) => byPlace.get(`${start} ${end}`));
}

/** Returns the SHA-256 of a source as hexadecimal. */
function digestOf(source: Uint8Array): string {
  return createHash('sha256').update(source).digest('hex');
}

/**
 * Returns the share of words (0 to 1) that the verdict expects to label wrongly; pages with the highest share are
 * labelled first.
 */
export function uncertaintyOf(blocks: readonly JudgedBlock[]): number {
  let wrong = 0;
  let words = 0;
  for (const { score, words: own } of blocks) {
    wrong += own * Math.min(score, 1 - score);
    words += own;
  }
  return words === 0 ? 0 : wrong / words;
}
