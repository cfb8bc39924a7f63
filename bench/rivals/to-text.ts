/**
 * Rows of extractors with `html` in, the same rows with `text` out: our renderer makes the text, so that no extractor
 * loses words because two of its paragraphs were glued together. Rows with `text` pass as they are.
 *
 *   npx tsx bench/rivals/to-text.ts < ROWS.jsonl > TEXTS.jsonl
 */
import { createInterface } from 'node:readline';
import { Parser } from '../../src/parse/parser.ts';
import { renderText } from '../../src/view/visible-text.ts';

const parser = new Parser();
for await (const line of createInterface({ input: process.stdin })) {
  const { html, ...row } = JSON.parse(line) as { html?: string; text?: string };
  if (row.text === undefined) row.text = renderText(parser.parse(Buffer.from(html ?? '')), []);
  if (!process.stdout.write(`${JSON.stringify(row)}\n`)) {
    await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}
