/**
 * Lengths as single numbers, so that they fit in columns: px as they are, per cent lifted to a band of their
 * own, NaN for what is not set, and `AUTO`. Pages may write any number; px are held to ±LONGEST.
 */

export const AUTO = 1e6;
/** A length of p per cent is stored as PERCENT + p. */
const PERCENT = 1e5;
const PERCENT_FROM = 5e4;
const LONGEST = 4e4;
const MOST_PERCENT = 1e4;

export function pixels(value: number): number {
  return Math.min(LONGEST, Math.max(-LONGEST, value));
}

export function percent(value: number): number {
  return PERCENT + Math.min(MOST_PERCENT, Math.max(-MOST_PERCENT, value));
}

/** The length in px, per cent of `base`; NaN when it is not set or `AUTO`. */
export function resolve(length: number, base: number): number {
  if (length < PERCENT_FROM) return length;
  return length >= AUTO ? Number.NaN : ((length - PERCENT) / 100) * base;
}

/** The same, `otherwise` when it is not set or `AUTO`. */
export function resolveOr(length: number, base: number, otherwise: number): number {
  const value = resolve(length, base);
  return Number.isNaN(value) ? otherwise : value;
}

/** The length in px when it does not depend on where the element stands, else NaN. */
export function fixedPixels(length: number): number {
  return length < PERCENT_FROM ? length : Number.NaN;
}

export function isPercent(length: number): boolean {
  return length >= PERCENT_FROM && length < AUTO;
}
