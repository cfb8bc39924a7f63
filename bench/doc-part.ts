/** The generated parts of documents: the text between `<!-- name -->` and `<!-- /name -->`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Replaces the named part of a file in docs/; throws when the file has no such part. */
export function writeDocPart(file: string, name: string, content: string): void {
  const path = docPath(file);
  writeFileSync(path, replacePart(readFileSync(path, 'utf8'), name, content));
}

/** Returns the text with the named part replaced. */
function replacePart(text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new RangeError(`expected the marks ${begin.trim()} and ${end}`);
  return `${text.slice(0, from) + begin}\n${content.trim()}\n\n${text.slice(to)}`;
}

/** Returns the path of a file in docs/. */
export function docPath(file: string): string {
  return fileURLToPath(new URL(`../docs/${file}`, import.meta.url));
}

/** Returns a Markdown table; all columns after the first `textColumns` are figures, aligned right. */
export function markdownTable(
  header: string[],
  rows: (string | number)[][],
  { textColumns = 1 }: { textColumns?: number } = {},
): string {
  const rule = header.map((_, k) => (k < textColumns ? '---' : '---:'));
  return [header, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Returns the arithmetic mean. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns the median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
