/**
 * Levels the scores of a page. A classifier trained on many sites is stricter with some pages than with others:
 * what a listing or a shop has to say looks more like a menu than any article does. But every page says
 * something. So scores are told against the page's own lowest: the level is the score that the least
 * template-like share of the page's words stays under, plus a margin, within bounds; log-odds are counted from
 * there, and a score of one half is at the level. Where a page is full of links, teasers for one, the level is lower.
 *
 * What is under the level mostly stands together: the region is the smallest node with most of it. The more
 * of the region is under the level, the higher that is in there, so that a short line, a list or a table in the text
 * stays, and the lower outside, so that a teaser in a column does not; a page of facts in boxes has no such region. What is not shown, and what is told to stand apart, has
 * no say and is above any level.
 *
 * Levelling keeps the order of scores in the region and outside. Three walks over the rows.
 */
import { logOddsOf, probabilityOf } from '../../learn/boosted-trees.ts';
import { FEATURE_COLUMN, type FeatureTable } from './feature-list.ts';
import { wordCountOf } from './sections.ts';

export interface ScoreLevel {
  /** Share of the words of a page, 0 to 1. */
  share: number;
  /** Added to the log-odds that these words stay under. */
  margin: number;
  /** Bounds of the level, as scores. */
  least: number;
  most: number;
  /** Log-odds that the level of a page of nothing but links is lower by. @default 0 */
  links?: number;
  /** @default none: one level for all of the page, and what is not shown has a say */
  region?: RegionLevel;
}

export interface RegionLevel {
  /** Share of the words under the level that the region holds, over 0.5. */
  share: number;
  /** Log-odds added inside, where all of the region is under the level; none where half is or less. */
  inside: number;
  /** Log-odds taken off outside, by the same measure. */
  outside: number;
}

/** Scores nearer to 0 and 1 say nothing more. */
const EDGE = 1e-4;
/** Scores are sorted into this many bins to find the lowest. */
const BINS = 512;

export class ScoreNormalizer {
  #levelled = new Float64Array(0);
  /** By row: words of its own; of it and those in it; those of them under the level. 0 where it has no say. */
  #own = new Float64Array(0);
  #words = new Float64Array(0);
  #under = new Float64Array(0);
  readonly #bins = new Float64Array(BINS);

  /** The levelled scores hold until the next call. Rows of which `apart` is 1 stand apart. */
  normalize(table: FeatureTable, scores: Float64Array, level: ScoreLevel, apart?: Uint8Array): Float64Array {
    const { rowCount, values, width } = table;
    if (this.#levelled.length < rowCount) this.#reserve(rowCount * 2);
    const { region } = level;
    this.#weigh(table, region !== undefined, apart);
    const origin = this.#origin(table, scores, level);
    if (!region) return this.#write(scores, 0, rowCount, origin);

    const first = this.#findRegion(table, scores, probabilityOf(origin), region.share);
    let end = first + 1;
    while (end < rowCount && table.parent[end] >= first) end++;
    const underShare = this.#words[first] > 0 ? this.#under[first] / this.#words[first] : 0;
    // a region of which half is above the level is none
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

  /** The level of a page in log-odds. */
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

  /** The last, so the smallest, row that holds this share of the words under a score. */
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
    const levelled = this.#levelled;
    // sections have one score: most rows ask for that of the row before
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
    this.#levelled = new Float64Array(rows);
    this.#own = new Float64Array(rows);
    this.#words = new Float64Array(rows);
    this.#under = new Float64Array(rows);
  }
}

function clippedLogOdds(score: number): number {
  return logOddsOf(Math.min(1 - EDGE, Math.max(EDGE, score)));
}
