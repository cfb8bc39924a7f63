/**
 * The columns of the tables, in one place. `pages`, `ranges` and `templates` are the interface of the output
 * folder; `survey` and `sightings` pass between the stages of a run and are gone when it is finished.
 */
import type { Schema } from './column-buffer.ts';

/** One capture as the survey met it. */
export const SURVEY_SCHEMA = {
  /** Ordinal of the input in the sorted list of inputs. */
  input: 'UINTEGER',
  file: 'WORD',
  entry: 'WORD',
  offset: 'BIGINT',
  length: 'BIGINT',
  url: 'VARCHAR',
  site: 'WORD',
  time: 'VARCHAR',
  status: 'USMALLINT',
  mime: 'WORD',
  record_id: 'VARCHAR',
  payload_digest: 'VARCHAR',
  /** Seeded hash of the URL: the sample of a site is its smallest ones. */
  url_hash: 'UBIGINT',
  /** Hash of the key of its page: the same for all captures of a page, however their URLs are written. */
  page_hash: 'UBIGINT',
  /** Why it gives no page; empty when it may. */
  skip: 'WORD',
  revisit: 'BOOLEAN',
  revisit_digest: 'VARCHAR',
  revisit_url: 'VARCHAR',
  revisit_time: 'VARCHAR',
} as const satisfies Schema;

/** One labelled page; `pageSchema` adds the columns of the detectors that ran. */
const PAGE_COLUMNS = {
  page: 'UINTEGER',
  site: 'VARCHAR',
  snapshot: 'VARCHAR',
  url: 'VARCHAR',
  /** What captures of one page agree in: model/page-key.ts. */
  url_key: 'VARCHAR',
  time: 'VARCHAR',
  title: 'VARCHAR',
  file: 'VARCHAR',
  entry: 'VARCHAR',
  offset: 'BIGINT',
  length: 'BIGINT',
  record_id: 'VARCHAR',
  payload_digest: 'VARCHAR',
  charset: 'VARCHAR',
  mime: 'VARCHAR',
  html_bytes: 'UINTEGER',
  text_bytes: 'UINTEGER',
  links: 'UINTEGER',
  nodes: 'UINTEGER',
  exact: 'BOOLEAN',
  /** Codes of the page's problems, sorted, separated by spaces. */
  problems: 'VARCHAR',
} as const satisfies Schema;

export function pageSchema(detectors: readonly string[]): Schema {
  const schema: Record<string, Schema[string]> = { ...PAGE_COLUMNS };
  for (const detector of detectors) {
    for (const part of INSIDE_PARTS) schema[`${detector}_${part}`] = 'UINTEGER';
    schema[`${detector}_unsure`] = 'BOOLEAN';
  }
  for (const detector of detectors) {
    for (const share of SHARES) schema[`${detector}_${share}`] = 'FLOAT';
  }
  return schema;
}

/** What lies inside templates: `dom_html_bytes`, `dom_text_bytes`, `dom_links`. */
const INSIDE_PARTS = ['html_bytes', 'text_bytes', 'links'] as const;

/** The shares of the page that those sums are, in the same order: `dom_html_share`, `dom_text_share`, `dom_link_share`. */
const SHARES = ['html_share', 'text_share', 'link_share'] as const;

export const RANGE_SCHEMA = {
  page: 'UINTEGER',
  detector: 'WORD',
  start: 'UINTEGER',
  end: 'UINTEGER',
  label: 'WORD',
  score: 'FLOAT',
  /** 16 hexadecimal digits; empty for content. */
  template: 'WORD',
  reason: 'WORD',
} as const satisfies Schema;

/** The first page of a task that shows a template, with the text and the links it has there. */
export const SIGHTING_SCHEMA = {
  site: 'VARCHAR',
  detector: 'WORD',
  template: 'VARCHAR',
  page: 'UINTEGER',
  text: 'VARCHAR',
  /** Links in it, and the addresses of those that stay on the site, separated by newlines. */
  links: 'UINTEGER',
  targets: 'VARCHAR',
} as const satisfies Schema;
