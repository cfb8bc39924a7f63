/** Metadata of a page besides its text, and the source of each value. */

/** Kinds of pages; a page that fits none of them has no type. */
const PAGE_TYPES = [
  'article',
  'forum',
  'listing',
  'product',
  'documentation',
  'service',
  'collection',
] as const;
/** One of PAGE_TYPES. */
export type PageType = (typeof PAGE_TYPES)[number];

/** Sources of metadata values. */
const METADATA_SOURCES = [
  /** A slot of the site's template that holds such a value on nearly every page. */
  'slot',
  'json-ld',
  'microdata',
  'open-graph',
  'meta',
  /** A `time` element. */
  'time',
  /** A `link` or `a` element with `rel`. */
  'link',
  /** The `title` element. */
  'title',
  /** The visible text of the page. */
  'text',
  /** The `lang` attribute or a header that names a language. */
  'declared',
  'url',
  /** The other pages of the site. */
  'site',
  /** A value that the page hands to its scripts. */
  'script',
] as const;
/** One of METADATA_SOURCES. */
export type MetadataSource = (typeof METADATA_SOURCES)[number];

/** Metadata of one page; a field is absent if no value was found. */
export interface PageMetadata {
  /** ISO 639-1 code, or the ISO 639-3 code of a language without one. */
  language?: string;
  /** Names of the authors, separated by `; `. */
  author?: string;
  /** ISO 8601, as precise as the page gives it: `2019-10`, `2019-10-31`, `2019-10-31T12:00:00+01:00`. */
  published?: string;
  /** Time of the last change, in the form of `published`. */
  modified?: string;
  /** Summary that the page declares. */
  description?: string;
  /** Absolute URL with http or https. */
  canonical?: string;
  /** Absolute URL of the main picture. */
  image?: string;
  /** Absolute URL of the licence. */
  licence?: string;
  /** Name of the site, such as that of a newspaper. */
  siteName?: string;
  /** Kind of the page; absent if it fits none. */
  type?: PageType;
  /** Number of words of the kept text; of characters in scripts that put no spaces between words. */
  words: number;
  /** Share of these words that are inside links, 0 to 1. */
  linkDensity: number;
  /** The source of each value above, and of the title of the row. */
  sources: Partial<Record<SourcedField, MetadataSource>>;
}

/** Fields of the metadata whose source is recorded. */
export type SourcedField = Exclude<keyof PageMetadata, 'words' | 'linkDensity' | 'sources'> | 'title';

/** Names that the pages of a site share, learnt with the model of the site. */
export interface SiteNames {
  /**
   * Suffixes and prefixes that the titles of the site's pages share, with their separators: ` - Example
   * News`.
   */
  titleEnds: readonly string[];
  titleStarts: readonly string[];
}

/** The names of a site about which nothing has been learnt. */
export const NO_SITE_NAMES: SiteNames = { titleEnds: [], titleStarts: [] };
