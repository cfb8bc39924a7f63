/**
 * The rows of labelled pages: what `strip`, `label`, `annotate` and `page` write, in every format. What a page says is
 * rendered here and nowhere else; only text that goes to JSON lines is rendered as bytes by the sinks themselves.
 */

import { gzipSync } from 'node:zlib';
import type { Explanation } from '../../model/explanation.ts';
import type { Page } from '../../model/page.ts';
import { joinSlots, type Range } from '../../model/range.ts';
import { wellFormedJson } from '../../model/well-formed-json.ts';
import type { Tree } from '../../parse/tree.ts';
import { JsonRows } from '../../store/json-rows.ts';
import { annotatePage, type LabelShares } from '../../view/annotate-page.ts';
import { conversionRecord } from '../../view/conversion.ts';
import { renderFrontMatter } from '../../view/front-matter.ts';
import { renderHtml } from '../../view/html.ts';
import { renderMarkdown } from '../../view/markdown.ts';
import { addTextRow, dolmaRow, type TextRow, textRow } from '../../view/rows.ts';
import { renderJsonText, renderText } from '../../view/visible-text.ts';
import type { JudgedPage, PlacedSection } from '../library/judge-pages.ts';
import { rangeText } from './range-excerpt.ts';

/** What rows carry; `templates` adds a row for every template, once per site. */
export type RowContent = 'text' | 'markdown' | 'html' | 'annotated' | 'ranges' | 'templates';

/** Rows that are asked for by what they carry. */
export interface WantedRows {
  want: RowContent[];
  /** Keep everything in the text and mark what is not content. @default false */
  mark?: boolean;
  /** Drop the slots of templates from what is rendered. @default false */
  dropSlots?: boolean;
  /** Add the evidence behind the labels of the first detector, where it tells it. @default false */
  explain?: boolean;
}

/** The formats of `chaff strip`. */
export const ROW_FORMATS = ['jsonl', 'text', 'markdown', 'html', 'warc', 'dolma'] as const;
export type RowFormat = (typeof ROW_FORMATS)[number];
/** Those that are a document a page. */
export type DocumentFormat = Extract<RowFormat, 'text' | 'markdown' | 'html'>;

/** … and of one page: a record compressed by itself, as readers of WARC want it, and what `chaff label` writes. */
export type PageFormat = RowFormat | 'warc.gz' | 'ranges';

/** Pages that are asked for as they are written. */
export interface WantedPages extends Pick<WantedRows, 'mark' | 'dropSlots' | 'explain'> {
  format: PageFormat;
}

/** What a row must carry to be written so. */
export const CONTENT_OF: Record<PageFormat, RowContent> = {
  jsonl: 'text',
  dolma: 'text',
  text: 'text',
  warc: 'text',
  'warc.gz': 'text',
  markdown: 'markdown',
  html: 'html',
  ranges: 'ranges',
};

/** A page: its URL and time, its location in the archive, and the wanted content. */
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

/** What a page says, in each form that is wanted: the one place that renders pages as strings. */
export function renderContent(
  { page, tree, ranges }: { page: Omit<Page, 'source'>; tree: Tree; ranges: readonly Range[] },
  want: readonly RowContent[],
  { mark = false } = {},
): { text: string; markdown?: string; html?: string } {
  return {
    text: want.includes('text') ? renderText(tree, ranges, { mark }) : '',
    markdown: want.includes('markdown') ? renderMarkdown(tree, ranges, page) : undefined,
    html: want.includes('html') ? renderHtml(tree, ranges, page) : undefined,
  };
}

export function pageRow(labelled: RowPage, { want, mark = false, dropSlots = false }: WantedRows): PageRow {
  const { page, tree, title, number, snapshot, verdicts } = labelled;
  const [{ detector }] = verdicts;
  const ranges = dropSlots ? joinSlots(verdicts[0].ranges) : verdicts[0].ranges;
  const row: PageRow = addTextRow({ kind: 'page', page: number, snapshot }, page, {
    title,
    ...renderContent({ page, tree, ranges }, want, { mark }),
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

/** A page as it is written among others. */
export function encodePage(row: PageRow, format: PageFormat): Uint8Array {
  switch (format) {
    case 'warc':
      return conversionRecord(row, row.text);
    case 'warc.gz':
      return gzipSync(conversionRecord(row, row.text));
    case 'jsonl':
      return line(withoutKind(row));
    case 'dolma':
      return line(dolmaRow(withoutKind(row)));
    case 'ranges':
      return line(rangesRow(row));
    case 'text':
      return Buffer.from(`# ${row.url} ${row.time}\n${documentOf(row, format)}\n`);
    case 'markdown':
      return Buffer.from(`${documentOf(row, format)}\n`);
    case 'html':
      return Buffer.from(documentOf(row, format));
  }
}

/** What a page says, as a document of its own. */
export function documentOf(row: PageRow, format: DocumentFormat): string {
  if (format === 'text') return `${row.text}\n`;
  if (format === 'html') return `${row.html ?? ''}\n`;
  const { url, time, site, title, markdown = '' } = row;
  return `${renderFrontMatter({ url, time, site, title })}${markdown}\n`;
}

function rangesRow({ kind: _k, text: _t, ranges = {}, explanation, ...page }: PageRow): object {
  const [detector] = Object.keys(ranges);
  return { ...page, detector, ranges: ranges[detector] ?? [], ...explanation };
}

function withoutKind({ kind: _, ...row }: PageRow): TextRow {
  return row;
}

function line(row: object): Uint8Array {
  return Buffer.from(`${wellFormedJson(row)}\n`);
}

/** A page judged alone: what it says, its sections, and how much of it is template. */
export interface PageVerdictRow extends TextRow {
  /** Shares of its bytes of text, of its bytes of HTML and of its links that are template, 0 to 1. */
  templateText: number;
  templateHtml: number;
  templateLinks: number;
  sections: PlacedSection[];
}

export function pageVerdictRow(judged: JudgedPage, want: RowContent): PageVerdictRow {
  const { page, tree, title, ranges } = judged;
  return addVerdict(textRow(page, { title, ...renderContent({ page, tree, ranges }, [want]) }), judged);
}

const verdictLines = new JsonRows(1 << 16);

/** The same as a line of JSON, the page's number before all else. The text goes from bytes to bytes and is no string. */
export function encodeVerdict(judged: JudgedPage, number: number): Uint8Array {
  const { page, tree, title, ranges } = judged;
  const text = renderJsonText(tree, ranges);
  verdictLines.clear();
  verdictLines.add(
    addVerdict(addTextRow({ page: number, snapshot: '' }, page, { title, text: '' }), judged),
    text,
  );
  // not `slice`: that of a Buffer is a view
  return new Uint8Array(verdictLines.lines);
}

function addVerdict<Row extends TextRow>(row: Row, { sections, shares }: JudgedPage): Row & PageVerdictRow {
  return Object.assign(row, {
    templateText: shareOf(shares.templateTextBytes, shares.textBytes),
    templateHtml: shareOf(shares.templateHtmlBytes, shares.htmlBytes),
    templateLinks: shareOf(shares.templateLinks, shares.links),
    sections: sections.map(({ start, end, score, label, words, place }) => ({
      start,
      end,
      score: rounded(score),
      label,
      words,
      place,
    })),
  });
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : rounded(part / whole);
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
