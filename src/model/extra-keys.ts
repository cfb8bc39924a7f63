/**
 * Extra keys of an input row: keys without a meaning for Chaff, such as `id`, `lang` or `depth`. They travel
 * with the page and are written on its output row after Chaff's own columns. A key with the name of such a
 * column is not written; the column has Chaff's value.
 */

/** Keys of an input row that Chaff reads. */
const READ = ['url', 'html', 'time', 'timestamp'];

/**
 * Columns that some output formats write, and keys that would change an object instead of becoming a
 * property.
 */
const RESERVED = new Set([
  ...READ,
  ...[
    'kind',
    'page',
    'snapshot',
    'site',
    'title',
    'metadata',
    'text',
    'markdown',
    'annotated',
    'ranges',
    'explanation',
  ],
  ...['detector', 'file', 'entry', 'offset', 'length', 'recordId', 'payloadDigest', 'mime', 'charset'],
  ...['sections', 'templateText', 'templateHtml', 'templateLinks', '__proto__', 'toJSON'],
]);

/** Returns the extra keys of an input row with their values; undefined if the row has no such keys. */
export function extraKeys(row: object): Record<string, unknown> | undefined {
  let extra: Record<string, unknown> | undefined;
  for (const [key, value] of Object.entries(row)) {
    if (RESERVED.has(key)) continue;
    extra ??= {};
    extra[key] = value;
  }
  return extra;
}

/**
 * Adds extra keys to an output row. A key that the row has already keeps its value, except for an empty
 * title.
 */
export function addExtraKeys(row: object, extra: Readonly<Record<string, unknown>>): void {
  const columns = row as Record<string, unknown>;
  for (const key of Object.keys(extra)) {
    const isFree = !Object.hasOwn(columns, key) || (key === 'title' && columns.title === '');
    if (isFree) columns[key] = extra[key];
  }
}
