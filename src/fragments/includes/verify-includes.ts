/**
 * Rebuilds every page from the files that were written and compares it with what was served. Reads the archive
 * once more and shares nothing with the writing but the way a syntax is read back.
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { FragmentResult } from '../shared-page.ts';
import { IncludeExpander } from './expand-includes.ts';
import type { IncludeStyle } from './include-syntax.ts';
import { originalBytes } from './original-bytes.ts';
import { comesOutAs, type ManifestRow, SYNTAXES } from './style-writer.ts';

export interface VerifiedStyle {
  style: IncludeStyle;
  /** Pages that come out byte for byte. */
  rebuilt: number;
  /** URLs of pages that do not, the first of them. */
  failed: string[];
  failedCount: number;
}

const MAX_NAMED_FAILURES = 100;

/** Checks a folder that `writeIncludes` made of the same result. */
export async function verifyIncludes(
  folder: string,
  styles: readonly IncludeStyle[],
  result: FragmentResult,
): Promise<VerifiedStyle[]> {
  const checks = styles.map((style) => {
    const below = join(folder, style);
    const verified: VerifiedStyle = { style, rebuilt: 0, failed: [], failedCount: 0 };
    return { verified, expander: new IncludeExpander(below, SYNTAXES[style]), rows: readManifest(below) };
  });
  for await (const { page } of result.readPages()) {
    const original = originalBytes(page);
    for (const { verified, expander, rows } of checks) {
      const row = (await rows.next()).value;
      const syntax = SYNTAXES[verified.style];
      if (row?.url === page.url && comesOutAs(expander, syntax, row.file, original)) verified.rebuilt++;
      else {
        verified.failedCount++;
        if (verified.failed.length < MAX_NAMED_FAILURES) verified.failed.push(page.url);
      }
    }
  }
  for (const { rows } of checks) await rows.return(undefined);
  return checks.map(({ verified }) => verified);
}

async function* readManifest(folder: string): AsyncGenerator<ManifestRow | undefined, undefined> {
  const lines = createInterface({ input: createReadStream(join(folder, 'manifest.jsonl')) });
  for await (const line of lines) yield JSON.parse(line) as ManifestRow;
  return undefined;
}
