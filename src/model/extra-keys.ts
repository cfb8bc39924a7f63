/**
 * Keys of a caller's row that Chaff gives no meaning to: `id`, `lang`, `depth`. They travel with the page and come back
 * on the row of its text, behind Chaff's own columns. A key that is the name of one of those columns does not come back:
 * the column has Chaff's value.
 */

/** What a row of input is read for. */
const READ = ['url', 'html', 'time', 'timestamp'];

/** Columns that rows of some formats have, and keys that would change an object instead of naming a value of it. */
const RESERVED = new Set([
  ...READ,
  ...['kind', 'page', 'snapshot', 'site', 'title', 'text', 'markdown', 'annotated', 'ranges', 'explanation'],
  ...['detector', 'file', 'entry', 'offset', 'length', 'recordId', 'payloadDigest', 'mime', 'charset'],
  ...['sections', 'templateText', 'templateHtml', 'templateLinks', '__proto__', 'toJSON'],
]);

/** The keys of a row of input that come back; undefined when it has none. */
export function extraKeys(row: object): Record<string, unknown> | undefined {
  let extra: Record<string, unknown> | undefined;
  for (const [key, value] of Object.entries(row)) {
    if (RESERVED.has(key)) continue;
    extra ??= {};
    extra[key] = value;
  }
  return extra;
}

/** Adds them behind what the row has; what it has stays. */
export function addExtraKeys(row: object, extra: Readonly<Record<string, unknown>>): void {
  const columns = row as Record<string, unknown>;
  for (const key of Object.keys(extra)) if (!Object.hasOwn(columns, key)) columns[key] = extra[key];
}
