/**
 * The pages of an archive as JSON lines {"url", "html"}, decoded by our reader, so that every extractor is given the
 * same string; of several captures of a URL the earliest.
 *
 *   npx tsx bench/rivals/pages.ts ARCHIVE > PAGES.jsonl
 */
import { writeSync } from 'node:fs';
import { closeInputs, openInputs } from '../../src/read/open-inputs.ts';
import type { SurveyedCapture } from '../../src/read/raw-record.ts';
import { readPageAt, surveyInput } from '../../src/read/read-captures.ts';

const { inputs } = await openInputs(process.argv.slice(2));
try {
  for (const input of inputs) {
    const earliest = new Map<string, SurveyedCapture>();
    for (const event of surveyInput(input)) {
      if (event.kind !== 'page' || event.capture.revisit) continue;
      const known = earliest.get(event.capture.url);
      if (!known || event.capture.time < known.time) earliest.set(event.capture.url, event.capture);
    }
    for (const capture of earliest.values()) {
      const event = readPageAt(input, capture);
      if (event.kind !== 'page') continue;
      const html = Buffer.from(event.page.source).toString('utf8');
      writeWhole(Buffer.from(`${JSON.stringify({ url: capture.url, html })}\n`));
    }
  }
} finally {
  closeInputs(inputs);
}

/** A pipe may take less than it is given. */
function writeWhole(bytes: Buffer): void {
  for (let start = 0; start < bytes.length; ) start += writeSync(1, bytes, start);
}
