/** The forms that rows of labelled pages have, by name. */

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
