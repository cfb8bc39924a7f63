/** The rows of a labelled page, with what was asked for: what `strip`, `label` and `annotate` write. */
import type { Explanation } from '../../model/explanation.ts';
import type { Page } from '../../model/page.ts';
import { joinSlots, type Range } from '../../model/range.ts';
import type { Tree } from '../../parse/tree.ts';
import { annotatePage, type LabelShares } from '../../view/annotate-page.ts';
import { renderHtml } from '../../view/html.ts';
import { renderMarkdown } from '../../view/markdown.ts';
import { addTextRow, type TextRow } from '../../view/rows.ts';
import { renderText } from '../../view/visible-text.ts';
import { rangeText } from './range-excerpt.ts';
import type { WantedRows } from './row-formats.ts';

/** A page: who it is, where it lies, and what was asked for. */
export interface PageRow extends TextRow {
  kind: 'page';
  /** Its number in the run, from 1. */
  page: number;
  snapshot: string;
  /** Self-contained HTML with the ranges coloured, and how much text each label has. */
  annotated?: { html: string; shares: LabelShares };
  /** By detector. */
  ranges?: Record<string, Range[]>;
  /** The evidence behind the labels of the first one. */
  explanation?: Explanation;
}

/** A template with its text, once per site. */
export interface TemplateRow {
  kind: 'template';
  site: string;
  template: string;
  detector: string;
  text: string;
  reason: string;
  /** The page it was first met on. */
  url: string;
  time: string;
}

export type StreamRow = PageRow | TemplateRow;

export interface RowPage {
  page: Omit<Page, 'source'>;
  tree: Tree;
  title: string;
  number: number;
  snapshot: string;
  /** By detector; the first decides what is kept. */
  verdicts: { detector: string; ranges: Range[]; explanation?: Explanation }[];
}

/** Characters of a template's text in its own row: all of it, within reason. */
const TEMPLATE_CHARACTERS = 100_000;
/** What an annotated page calls the list of all. */
export const ANNOTATE_INDEX = 'index.html';

export function pageRow(labelled: RowPage, { want, mark = false, dropSlots = false }: WantedRows): PageRow {
  const { page, tree, title, number, snapshot, verdicts } = labelled;
  const [{ detector }] = verdicts;
  const ranges = dropSlots ? joinSlots(verdicts[0].ranges) : verdicts[0].ranges;
  const row: PageRow = addTextRow({ kind: 'page', page: number, snapshot }, page, {
    title,
    text: want.includes('text') ? renderText(tree, ranges, { mark }) : '',
    markdown: want.includes('markdown') ? renderMarkdown(tree, ranges, page) : undefined,
    html: want.includes('html') ? renderHtml(tree, ranges, page) : undefined,
  });
  if (want.includes('annotated')) {
    const { html, shares } = annotatePage(tree, ranges, page, { indexHref: ANNOTATE_INDEX, detector });
    row.annotated = { html, shares };
  }
  if (want.includes('ranges')) {
    row.ranges = Object.fromEntries(verdicts.map((verdict) => [verdict.detector, verdict.ranges]));
    if (verdicts[0].explanation) row.explanation = verdicts[0].explanation;
  }
  return row;
}

/** The page's templates that `seen` does not hold yet; those without text are left out. */
export function newTemplateRows({ page, tree, verdicts }: RowPage, seen: Set<string>): TemplateRow[] {
  const rows: TemplateRow[] = [];
  const [{ detector, ranges }] = verdicts;
  const { site, url, time } = page;
  for (const { label, template, start, end, reason } of joinSlots(ranges)) {
    if (label !== 'template' || template === '') continue;
    const key = `${template} ${site}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const text = rangeText(tree, start, end, { maxChars: TEMPLATE_CHARACTERS });
    if (text !== '') rows.push({ kind: 'template', site, template, detector, text, reason, url, time });
  }
  return rows;
}
