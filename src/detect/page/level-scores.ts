/**
 * Levels the scores of a page. A classifier trained on many sites is stricter with some pages than with others:
 * what a listing or a shop has to say looks more like a menu than any article does. But every page says
 * something. So scores are told against the page's own lowest: the level is the score that the least
 * template-like share of the page's words stays under, plus a margin, within bounds; log-odds are counted from
 * there, and a score of one half is at the level.
 *
 * Levelling keeps the order of scores, so that smoothed scores stay smooth and sections the same.
 */
import { logOddsOf, probabilityOf } from '../../learn/log-odds.ts';
import { FEATURE_COLUMN } from './feature-list.ts';
import type { FeatureTable } from './feature-table.ts';

export interface ScoreLevel {
  /** Share of the words of a page, 0 to 1. */
  share: number;
  /** Added to the log-odds that these words stay under. */
  margin: number;
  /** Bounds of the level, as scores. */
  least: number;
  most: number;
}

/** Scores nearer to 0 and 1 say nothing more. */
const EDGE = 1e-4;

export class ScoreLeveller {
  #levelled = new Float64Array(0);

  /** The levelled scores hold until the next call. */
  level(table: FeatureTable, scores: Float64Array, level: ScoreLevel): Float64Array {
    const { rowCount } = table;
    if (this.#levelled.length < rowCount) this.#levelled = new Float64Array(rowCount * 2);
    const levelled = this.#levelled;
    const origin = levelOf(table, scores, level);
    // sections have one score: most rows ask for that of the row before
    let known = Number.NaN;
    let answer = 0;
    for (let row = 0; row < rowCount; row++) {
      if (scores[row] !== known) {
        known = scores[row];
        answer = probabilityOf(clippedLogOdds(known) - origin);
      }
      levelled[row] = answer;
    }
    return levelled;
  }
}

/** The level of a page in log-odds. */
function levelOf({ rowCount, values, width }: FeatureTable, scores: Float64Array, level: ScoreLevel): number {
  const { share, margin, least, most } = level;
  const column = FEATURE_COLUMN.ownWords;
  const bins = new Float64Array(BINS);
  let total = 0;
  for (let row = 0; row < rowCount; row++) {
    const logarithm = values[row * width + column];
    if (logarithm === 0) continue;
    const words = 2 ** logarithm - 1;
    bins[Math.min(BINS - 1, Math.floor(scores[row] * BINS))] += words;
    total += words;
  }
  let bin = 0;
  for (let sum = bins[0]; sum < share * total && bin < BINS - 1; ) sum += bins[++bin];
  const low = clippedLogOdds((bin + 0.5) / BINS);
  return Math.min(clippedLogOdds(most), Math.max(clippedLogOdds(least), low + margin));
}

/** Scores are sorted into this many bins to find the lowest. */
const BINS = 512;

function clippedLogOdds(score: number): number {
  return logOddsOf(Math.min(1 - EDGE, Math.max(EDGE, score)));
}
