/**
 * Extractors written in JavaScript: JSON lines of pages in, JSON lines of content as HTML out; see extract.py for the
 * rows. `npm ci --prefix bench` installs them.
 *
 *   node bench/rivals/extract.mjs defuddle|readability < PAGES.jsonl > ROWS.jsonl
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseHTML } from 'linkedom';

const EXTRACTORS = {
  async readability() {
    const { Readability } = await import('@mozilla/readability');
    return ({ html }) => {
      const found = new Readability(parseHTML(html).document).parse();
      return { html: found?.content ?? '', title: found?.title ?? '' };
    };
  },
  async defuddle() {
    const { Defuddle } = await import('defuddle/node');
    return async ({ html, url }) => {
      // by default it would ask services on the network when it finds nothing
      const found = await Defuddle(parseHTML(html).document, url, { useAsync: false });
      return { html: found.content ?? '', title: found.title ?? '' };
    };
  },
};

const start = EXTRACTORS[process.argv[2]];
if (!start) {
  console.error(`expected one of ${Object.keys(EXTRACTORS).join(', ')}`);
  process.exit(2);
}
const extract = await start();
// what an extractor prints must not mix with the rows
for (const name of ['log', 'info', 'warn', 'error', 'debug']) console[name] = () => {};
for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
  const page = JSON.parse(line);
  const before = process.cpuUsage();
  let made;
  try {
    made = await extract(page);
  } catch (error) {
    made = { text: '', error: String(error).slice(0, 200) };
  }
  const { user, system } = process.cpuUsage(before);
  const row = Buffer.from(`${JSON.stringify({ url: page.url, ...made, cpuMs: (user + system) / 1000 })}\n`);
  for (let done = 0; done < row.length; ) done += writeSync(1, row, done);
}
