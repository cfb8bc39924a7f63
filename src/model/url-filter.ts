/** `include` and `exclude`: regular expressions that select URLs, compiled here and nowhere else. */

export interface UrlFilter {
  /** A URL must match one of these; an empty list lets all through. */
  include: readonly RegExp[];
  /** A URL must match none of these. */
  exclude: readonly RegExp[];
}

/** Throws a RangeError that quotes the pattern. The flag `u` is always set: `\p{L}` works, and stray escapes are refused. */
export function compilePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch (error) {
    throw new RangeError(`include and exclude must be regular expressions: ${(error as Error).message}`);
  }
}

export function isSelected(url: string, { include, exclude }: UrlFilter): boolean {
  for (const pattern of exclude) if (pattern.test(url)) return false;
  if (include.length === 0) return true;
  for (const pattern of include) if (pattern.test(url)) return true;
  return false;
}
