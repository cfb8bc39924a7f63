/**
 * Probability from log-odds and back, by additions, multiplications and divisions only. Those are exact to the
 * bit in every JavaScript engine, while `Math.exp` and `Math.log` may differ in the last one: a score that
 * meets a threshold on one machine meets it on all.
 */

/** Beyond this the probability is not to be told from 0 or 1 by what it is used for. */
const MOST = 40;
const LN2 = Math.LN2;
/** The first 32 bits of ln 2: a product with a small integer is exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
/** 2 to the power of -64 to 63. */
const POWERS = Float64Array.from({ length: 128 }, (_, i) => 2 ** (i - 64));

/** 1 / (1 + e^-x), in (0, 1). */
export function probabilityOf(logOdds: number): number {
  const x = Math.min(Math.max(logOdds, -MOST), MOST);
  // e^-x = 2^power · e^r, |r| at most ln 2 / 2, where the series to r^13 is as good as a double
  const power = Math.floor(0.5 - x / LN2);
  const r = -x - power * LN2_HIGH - power * LN2_LOW;
  let series = 1 / 6227020800;
  series = series * r + 1 / 479001600;
  series = series * r + 1 / 39916800;
  series = series * r + 1 / 3628800;
  series = series * r + 1 / 362880;
  series = series * r + 1 / 40320;
  series = series * r + 1 / 5040;
  series = series * r + 1 / 720;
  series = series * r + 1 / 120;
  series = series * r + 1 / 24;
  series = series * r + 1 / 6;
  series = series * r + 0.5;
  series = series * r + 1;
  series = series * r + 1;
  return 1 / (1 + series * POWERS[power + 64]);
}

/** ln(p / (1 - p)), held within the same bounds. */
export function logOddsOf(probability: number): number {
  if (!(probability > 0)) return -MOST;
  if (!(probability < 1)) return MOST;
  return Math.min(Math.max(naturalLog(probability) - naturalLog(1 - probability), -MOST), MOST);
}

/** ln of a finite number above zero. */
export function naturalLog(x: number): number {
  let mantissa = x;
  let power = 0;
  while (mantissa > Math.SQRT2) {
    mantissa /= 2;
    power++;
  }
  while (mantissa < Math.SQRT1_2) {
    mantissa *= 2;
    power--;
  }
  // ln m = 2 artanh((m - 1) / (m + 1)); |ratio| is at most 0.172
  const ratio = (mantissa - 1) / (mantissa + 1);
  const square = ratio * ratio;
  let series = 0;
  for (let odd = 21; odd >= 1; odd -= 2) series = series * square + 1 / odd;
  return 2 * ratio * series + power * LN2;
}
