/**
 * Declares the tables of the output folder. The names, types and order of the columns are an interface and do not
 * change; docs/reference/output-folder.md has the same descriptions (test/output-folder-docs.test.ts).
 */
import {
  bool,
  type ColumnSpec,
  type ColumnType,
  f32,
  f64,
  i64,
  type Table,
  table,
  text,
  texts,
  u32,
  word,
} from './table.ts';

/** Columns of a labelled page that every run has; `pageColumns` adds those of the detectors that ran. */
export const PAGE_COLUMNS = {
  page: u32('number of the page in this run; joins the tables'),
  site: text('the group the page belongs to (`--site`): by default its host without `www.`'),
  snapshot: text(
    'the captures of the site that were compared (`--snapshot`): their first day, year, month or day; `all`; `undated`',
  ),
  url: text('URL of the capture'),
  url_key: text(
    'the same for all captures of a page: the URL without scheme, `www.`, case and session ([history.md](../research/history.md#what-is-compared))',
  ),
  time: text('time of the capture'),
  title: text('the title without the name of the site'),
  file: text('name of the input file, as given'),
  entry: text('name within a zip, WACZ or folder'),
  offset: i64('byte in the file where the record of the capture begins'),
  length: i64('bytes of the record in the file, compressed'),
  record_id: text('`WARC-Record-ID`'),
  payload_digest: text('`WARC-Payload-Digest` of the record'),
  charset: text('charset in which the body was read'),
  mime: text('declared media type, lower case, without parameters'),
  html_bytes: u32('bytes of source'),
  text_bytes: u32('bytes of detagged text, white space collapsed'),
  links: u32('links: elements with an address'),
  nodes: u32('nodes of the tree'),
  exact: bool('the page has misnested formatting, which was repaired as browsers do'),
  problems: text("codes of the page's problems, sorted, separated by spaces"),
};

/** Columns that `pages` has once per detector, under its name. */
const DETECTOR_COLUMNS = {
  '<detector>_html_bytes': u32('bytes of source inside templates'),
  '<detector>_text_bytes': u32('bytes of text inside templates'),
  '<detector>_links': u32(
    'links inside templates: those whose first word is there; for links without words, and with `--links-by tag`, those whose start tag is there',
  ),
  '<detector>_unsure': bool(
    'the site had too few pages or almost nothing would be left, and the page alone did not decide either (or `--fallback unsure`): template is labelled `unsure` and kept',
  ),
  '<detector>_html_share': f32('`<detector>_html_bytes` / `html_bytes`; 0 when the page has no HTML'),
  '<detector>_text_share': f32('`<detector>_text_bytes` / `text_bytes`; 0 when the page has no text'),
  '<detector>_link_share': f32('`<detector>_links` / `links`, 0 when there are none'),
};

/** One row per labelled page, in `pages/`; the columns with `<detector>` repeat for each detector. */
const PAGES = table('pages', { ...PAGE_COLUMNS, ...DETECTOR_COLUMNS });

/**
 * Returns the columns of `pages` for the given detectors: byte and link counts of every detector first, then their
 * shares.
 */
export function pageColumns(detectors: readonly string[]): PageColumns {
  const columns: Record<string, ColumnSpec<ColumnType>> = { ...PAGE_COLUMNS };
  for (const isShare of [false, true]) {
    for (const detector of detectors) {
      for (const [name, column] of Object.entries(DETECTOR_COLUMNS)) {
        if (name.endsWith('_share') === isShare) columns[name.replace('<detector>', detector)] = column;
      }
    }
  }
  return columns as PageColumns;
}

type DetectorColumn = keyof typeof DETECTOR_COLUMNS extends `<detector>_${infer Name}` ? Name : never;

/** Columns of `pages` for any detectors. */
export type PageColumns = typeof PAGE_COLUMNS & {
  readonly [Name in DetectorColumn as `${string}_${Name}`]: (typeof DETECTOR_COLUMNS)[`<detector>_${Name}`];
};

/** One row per range of a page and detector, in `ranges/`; the ranges of one detector tile the page. */
export const RANGES = table('ranges', {
  page: u32('the page'),
  detector: word('name of the detector'),
  start: u32('first byte in the source'),
  end: u32('one past the last byte; write `"end"` in SQL, where `end` is a keyword'),
  label: word('`template`, `slot` (changing content inside a template), `content` or `unsure`'),
  score: f32('confidence of the label, from 0 to 1'),
  template: word("the template's id, 16 hexadecimal digits; empty for content"),
  reason: word('reason for readers: "on 187 of 200 pages"'),
  role: word('role of the text, by `joint`: `title`, `comments` and so on; else empty'),
});

/** One row per template of a site and detector, in `templates/`. */
const TEMPLATES = table('templates', {
  site: text('the site'),
  detector: text('name of the detector'),
  template: text('id of the template: a hash of its content, the same in every run'),
  pages: u32('pages that have it, all captures of a page counted once'),
  occurrences: i64('occurrences on all captures'),
  size_bytes: i64('mean size in source'),
  total_bytes: i64('bytes of source in all occurrences'),
  latest_occurrences: i64('occurrences on the latest capture of each page'),
  latest_bytes: i64('bytes of source in these occurrences'),
  first_seen: text('time of the earliest capture that has it'),
  last_seen: text('time of the latest capture that has it'),
  text: text('beginning of its text on the first page that has it'),
  links: u32('links in it on that page'),
  targets: texts('targets of these links on the site, each once, at most 100'),
  role: text(
    'kind of element on that page: `head`, `header`, `menu`, `breadcrumb`, `contents`, `sidebar`, `related`, `comments`, `form`, `footer`, `legal`, `title`, `byline`, `date`, `caption`, `code`, `facts`; `markup` without text, `block` for any other text',
  ),
  place: text('the element that contains it on that page, with up to two ancestors: `div#top > nav.main`'),
});

/** One row per page with its main text, as JSON lines in `text/`. */
export const TEXT = table('text', {
  page: u32('the page'),
  snapshot: text('as in `pages`'),
  url: text('as in `pages`'),
  time: text('as in `pages`'),
  timestamp: text('`time` as 14 digits'),
  site: text('as in `pages`'),
  title: text('as in `pages`'),
  metadata: text('language, author, dates and so on as JSON: [below](#metadata)'),
  text: text(
    'main text: a line per block, character references decoded, templates left out, `slot` and `unsure` kept',
  ),
  markdown: text('main text as Markdown; only with `--markdown`'),
  file: text('as in `pages`'),
  entry: text('as in `pages`; absent when the file has no entries'),
  offset: i64('as in `pages`'),
  length: i64('as in `pages`'),
  recordId: text('`record_id` of `pages`'),
  payloadDigest: text('`payload_digest` of `pages`'),
  mime: text('as in `pages`'),
  charset: text('as in `pages`'),
});

/** Fields of `metadata` in a text row; Parquet files of text rows have them as columns. */
export const METADATA = table('metadata', {
  language: text(
    'ISO 639-1 code, or the ISO 639-3 code of a language without one. The words of the text decide; between similar languages, what the page declares decides',
  ),
  author: text('names, separated by `; `'),
  published: text('ISO 8601, as precise as on the page: a month, a day, a time with or without zone'),
  modified: text('in the same form'),
  description: text('description that the page gives of itself'),
  canonical: text('absolute address that the page gives as its own'),
  siteName: text('name of the site'),
  image: text('absolute address of the picture that represents the page'),
  licence: text('address of the licence'),
  type: text(
    '`article`, `forum`, `listing`, `product`, `documentation`, `service` or `collection`; absent when unknown',
  ),
  words: u32('words of the main text; characters in scripts without spaces between words'),
  linkDensity: f32('share of these words inside links, from 0 to 1'),
  sources: text('source of `title` and of each field above'),
});

/** One row per fault of the input, in `problems.jsonl`. */
export const PROBLEMS = table('problems', {
  code: text('see [below](#codes)'),
  message: text('one sentence: what was found and what was done about it'),
  file: text('name of the input file, as given'),
  entry: text('name within a zip, WACZ or folder'),
  offset: i64('byte in the file where the fault was found'),
  url: text('of the capture'),
  time: text('of the capture'),
  site: text('of the capture'),
});

/**
 * Columns of `groups.jsonl`: output of `chaff groups --members --format jsonl` that a user has put into the folder.
 */
export const GROUPS = table('groups', {
  site: text('the site'),
  group: u32('number of the layout on its site'),
  url: text('of the capture'),
  time: text('of the capture'),
  similarity: f64('similarity to the typical page of the group, from 0 to 1'),
});

/** Columns of `changes.jsonl`: output of `chaff changes --format jsonl` that a user has put into the folder. */
export const CHANGES = table('changes', {
  class: text('redesign, smaller-change, template, slot or content'),
  site: text('the site'),
  snapshot: text('of the newer captures'),
  since: text('day of the latest earlier capture'),
  first: text('day of the first newer capture'),
  last: text('day of the last newer capture'),
  pages: u32('URLs with this change'),
  compared: u32('URLs that were compared'),
  kind: text('added, removed or changed'),
  place: text('the changed element and its ancestors'),
  old: text('text before'),
  new: text('text after'),
  blocks: u32('blocks of text'),
  newWords: u32('words that appeared'),
  lostWords: u32('words that disappeared'),
  newTemplateShare: f64('of a redesign: share of template words that are new'),
  layoutSimilarity: f64('of a redesign: similarity of the layouts'),
  designKept: f64('of a redesign: share of the design that was kept'),
  linksKept: f64('of a redesign: share of the common links that was kept'),
  why: text('which of words, layout, design and links show it'),
  confidence: f64('of a redesign, from 0 to 1'),
  url: text('of the page, or of the first page'),
  time: text('of its capture'),
});

/** One row per whole template of a site, in `study/`. */
export const AGGREGATES = table('aggregates', {
  site: text('the site'),
  detector: text('name of the detector'),
  aggregate: u32('number of the whole template on the site, from 1, in the order of finding'),
  templates: texts('ids of its parts, in their order on the page'),
  hashes: u32('number of its parts'),
  pages: u32('pages that have it, by the latest capture of each'),
  occurrences: i64('occurrences on them'),
  total_bytes: i64('bytes of source that it covers on them'),
  covered_bytes: i64('bytes covered by this one and those before it'),
  all_bytes: i64('bytes of all templates of these pages'),
  hashes_so_far: u32('distinct parts of this one and those before it'),
  covered_share: f32('`covered_bytes` / `all_bytes`'),
});

/** One row per schema of a site and detector, in `study/`. */
export const SCHEMAS = table('schemas', {
  site: text('the site'),
  detector: text('name of the detector'),
  schema: u32('number of the schema on its site, from 1, the one with the most pages first'),
  pages: u32('captures with this schema'),
  share: f32('share of the captures of the site that have a template'),
  pattern: text('what their URLs have in common; the name of the schema'),
  typical_page: u32('a typical page; joins `pages`'),
  templates: texts('ids of the templates of that page, in order'),
  outlier: bool('hardly any page has it'),
});

/** The schema of each page that has one, by detector, in `study/`. */
export const PAGE_SCHEMAS = table('page_schemas', {
  page: u32('the page'),
  detector: text('name of the detector'),
  schema: u32('the schema on its site'),
  likeness: f32('similarity to the typical page, from 0 to 1'),
});

/** One row per box of the wireframe of a page, in `study/`. */
export const WIREFRAMES = table('wireframes', {
  site: text('the site'),
  snapshot: text('as in `pages`'),
  page: u32('the page; joins `pages`'),
  box: u32('number of the box on the page, from 1, in document order'),
  role: text('as in `templates`, or `content`'),
  template: text('the largest template in the box, by the first detector; empty for content'),
  left: u32('estimated pixels from the left edge of a window 1,280 pixels wide'),
  top: u32('pixels from the top of the page'),
  width: u32('width in pixels'),
  height: u32('height in pixels'),
  page_height: u32('height of the page'),
});

/** Categories of sites from the file of `--categories`, in `study/`. */
export const CATEGORIES = table('categories', {
  site: text('the site'),
  category: text('one of its categories'),
});

/** Collections of sites from the file of the user, in `study/`. */
export const COLLECTIONS = table('collections', {
  site: text('the site'),
  collection: text('one of its collections'),
});

/** One row per site snapshot and setting of a detector that was compared, in `study/`. */
export const SETTINGS = table('settings', {
  site: text('the site'),
  snapshot: text('as in `pages`'),
  settings: text('W.F.D.P, or `dom` for the dom detector'),
  pages: u32('pages that were learnt from'),
  windows: i64('windows to count on these pages; for `dom`, nodes'),
  text_share: f32('share of the text inside templates, mean over these pages'),
});

/** One row per capture with its change since the previous capture of the page, in `history/`. */
const HISTORY_CAPTURES = table('history_captures', {
  page: u32('the capture; joins `pages`'),
  url_key: text('as in `pages`'),
  moment: i64('time of the capture in seconds since 1970'),
  template_value: text('hash of the words inside templates, in order; empty without such words'),
  rest_value: text('hash of the other words'),
  words: u32('distinct words of the page'),
  rest_words: u32('distinct words outside templates'),
  previous: u32('the previous capture of the page; null for the first'),
  days: f64('days since the previous capture'),
  change: f64('magnitude of the change since the previous capture, from 0 to 1'),
  rest_change: f64('the same without templates'),
});

/** One row per run of captures of a page with the same value, in `history/`. */
const HISTORY_VALUES = table('history_values', {
  site: text('the site'),
  url_key: text('the page'),
  region: text('`template` or `rest`'),
  value: text('the value'),
  captures: u32('successive captures with this value'),
  first_moment: i64('time of the first, in seconds since 1970'),
  last_moment: i64('time of the last, in seconds since 1970'),
  bracketed: bool(
    'both its appearance and its end were captured: it is neither the first nor the last value of the page',
  ),
  begins: f64('midpoint of its first capture and the one before; null for the first run'),
  ends: f64('midpoint of its last capture and the one after; null for the last run'),
  days: f64('from `begins` to `ends`; null unless bracketed'),
});

/** One row per redesign or smaller change of a site, in `history/`. */
export const HISTORY_REDESIGNS = table('history_redesigns', {
  site: text('the site'),
  snapshot: text('the first snapshot of the new design'),
  since: text('last day of the old design'),
  first: text('first day of the new design'),
  pages: u32('URLs that were compared; pages of the snapshot when none could be'),
  class: text('`redesign` or `smaller-change`'),
  why: text('the measures that show it: some of `words`, `layout`, `design`, `links`'),
  confidence: f32('confidence that the site was redesigned, from 0 to 1; a redesign has at least 0.5'),
  changed: text(
    'changed share of each measure, such as `words 0.03 layout 0.12 design 0.07 links 0.59`, without those that could not be computed',
  ),
});

/** One row per class of shared fragments, in `fragments/`. */
const FRAGMENT_CLASSES = table('fragment_classes', {
  relation: text('`complete` or `structural`'),
  class: text('id of the class, 16 hexadecimal digits: a hash of its content, the same in every run'),
  kind: text('`primitive`: one element; `composite`: several adjacent elements'),
  parts: u32('elements of each member'),
  pages: u32('pages that have it'),
  members: u32('number of its occurrences'),
  sites: u32('sites of those pages'),
  avg_bytes: f64('mean bytes of source of a member'),
  avg_complete_bytes: f64(
    "mean bytes of a member that are compared: names, attributes, values and texts. `--min-bytes` limits this size for *complete*; the paper's AvgSize",
  ),
  structural_bytes: u32(
    'bytes of names and attribute names of a member. `--min-bytes` limits this size for *structural*',
  ),
  saved_bytes: i64('bytes of source of all members minus one of mean size'),
  place: text('element of the first member; empty beyond the 1,000 classes of a relation that save the most'),
  text: text('a line of its text; empty beyond the same 1,000 classes'),
  page: u32('the page of the first member'),
  site: text('site of that page'),
  url: text('URL of that page'),
});

/** One row per member of a class, in `fragments/`. */
const FRAGMENT_MEMBERS = table('fragment_members', {
  relation: text('as in `fragment_classes`'),
  class: text('as in `fragment_classes`'),
  page: u32('the page'),
  node: u32('its first node, in document order'),
  sibling: u32('one past its last node'),
  parent: u32('the parent element; 0, the document, for the root'),
  start: u32('first byte in the source'),
  end: u32('one past the last byte; of a composite, of its last part'),
  complete_bytes: u32("bytes compared, as in `avg_complete_bytes`; the paper's CompleteSize"),
  start_line: u32(
    'line of `start`, from 1; lines end with a line feed or, in pages without one, with a carriage return',
  ),
  start_column: u32('column of `start`, from 1, in bytes of the UTF-8 source'),
  end_line: u32('line of `end`'),
  end_column: u32('column of `end`'),
});

/** One row per page of a fragment analysis with its shared bytes, in `fragments/`. */
const FRAGMENT_PAGES = table('fragment_pages', {
  page: u32('number of the page in this run'),
  site: text('the group the page belongs to'),
  url: text('URL of the capture'),
  time: text('time of the capture'),
  file: text('name of the input file, as given'),
  entry: text('name within a zip, WACZ or folder'),
  offset: i64('byte in the file where the record of the capture begins'),
  length: i64('bytes of the record there'),
  html_bytes: u32('bytes of source'),
  complete_fragments: u32('members of complete classes on the page'),
  complete_shared_bytes: u32('bytes of source in them, each byte once'),
  complete_share: f32('`complete_shared_bytes` / `html_bytes`; 0 when the page has no HTML'),
  structural_fragments: u32('the same for structural classes'),
  structural_shared_bytes: u32('bytes of source in them, each byte once'),
  structural_share: f32('`structural_shared_bytes` / `html_bytes`; 0 when the page has no HTML'),
});

/**
 * Columns of the first page of a task that has a template, with the template's text and links on that page. The
 * file is removed when the run is finished.
 */
export const SIGHTING_COLUMNS = {
  site: text(),
  detector: word(),
  template: text(),
  page: u32(),
  text: text(),
  /** Links in the template, and the addresses of those that stay on the site, separated by newlines. */
  links: u32(),
  targets: text(),
  role: word(),
  place: text(),
};

/** All tables that docs/reference/output-folder.md documents, in its order. */
export const OUTPUT_TABLES: readonly Table[] = [
  PAGES,
  RANGES,
  TEMPLATES,
  TEXT,
  METADATA,
  PROBLEMS,
  AGGREGATES,
  SCHEMAS,
  PAGE_SCHEMAS,
  WIREFRAMES,
  CATEGORIES,
  COLLECTIONS,
  SETTINGS,
  HISTORY_CAPTURES,
  HISTORY_VALUES,
  HISTORY_REDESIGNS,
  FRAGMENT_CLASSES,
  FRAGMENT_MEMBERS,
  FRAGMENT_PAGES,
];
