/**
 * JSON that every reader takes. JavaScript's texts may hold half of a character, from input or where a text was cut
 * to length; JSON.stringify writes it as an escape that other readers refuse.
 */
export function wellFormedJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes('\\ud')) return json;
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? part.toWellFormed() : part));
}
