/**
 * Returns `value` as JSON that every reader accepts. A JavaScript text may hold a lone surrogate, from input
 * or where a text was cut; JSON.stringify writes it as an escape that other readers refuse. Lone surrogates
 * become U+FFFD here.
 */
export function wellFormedJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes('\\ud')) return json;
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? part.toWellFormed() : part));
}
