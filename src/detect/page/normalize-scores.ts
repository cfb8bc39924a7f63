/**
 * Normalises the scores of a page. A classifier trained on many sites is stricter with some pages than with
 * others: the content of a listing or a shop looks more like a menu than any article does. But every page has
 * some content. So scores are measured from the page's own lowest ones. The level is the score below which a
 * fixed share of the page's words is, plus a margin, within bounds. Log-odds are counted from the level,
 * where the score becomes 0.5. On a page full of links, such as teasers, the level is lower.
 *
 * Text below the level is usually in one place: the region is the smallest node with most of it. The more of
 * the region is below the level, the more the level rises inside, so that a short line, a list or a table in
 * the text stays, and falls outside, so that a teaser in a column does not stay. A page of facts in boxes has
 * no such region. Hidden rows and rows marked as apart do not affect the level and are always above it.
 *
 * Normalising keeps the order of scores in the region and outside. It takes three passes over the rows.
 */
import { logOddsOf, probabilityOf } from '../../learn/boosted-trees.ts';
import { FEATURE_COLUMN, type FeatureTable } from './feature-list.ts';
import { wordCountOf } from './sections.ts';

/** How the level of a page is determined. */
export interface ScoreLevel {
  /** Share of the words of a page that must be below the level, 0 to 1. */
  share: number;
  /** Log-odds added to the score that these words are below. */
  margin: number;
  /** Bounds of the level, as scores. */
  least: number;
  most: number;
  /** Log-odds by which the level of a page with only links is lower. @default 0 */
  links?: number;
  /** Settings of the region. @default none: one level for the whole page, and hidden rows affect it */
  region?: RegionLevel;
}

/** How the level differs inside and outside the region. */
interface RegionLevel {
  /** Share of the words below the level that the region has, above 0.5. */
  share: number;
  /** Log-odds added inside when all of the region is below the level; 0 when half of it or less is. */
  inside: number;
  /** Log-odds subtracted outside, by the same measure. */
  outside: number;
}

/** Scores are clamped to this distance from 0 and 1. */
const EDGE = 1e-4;
/** Number of bins into which scores are sorted to find the lowest. */
const BINS = 512;

/** Normalises the scores of pages one after another and reuses its memory. */
export class ScoreNormalizer {
  #normalized = new Float64Array(0);
  /**
   * By row: its own words; the words in its subtree; those of them below the level. 0 for rows that do not
   * count.
   */
  #own = new Float64Array(0);
  #words = new Float64Array(0);
  #under = new Float64Array(0);
  readonly #bins = new Float64Array(BINS);

  /** Returns normalised scores, valid until the next call. Rows with `apart` 1 do not affect the level. */
  normalize(table: FeatureTable, scores: Float64Array, level: ScoreLevel, apart?: Uint8Array): Float64Array {
    const { rowCount, values, width } = table;
    if (this.#normalized.length < rowCount) this.#reserve(rowCount * 2);
    const { region } = level;
    this.#weigh(table, region !== undefined, apart);
    const origin = this.#origin(table, scores, level);
    if (!region) return this.#write(scores, 0, rowCount, origin);

    const first = this.#findRegion(table, scores, probabilityOf(origin), region.share);
    let end = first + 1;
    while (end < rowCount && table.parent[end] >= first) end++;
    const underShare = this.#words[first] > 0 ? this.#under[first] / this.#words[first] : 0;
    // a region of which half is above the level has no effect
    const sureness = Math.max(0, 2 * underShare - 1);
    const outside = origin - region.outside * sureness;
    this.#write(scores, 0, first, outside);
    this.#write(scores, first, end, origin + region.inside * sureness);
    const levelled = this.#write(scores, end, rowCount, outside);
    for (let row = 0; row < rowCount; row++) {
      const isShown = values[row * width + FEATURE_COLUMN.isShown] > 0 || row === 0;
      if (isShown && apart?.[row] !== 1) continue;
      levelled[row] = probabilityOf(clippedLogOdds(scores[row]) - clippedLogOdds(0));
    }
    return levelled;
  }

  #weigh({ rowCount, values, width }: FeatureTable, shownOnly: boolean, apart?: Uint8Array): void {
    const { ownWords, isShown } = FEATURE_COLUMN;
    for (let row = 0; row < rowCount; row++) {
      const logarithm = values[row * width + ownWords];
      const isSilent = shownOnly && values[row * width + isShown] === 0;
      this.#own[row] = logarithm === 0 || isSilent || apart?.[row] === 1 ? 0 : wordCountOf(logarithm);
    }
  }

  /** Returns the level of a page in log-odds. */
  #origin({ rowCount, values }: FeatureTable, scores: Float64Array, level: ScoreLevel): number {
    const { share, margin, least, most, links = 0 } = level;
    const bins = this.#bins.fill(0);
    let total = 0;
    for (let row = 0; row < rowCount; row++) {
      const words = this.#own[row];
      if (words === 0) continue;
      bins[Math.min(BINS - 1, Math.floor(scores[row] * BINS))] += words;
      total += words;
    }
    let bin = 0;
    for (let sum = bins[0]; sum < share * total && bin < BINS - 1; ) sum += bins[++bin];
    const low = clippedLogOdds((bin + 0.5) / BINS) - links * values[FEATURE_COLUMN.pageAnchorShare];
    return Math.min(clippedLogOdds(most), Math.max(clippedLogOdds(least), low + margin));
  }

  /** Returns the last, hence smallest, row with this share of the words below a score. */
  #findRegion(
    { rowCount, parent }: FeatureTable,
    scores: Float64Array,
    under: number,
    share: number,
  ): number {
    for (let row = 0; row < rowCount; row++) {
      this.#words[row] = this.#own[row];
      this.#under[row] = scores[row] < under ? this.#own[row] : 0;
    }
    for (let row = rowCount - 1; row > 0; row--) {
      this.#words[parent[row]] += this.#words[row];
      this.#under[parent[row]] += this.#under[row];
    }
    let region = 0;
    for (let row = 1; row < rowCount; row++) {
      if (this.#under[row] > 0 && this.#under[row] >= share * this.#under[0]) region = row;
    }
    return region;
  }

  #write(scores: Float64Array, from: number, to: number, origin: number): Float64Array {
    const levelled = this.#normalized;
    // sections have one score, so most rows repeat the previous row's
    let known = Number.NaN;
    let answer = 0;
    for (let row = from; row < to; row++) {
      if (scores[row] !== known) {
        known = scores[row];
        answer = probabilityOf(clippedLogOdds(known) - origin);
      }
      levelled[row] = answer;
    }
    return levelled;
  }

  #reserve(rows: number): void {
    this.#normalized = new Float64Array(rows);
    this.#own = new Float64Array(rows);
    this.#words = new Float64Array(rows);
    this.#under = new Float64Array(rows);
  }
}

function clippedLogOdds(score: number): number {
  return logOddsOf(Math.min(1 - EDGE, Math.max(EDGE, score)));
}
