/** The options `include` and `exclude`, regular expressions that select URLs. */

/** A filter of URLs, with compiled patterns. */
export interface UrlFilter {
  /** A URL must match one of these; an empty list accepts every URL. */
  include: readonly RegExp[];
  /** A URL must match none of these. */
  exclude: readonly RegExp[];
}

/**
 * Compiles a pattern; throws a RangeError that quotes an invalid one. The flag `u` is always set, so `\p{L}`
 * works and needless escapes are refused.
 */
export function compilePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch (error) {
    throw new RangeError(`include and exclude must be regular expressions: ${(error as Error).message}`);
  }
}

/** Whether a URL passes the filter. */
export function isSelected(url: string, { include, exclude }: UrlFilter): boolean {
  for (const pattern of exclude) if (pattern.test(url)) return false;
  if (include.length === 0) return true;
  for (const pattern of include) if (pattern.test(url)) return true;
  return false;
}
