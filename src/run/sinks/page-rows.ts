/**
 * The rows of labelled pages that `strip`, `label`, `annotate` and `page` write, in every format. All page contents are
 * rendered here, except text for JSON lines, which sinks render as bytes.
 */

import { gzipSync } from 'node:zlib';
import { type PageFindings, readMetadata, type WantedMetadata } from '../../metadata/read-metadata.ts';
import type { Explanation } from '../../model/explanation.ts';
import type { PageMetadata, SiteNames } from '../../model/metadata.ts';
import type { Page } from '../../model/page.ts';
import { joinSlots, type Range } from '../../model/range.ts';
import { wellFormedJson } from '../../model/well-formed-json.ts';
import { readTitle } from '../../parse/title.ts';
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

/** Contents of rows; `templates` adds a row for every template, once per site. */
export type RowContentKind = 'text' | 'markdown' | 'html' | 'annotated' | 'ranges' | 'templates';

/** Requested rows, by their contents. */
export interface WantedRows {
  want: RowContentKind[];
  /** Keep all text and mark what is not content. @default false */
  mark?: boolean;
  /** Drop the slots of templates from rendered content. @default false */
  dropSlots?: boolean;
  /** Add the evidence behind the labels of the first detector, if it gives it. @default false */
  explain?: boolean;
}

/** The formats of `chaff strip`. */
export const ROW_FORMATS = ['jsonl', 'text', 'markdown', 'html', 'warc', 'dolma'] as const;
/** One of `ROW_FORMATS`. */
export type RowFormat = (typeof ROW_FORMATS)[number];
/** Formats with one document per page. */
export type DocumentFormat = Extract<RowFormat, 'text' | 'markdown' | 'html'>;

/** Formats of a single page: also gzipped WARC records, one member each, and the rows of `chaff label`. */
export type PageFormat = RowFormat | 'warc.gz' | 'ranges';

/** Requested rows as encoded bytes. */
export interface WantedPages extends Pick<WantedRows, 'mark' | 'dropSlots' | 'explain'> {
  format: PageFormat;
}

/** The content that each format needs in a row. */
export const CONTENT_OF: Record<PageFormat, RowContentKind> = {
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
  /** Number of the page in the run, from 1. */
  page: number;
  snapshot: string;
  /** Self-contained HTML with coloured ranges, and the share of text of each label. */
  annotated?: { html: string; shares: LabelShares };
  /** Ranges by detector. */
  ranges?: Record<string, Range[]>;
  /** The evidence behind the labels of the first detector. */
  explanation?: Explanation;
}

/** A template with its text, once per site. */
export interface RowOfTemplate {
  kind: 'template';
  site: string;
  template: string;
  detector: string;
  text: string;
  reason: string;
  /** The first page that has the template. */
  url: string;
  time: string;
}

/** A row of a label stream. */
export type StreamRow = PageRow | RowOfTemplate;

/** A labelled page, as input for its row. */
export interface RowPage {
  page: Omit<Page, 'source'>;
  tree: Tree;
  /** What the titles of the site share; absent for a page judged alone. */
  names?: SiteNames;
  findings?: PageFindings;
  number: number;
  snapshot: string;
  /** Verdicts by detector; the first one decides what is kept. */
  verdicts: { detector: string; ranges: Range[]; explanation?: Explanation }[];
}

/** Maximum characters of a template's text in its row. */
const TEMPLATE_CHARACTERS = 100_000;
/** File name of the index that annotated pages link to. */
export const ANNOTATE_INDEX = 'index.html';

/** Renders the wanted contents of a page as strings. */
export function renderContent(
  { page, tree, ranges }: { page: Omit<Page, 'source'>; tree: Tree; ranges: readonly Range[] },
  want: readonly RowContentKind[],
  { mark = false } = {},
): { text: string; markdown?: string; html?: string } {
  return {
    text: want.includes('text') ? renderText(tree, ranges, { mark }) : '',
    markdown: want.includes('markdown') ? renderMarkdown(tree, ranges, page) : undefined,
    html: want.includes('html') ? renderHtml(tree, ranges, page) : undefined,
  };
}

/** Contents whose rows have metadata. */
const DESCRIBED: ReadonlySet<RowContentKind> = new Set(['text', 'markdown', 'html']);

/** Title and metadata of a page, by the verdict that decides what is kept. */
export function describePage(
  {
    page,
    tree,
    names,
    findings,
    verdicts,
  }: Pick<RowPage, 'page' | 'tree' | 'names' | 'findings' | 'verdicts'>,
  options?: WantedMetadata,
) {
  return readMetadata({ page, tree, ranges: verdicts[0].ranges, site: names, findings }, options);
}

/** The metadata that a row needs: all, only the language, or none because the format has no place for it. */
function metadataOf(labelled: RowPage, { want, format }: WantedRows & { format?: PageFormat }) {
  if (format === 'text') return { title: '' };
  if (format === 'warc' || format === 'warc.gz') return describePage(labelled, { onlyLanguage: true });
  return want.some((content) => DESCRIBED.has(content))
    ? describePage(labelled)
    : { title: readTitle(labelled.tree) };
}

/** Makes the row of a labelled page with the wanted content; a row for one format has only what that format writes. */
export function pageRow(labelled: RowPage, wanted: WantedRows & { format?: PageFormat }): PageRow {
  const { want, mark = false, dropSlots = false } = wanted;
  const { page, tree, number, snapshot, verdicts } = labelled;
  const [{ detector }] = verdicts;
  const ranges = dropSlots ? joinSlots(verdicts[0].ranges) : verdicts[0].ranges;
  const row: PageRow = addTextRow({ kind: 'page', page: number, snapshot }, page, {
    ...metadataOf(labelled, wanted),
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

/** Rows of the page's templates that are not in `seen`; templates without text are left out. */
export function newTemplateRows({ page, tree, verdicts }: RowPage, seen: Set<string>): RowOfTemplate[] {
  const rows: RowOfTemplate[] = [];
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

/** Encodes a row for a file with many pages. */
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

/** Renders a row as a document of its own. */
export function documentOf(row: PageRow, format: DocumentFormat): string {
  if (format === 'text') return `${row.text}\n`;
  if (format === 'html') return `${row.html ?? ''}\n`;
  const { url, time, site, title, markdown = '', metadata } = row;
  const { words: _w, linkDensity: _l, sources: _s, ...known } = metadata ?? ({} as Partial<PageMetadata>);
  return `${renderFrontMatter({ url, time, site, title, ...known })}${markdown}\n`;
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

/** A page judged alone: its text, its sections, and its template shares. */
interface PageVerdictRow extends TextRow {
  /** Template shares, 0 to 1: of its bytes of text, of its bytes of HTML and of its links. */
  templateText: number;
  templateHtml: number;
  templateLinks: number;
  sections: PlacedSection[];
}

/** Encodes a page that was judged alone, in a format or as a JSON row with the wanted content. */
export function encodeJudged(
  judged: JudgedPage,
  number: number,
  output: WantedRows | WantedPages,
): Uint8Array {
  const format = 'format' in output ? output.format : undefined;
  if (format === 'jsonl') return encodeVerdict(judged, number);
  const [want] = 'want' in output ? output.want : [CONTENT_OF[output.format]];
  const row: PageRow = { kind: 'page', page: number, snapshot: '', ...pageVerdictRow(judged, want) };
  return format ? encodePage(row, format) : line(row);
}

/** Makes the row of a page that was judged alone. */
function pageVerdictRow(judged: JudgedPage, want: RowContentKind): PageVerdictRow {
  const { page, tree, ranges } = judged;
  const described = readMetadata({ page, tree, ranges });
  return addVerdict(
    textRow(page, { ...described, ...renderContent({ page, tree, ranges }, [want]) }),
    judged,
  );
}

const verdictLines = new JsonRows(1 << 16);

/**
 * Encodes the same row as a JSON line that begins with the page's number. The text is copied as bytes without a string.
 */
function encodeVerdict(judged: JudgedPage, number: number): Uint8Array {
  const { page, tree, ranges } = judged;
  const { title, metadata } = readMetadata({ page, tree, ranges });
  const text = renderJsonText(tree, ranges);
  verdictLines.clear();
  verdictLines.add(
    addVerdict(addTextRow({ page: number, snapshot: '' }, page, { title, metadata, text: '' }), judged),
    text,
  );
  // not `slice`, which gives a view for a Buffer
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
