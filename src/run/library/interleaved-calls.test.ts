import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { gzipEach, httpResponse, warcRecord, zipOf } from '../../../test/sample-archives.ts';
import { seededNumbers } from '../../../test/seeded-random.ts';
import type { Problem } from '../../model/problem.ts';
import { renderText } from '../../view/visible-text.ts';
import { extract } from './extract.ts';
import { site } from './growing-site.ts';
import { judgePage, judgePages } from './judge-pages.ts';
import { label, strip } from './label-pages.ts';
import { learn, type SiteModels } from './learn-pages.ts';
import { openArchive } from './open-archive.ts';
import type { PageInput, Pages } from './page-input.ts';

const SCHEDULES = 40;
const PAGES = 7;

/** Waits for a random time, in which other calls run. */
type Step = () => Promise<void>;
/** One use of the library; its bytes may not depend on what runs beside it. */
type Call = (step: Step) => Promise<unknown>;

const folder = mkdtempSync(join(tmpdir(), 'chaff-calls-'));
afterAll(() => rmSync(folder, { recursive: true }));

function pagesOf(host: string): PageInput[] {
  return Array.from({ length: PAGES }, (_, k) => ({
    url: `http://${host}/${k}`,
    html:
      `<title>Page ${k} - ${host}</title><nav><a href=/>home</a> <a href=/all>everything of ${host}</a></nav>` +
      `<h1>Page ${k}</h1><p>Text ${k} of ${host}, ${'with words of its own '.repeat(4 + 3 * k)}.</p>`.repeat(
        1 + (k % 3),
      ) +
      `<footer>Footer of ${host}, 2024</footer>`,
  }));
}

const first = pagesOf('first.example');
const second = pagesOf('second.example');
const archives = writeArchives();

/** A WARC file and a WACZ with a compressed entry, which readers unpack to a hidden file. */
function writeArchives(): { warc: string; wacz: string } {
  const records = gzipEach(
    [...first, ...second].map(({ url, html }) => warcRecord({ url, block: httpResponse(html as string) })),
  );
  const warc = join(folder, 'pages.warc.gz');
  writeFileSync(warc, records);
  const wacz = join(folder, 'pages.wacz');
  writeFileSync(wacz, zipOf([{ name: 'archive/pages.warc.gz', bytes: records, deflate: true }]));
  return { warc, wacz };
}

async function* slowly<Item>(items: readonly Item[], step: Step): AsyncGenerator<Item> {
  for (const item of items) {
    await step();
    yield item;
  }
}

async function collect<Row>(
  rows: AsyncIterable<Row>,
  step: Step,
  read: (row: Row) => unknown,
): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const row of rows) {
    await step();
    all.push(read(row));
  }
  return all;
}

function calls({
  firstModels,
  secondModels,
}: Record<'firstModels' | 'secondModels', SiteModels>): Record<string, Call> {
  const { warc, wacz } = archives;
  const learning = async (pages: Parameters<typeof learn>[0], options = {}) =>
    Buffer.from((await learn(pages, options)).encode()).toString('base64');
  return {
    extract: (step) => collect(slowly(first, step), step, ({ html, url }) => extract(html, { url })),
    judgePage: (step) => collect(slowly(second, step), step, ({ html, url }) => judgePage(html, { url })),
    learn: (step) => learning(slowly(first, step)),
    learnDom: (step) => learning(slowly(second, step), { detector: 'dom' }),
    learnArchive: () => learning(openArchive(warc)),
    label: (step) =>
      collect(label(slowly(first, step), firstModels), step, ({ tree, ranges, findings }) => [
        renderText(tree, ranges),
        Buffer.from(tree.source).toString(),
        ranges,
        findings,
      ]),
    labelArchive: (step) =>
      collect(label(openArchive(warc), secondModels), step, ({ tree, ranges }) => renderText(tree, ranges)),
    labelWacz: (step) =>
      collect(label(openArchive(wacz), firstModels), step, ({ tree, ranges }) => renderText(tree, ranges)),
    strip: (step) =>
      collect(strip(slowly(second, step), secondModels, { markdown: true }), step, (row) => row),
    stripWacz: (step) => collect(strip(openArchive(wacz), secondModels), step, (row) => row),
    judgePages: (step) =>
      collect(judgePages(slowly(first, step)), step, ({ tree, ranges, sections, shares }) => [
        renderText(tree, ranges),
        sections,
        shares,
      ]),
    judgeArchive: (step) =>
      collect(judgePages(openArchive(warc)), step, ({ tree, ranges }) => renderText(tree, ranges)),
    site: async (step) => {
      const growing = site({ sample: 5 });
      for (const page of second.slice(0, 5)) {
        await step();
        growing.add(page);
      }
      return collect(slowly(second, step), step, (page) => growing.strip(page));
    },
    manySites: async (step) => {
      // more options than the library keeps detectors for
      const sites = Array.from({ length: 10 }, (_, k) => site({ dial: 1 + k / 10 }));
      for (const growing of sites) growing.add(first[0]);
      return collect(slowly(sites, step), step, (growing) => growing.strip(first[1])?.text);
    },
    breaks: async (step) => {
      const texts: string[] = [];
      for (const input of [openArchive(wacz), slowly(first, step)] as Pages[]) {
        for await (const { tree, ranges } of label(input, firstModels)) {
          await step();
          if (texts.push(renderText(tree, ranges)) % 3 === 0) break;
        }
      }
      return texts;
    },
    throws: async (step) => {
      const seen: unknown[] = [];
      for (const input of [openArchive(wacz), slowly(second, step)] as Pages[]) {
        try {
          for await (const row of strip(input, secondModels)) {
            seen.push(row);
            await step();
            if (seen.length % 2 === 0) throw new Error('the consumer failed');
          }
        } catch (error) {
          seen.push((error as Error).message);
        }
      }
      return seen;
    },
  };
}

test('calls give the same bytes alone and in any interleaving', async () => {
  const all = calls({
    firstModels: await learn(first),
    secondModels: await learn(second, { detector: 'dom' }),
  });
  const names = Object.keys(all);
  const alone = new Map<string, string>();
  for (const name of names) alone.set(name, JSON.stringify(await all[name](async () => {})));
  for (const text of alone.values()) expect(text.length).toBeGreaterThan(100);

  const differences: string[] = [];
  for (let seed = 0; seed < SCHEDULES; seed++) {
    const random = seededNumbers(seed);
    const step: Step = async () => {
      const turns = random(4);
      if (turns === 3) await new Promise((resolve) => setImmediate(resolve));
      else for (let k = 0; k < turns; k++) await undefined;
    };
    const chosen = Array.from({ length: 2 + random(4) }, () => names[random(names.length)]);
    const results = await Promise.all(
      chosen.map(async (name) =>
        JSON.stringify(await all[name](step).catch((error: Error) => error.message)),
      ),
    );
    for (const [k, name] of chosen.entries()) {
      if (results[k] !== alone.get(name))
        differences.push(`seed ${seed}: ${name} beside ${chosen}: ${results[k].slice(0, 200)}`);
    }
  }
  expect(differences).toEqual([]);
});

test('a callback that uses the library changes nothing', async () => {
  const models = await learn(first);
  const deep = first.map((page) => ({ ...page, html: `${'<div>'.repeat(9)}${page.html}` }));
  const run = async (onProblem: (problem: Problem) => void) => {
    const options = { limits: { depth: 8 }, onProblem };
    const growing = site(options);
    const texts = deep.map((page) => growing.strip(page)?.text);
    const rows = await collect(
      strip(deep, models, options),
      async () => {},
      (row) => row,
    );
    return [texts, rows];
  };
  const codes: string[] = [];
  const expected = await run(({ code }) => codes.push(code));
  expect(codes).toEqual(Array(2 * PAGES).fill('depth-capped'));
  expect(await run(() => void extract(second[0].html))).toEqual(expected);
});
