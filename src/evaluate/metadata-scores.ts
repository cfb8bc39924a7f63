/**
 * Scores the metadata of pages, beside that of other programs on the same pages: title, author, day of publication,
 * language and page type, each on the gold rows that have it.
 *
 * A title is correct when it is equal except for white space and the shapes of quotes and dashes; an author when it
 * has the same words in any order; a day when it is the same day, or an adjacent one if gold has a time with a
 * zone.
 */
import type { PageMetadata } from '../model/metadata.ts';
import type { Problem } from '../model/problem.ts';
import { siteOf } from '../model/site.ts';
import { strip } from '../run/library/label-pages.ts';
import { learn } from '../run/library/learn-pages.ts';
import { openArchive } from '../run/library/open-archive.ts';
import type { ExtractorRows } from './extractor-rows.ts';
import { type GoldRow, type HostHalf, hostHalf, readGold } from './gold.ts';
import { layOut, percentOrDash } from './text-table.ts';

/** Metadata fields that are scored. */
const METADATA_FIELDS = ['title', 'author', 'published', 'language', 'type'] as const;
/** One of `METADATA_FIELDS`. */
export type MetadataField = (typeof METADATA_FIELDS)[number];

/** Metadata of one page; unknown fields are absent. */
type FieldValues = Partial<Record<MetadataField, string>>;

/** Scores of one field on one gold set. */
export interface MetadataScore {
  set: string;
  field: MetadataField;
  /** Number of gold rows that have the field and whose page was read. */
  rows: number;
  /** Share of correct values (0 to 1), by contender. */
  right: Record<string, number>;
}

/** Gold, pages and other programs to compare. */
export interface MetadataOptions {
  archives: string[];
  gold: string[];
  set: string;
  half?: HostHalf;
  extractors?: readonly ExtractorRows[];
  signal?: AbortSignal;
  onProblem?: (problem: Problem) => void;
}

const CHAFF = 'chaff';

/** Scores each field of the gold rows, for Chaff and other programs. */
export async function scoreMetadata(options: MetadataOptions): Promise<MetadataScore[]> {
  const { archives, gold, set, half, extractors = [], signal, onProblem } = options;
  const rows = new Map<string, GoldRow>();
  for (const path of gold) {
    const read = await readGold(path);
    for (const problem of read.problems) onProblem?.(problem);
    for (const row of read.rows) if (!rows.has(row.url)) rows.set(row.url, row);
  }
  const counts = new Map<MetadataField, { rows: number; right: Record<string, number> }>();
  const archive = openArchive(archives, { signal, onProblem });
  const models = await learn(archive, { signal });
  for await (const { url, title, metadata } of strip(archive, models, { signal })) {
    const row = rows.get(url);
    rows.delete(url); // only the first of several captures is scored
    if (!row || (half !== undefined && hostHalf(row.site || siteOf(url)) !== half)) continue;
    const found: [label: string, values: FieldValues][] = [[CHAFF, valuesOf(title, metadata)]];
    for (const extractor of extractors) found.push([extractor.label, extractor.rows.get(url) ?? {}]);
    for (const field of METADATA_FIELDS) {
      const wanted = goldValue(row, field);
      if (wanted === undefined) continue;
      let count = counts.get(field);
      if (!count) counts.set(field, (count = { rows: 0, right: {} }));
      count.rows++;
      for (const [label, values] of found) {
        const isRight = isSame(field, wanted, values[field] ?? '');
        count.right[label] = (count.right[label] ?? 0) + (isRight ? 1 : 0);
      }
    }
  }
  return METADATA_FIELDS.flatMap((field) => {
    const count = counts.get(field);
    if (!count) return [];
    const shares = Object.entries(count.right).map(([label, right]) => [label, right / count.rows]);
    return [{ set, field, rows: count.rows, right: Object.fromEntries(shares) as Record<string, number> }];
  });
}

/** Returns the scores as text for a terminal, in per cent. */
export function renderMetadataTable(scores: readonly MetadataScore[]): string {
  const labels = [...new Set(scores.flatMap(({ right }) => Object.keys(right)))];
  const body = scores.map(({ set, field, rows, right }) => [
    set,
    field,
    String(rows),
    ...labels.map((label) => percentOrDash(right[label])),
  ]);
  return layOut([['set', 'field', 'rows', ...labels], ...body], 2);
}

function valuesOf(title: string, metadata: PageMetadata | undefined): FieldValues {
  const { author, published, language, type } = metadata ?? {};
  return { title, author, published, language, type };
}

function goldValue({ about = {}, lang, type }: GoldRow, field: MetadataField): string | undefined {
  if (field === 'language')
    return lang === undefined ? undefined : (LANGUAGES[lang] ?? lang.slice(0, 2).toLowerCase());
  return field === 'type' ? type : about[field];
}

/** Language names of a set that uses no codes. */
const LANGUAGES: Record<string, string> = {
  English: 'en',
  Greek: 'el',
  Polish: 'pl',
  Russian: 'ru',
  Chinese: 'zh',
};

/** True when a value is correct by the rules above. */
export function isSame(field: MetadataField, gold: string, value: string): boolean {
  if (field === 'title') return plainTitle(gold) === plainTitle(value);
  if (field === 'author') return sameWords(gold, value);
  return field === 'published' ? isSameDay(gold, value) : gold === value.slice(0, gold.length);
}

function plainTitle(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[‘’ʼ‚]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[–—‒]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}

function sameWords(a: string, b: string): boolean {
  const wordsOf = (text: string) =>
    [
      ...new Set(
        text
          .normalize('NFKC')
          .toLowerCase()
          .match(/[\p{L}\p{N}]+/gu) ?? [],
      ),
    ]
      .filter((word) => !JOINING.has(word))
      .sort()
      .join(' ');
  return wordsOf(a) === wordsOf(b);
}

/** Words between two names, and before the first. */
const JOINING = new Set(['and', 'und', 'et', 'y', 'by', 'von', 'par']);

function isSameDay(gold: string, value: string): boolean {
  if (gold.length < 10) return value.startsWith(gold);
  const days = Math.abs(Date.parse(gold.slice(0, 10)) - Date.parse(value.slice(0, 10))) / 86_400_000;
  return days === 0 || (days === 1 && /T[^T]*(?:Z|[+-]\d\d:?\d\d)$/.test(gold));
}
