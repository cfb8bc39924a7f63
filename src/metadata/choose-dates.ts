/**
 * Chooses the days on which a page was published and changed from all its evidence. A template slot that holds a day on
 * every page of the site comes first, then the markup, then `time` elements and days beside the headline, then the URL.
 * Other evidence decides how `03/04/2019` is read: the same day elsewhere on the page, other dates of the site's slot,
 * or the language of the page.
 */
import type { MetadataSource } from '../model/metadata.ts';
import { dayOf, type FoundDate, findDates, isoOf, otherReading, readDate } from './dates.ts';
import type { PageFacts } from './page-facts.ts';

/** The evidence for a page's dates. */
export interface DateContext {
  facts: PageFacts;
  url: string;
  /** When the page was captured; later days are rejected. Empty if unknown. */
  captured: string;
  language: string;
  /**
   * Texts of blocks: in date slots, with the roles `date` and `byline`, and beside the headline; nearest to it first.
   */
  slotTexts: readonly string[];
  dateTexts: readonly string[];
  nearTexts: readonly string[];
  /** Other texts that may hold a day; computed on demand. */
  anyTexts: () => readonly string[];
  /** A day in the scripts of the page; searched only if nothing else gives one. */
  scriptDate: () => string | undefined;
  /** `time` elements inside the text and not in comments or lists, nearest to the headline first. */
  times: readonly { value: string; text: string; isUpdate: boolean }[];
  /** Position of the day in the slot's `12/04/2019`: 1 first, -1 second, 0 unknown. */
  slotOrder: number;
}

/** A date as ISO 8601 with its source. */
export interface ChosenDate {
  value: string;
  source: MetadataSource;
}

/** Names of `meta` elements, most trusted first. */
const PUBLISHED = namesBySource(
  ['open-graph', 'article:published_time og:published_time og:article:published_time og:pubdate'],
  [
    'meta',
    'datepublished date_published article.published parsely-pub-date sailthru.date pubdate publishdate publish_date publish-date published published_time publication_date publicationdate citation_publication_date citation_date citation_online_date dc.date.issued dcterms.issued dcterms.created dc.date.created dc.created datecreated created article.created article_date_original originalpublicationdate rnews:datepublished displaydate ptime bt:pubdate cxenseparse:recs:publishtime shareaholic:article_published_time weibo:article:create_at release_date doc_date article:publicationdate',
  ],
  ['meta', 'date dc.date dcterms.date dc:date eprints.date content_date timestamp'],
);
const MODIFIED = namesBySource(
  ['open-graph', 'article:modified_time og:updated_time og:article:modified_time'],
  [
    'meta',
    'datemodified date_modified dcterms.modified dc.date.modified dc.modified lastmod last-modified last_modified lastmodified modified revised updated article.updated utime weibo:article:update_at',
  ],
);
/** Parts the names of `meta` elements at blanks. */
function namesBySource(
  ...lists: [source: MetadataSource, names: string][]
): [source: MetadataSource, names: string[]][] {
  return lists.map(([source, names]) => [source, names.split(' ')]);
}
/** A day in the URL is preferred if it is earlier by more than this number of days. */
const MOVED_DAYS = 14;
const PUBLISHED_ITEMS = ['datepublished', 'dc:date', 'dc:created', 'datecreated'];
/** Year, month and perhaps day in a path: /2019/10/31/, /2019-10-31-title, /20191031/. */
const URL_DAY = /[/_.=-]((?:19|20)\d\d)[/_.-]?(0[1-9]|1[0-2])[/_.-]?(0[1-9]|[12]\d|3[01])(?!\d)/;
const IMAGE_DAY =
  /[/_-](20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d\d{0,3})?\D/;
const URL_SPACED_DAY = /\/((?:19|20)\d\d)\/(\d{1,2})\/(\d{1,2})(?:\/|$)/;

/** Words before the day of a change: `Last updated on`, `Zuletzt geändert am`, `Stand:`. */
const UPDATED =
  /(?:\b(?:updat|modifi|edited|revis|changed|aktuali|geändert|bearbeitet|stand\b|mis à jour|màj|actuali|aggiornat|modificat|bijgewerkt|gewijzigd|edytowan|zmodyfik|uppdater|oppdater|opdater|senast ändrad)|обновл|измен|ενημέρ|更新|修改|수정)\p{L}*[^\d\p{L}]{0,6}(?:\p{L}{1,9}[ :,]{1,3}){0,3}$/iu;

/** The first date whose day is known; else the first that is only a month. */
function firstDay(sources: readonly (() => ChosenDate | undefined)[]): ChosenDate | undefined {
  let month: ChosenDate | undefined;
  for (const source of sources) {
    const date = source();
    if (date && date.value.length > MONTH_LENGTH) return date;
    month ??= date;
  }
  return month;
}

/** Characters of `2019-10`. */
const MONTH_LENGTH = 7;

/** Chooses the dates of publication and of change from a page's evidence. */
export class DateChooser {
  readonly #context: DateContext;
  readonly #latest: string;
  readonly #trusted = new Set<string>();
  readonly #found = new Map<string, FoundDate[]>();

  constructor(context: DateContext) {
    this.#context = context;
    this.#latest = nextDay(context.captured);
    const { facts, url } = context;
    for (const value of [facts.jsonLd.published, facts.meta.get('article:published_time'), urlDay(url)]) {
      const date = value === undefined ? undefined : readDate(value);
      if (date && !date.isAmbiguous) this.#trusted.add(dayOf(date));
    }
  }

  published(): ChosenDate | undefined {
    const { facts, slotTexts, dateTexts, nearTexts, times, url, anyTexts, scriptDate } = this.#context;
    const inSlot = this.#first(slotTexts, 'slot');
    if (inSlot) return inSlot;
    const inUrl = this.#values([urlDay(url)], 'url');
    const marked = firstDay([
      () => this.#values([facts.jsonLd.published], 'json-ld'),
      () => this.#meta(PUBLISHED.slice(0, 2)),
      () => this.#items(PUBLISHED_ITEMS),
      () => this.#meta(PUBLISHED.slice(2)),
      () => this.#times(times.filter(({ isUpdate }) => !isUpdate)),
      () => this.#values([facts.jsonLd.uploaded], 'json-ld'),
    ]);
    if (marked) {
      // a time in another zone may fall on the day before or after the one that readers see
      if (isNearMidnight(marked.value)) {
        const shown = this.#first(dateTexts, 'text') ?? this.#first(nearTexts, 'text');
        for (const other of [shown, inUrl])
          if (other && daysBetween(marked.value, other.value) === 1) return other;
      }
      // pages that were moved are often dated by the day of the move
      if (
        inUrl &&
        inUrl.value < marked.value.slice(0, 10) &&
        daysBetween(marked.value, inUrl.value) > MOVED_DAYS
      )
        return inUrl;
      return marked;
    }
    return (
      this.#first(dateTexts, 'text') ??
      inUrl ??
      this.#first(nearTexts, 'text') ??
      this.modified() ??
      this.#first(anyTexts(), 'text') ??
      this.#first(anyTexts(), 'text', true) ??
      this.#values([scriptDate()], 'script') ??
      this.#values([imageDay(facts.meta.get('og:image') ?? '')], 'url')
    );
  }

  modified(): ChosenDate | undefined {
    const { facts, times, dateTexts, nearTexts } = this.#context;
    return (
      this.#values([facts.jsonLd.modified], 'json-ld') ??
      this.#meta(MODIFIED) ??
      this.#items(['datemodified']) ??
      this.#times(times.filter(({ isUpdate }) => isUpdate)) ??
      this.#first([...dateTexts, ...nearTexts], 'text', true)
    );
  }

  #meta(lists: typeof PUBLISHED): ChosenDate | undefined {
    const { meta } = this.#context.facts;
    return firstDay(
      lists.flatMap(([source, names]) =>
        names.filter((name) => meta.has(name)).map((name) => () => this.#values([meta.get(name)], source)),
      ),
    );
  }

  #items(names: readonly string[]): ChosenDate | undefined {
    for (const name of names) {
      for (const item of this.#context.facts.items) {
        const chosen = item.name === name ? this.#values([item.value], 'microdata') : undefined;
        if (chosen) return chosen;
      }
    }
    return undefined;
  }

  #times(times: DateContext['times']): ChosenDate | undefined {
    for (const { value, text } of times) {
      const chosen = this.#values([value, text], 'time');
      if (!chosen) continue;
      // readers see the text; the attribute may be that of the latest change
      const shown = value === '' ? undefined : this.#first([text], 'time');
      return shown && daysBetween(shown.value, chosen.value) > 1 ? shown : chosen;
    }
    return undefined;
  }

  #values(values: readonly (string | undefined)[], source: MetadataSource): ChosenDate | undefined {
    for (const value of values) {
      const date = value ? readDate(value) : undefined;
      const chosen = date && this.#settle(date);
      if (chosen && this.#isPast(chosen)) return { value: isoOf(chosen), source };
    }
    return undefined;
  }

  /** The first day in texts that is, or is not, the day of a change by the words before it. */
  #first(texts: readonly string[], source: MetadataSource, isUpdate = false): ChosenDate | undefined {
    for (const text of texts) {
      for (const date of this.#datesOf(text)) {
        if (UPDATED.test(text.slice(Math.max(0, date.start - 50), date.start)) !== isUpdate) continue;
        const chosen = this.#settle(date);
        if (this.#isPast(chosen)) return { value: isoOf(chosen), source };
      }
    }
    return undefined;
  }

  /** The dates of a text, which several questions need. */
  #datesOf(text: string): readonly FoundDate[] {
    let dates = this.#found.get(text);
    if (!dates) this.#found.set(text, (dates = findDates(text)));
    return dates;
  }

  #isPast(date: FoundDate): boolean {
    return this.#latest === '' || dayOf(date) <= this.#latest;
  }

  /**
   * Chooses the reading of `03/04/2019` that the evidence supports; the default is day before month, except for the
   * USA.
   */
  #settle(date: FoundDate): FoundDate {
    if (!date.isAmbiguous) return date;
    const other = otherReading(date);
    if (this.#trusted.has(dayOf(other))) return other;
    if (this.#trusted.has(dayOf(date))) return date;
    const { slotOrder, language, facts } = this.#context;
    if (slotOrder !== 0) return slotOrder > 0 ? date : other;
    if (!this.#isPast(other)) return date;
    if (!this.#isPast(date)) return other;
    const isBritish = /^en[-_](?:gb|au|nz|ie|za|in)/i.test(facts.lang);
    return language === 'en' && !isBritish ? other : date;
  }
}

/** The day in a URL as ISO 8601. */
function urlDay(url: string): string | undefined {
  const path = url.slice(url.indexOf('/', 8)).slice(0, 500);
  const [, year, month, day] = URL_DAY.exec(path) ?? URL_SPACED_DAY.exec(path) ?? [];
  if (year === undefined) return undefined;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** The day in an image's URL, which may continue with the time: /20201007120909561.jpg. */
function imageDay(url: string): string | undefined {
  const [, year, month, day] = IMAGE_DAY.exec(url.slice(0, 500)) ?? [];
  return year === undefined ? urlDay(url) : `${year}-${month}-${day}`;
}

/** The next day: a time zone may be a day ahead of the archive's clock. */
function nextDay(time: string): string {
  const moment = Date.parse(time.slice(0, 10));
  return Number.isNaN(moment) ? '' : new Date(moment + 86_400_000).toISOString().slice(0, 10);
}

function daysBetween(a: string, b: string): number {
  return Math.abs(Date.parse(a.slice(0, 10)) - Date.parse(b.slice(0, 10))) / 86_400_000;
}

/** Whether a time is so late or early that the day differs in other zones. */
function isNearMidnight(iso: string): boolean {
  const hour = Number.parseInt(iso.slice(11, 13), 10);
  return hour >= 17 || hour < 8;
}
