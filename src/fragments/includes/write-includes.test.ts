import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analysePages } from '../../../test/analyse-pages.ts';
import {
  generatedPages,
  hostilePages,
  menuOf,
  oddPages,
  pageOf,
  randomPages,
  servedBytes,
} from '../../../test/include-pages.ts';
import type { Page } from '../../model/page.ts';
import { INCLUDE_STYLES } from './include-syntax.ts';
import { encoderOf, verifyIncludes } from './rebuild-pages.ts';
import type { ManifestRow } from './style-writer.ts';
import { type IncludesOptions, type IncludesSummary, writeIncludes } from './write-includes.ts';

let root: string;
let count = 0;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'chaff-includes-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const newFolder = (): string => join(root, String(count++));

interface Written {
  folder: string;
  summary: IncludesSummary;
  result: ReturnType<typeof analysePages>;
}

async function write(pages: Page[], options: Partial<IncludesOptions> = {}): Promise<Written> {
  const folder = newFolder();
  const result = analysePages(pages);
  const summary = await writeIncludes(result, { folder, includeCostBytes: 0, ...options });
  return { folder, summary, result };
}

function manifest(folder: string, style: string): ManifestRow[] {
  const lines = readFileSync(join(folder, style, 'manifest.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as ManifestRow);
}

/** Returns every file below a folder with a digest of its bytes. */
function digests(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return `${file.slice(folder.length)} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`;
    })
    .sort();
}

interface Nunjucks {
  Environment: new (loader: object, options?: object) => { render(path: string): string };
  FileSystemLoader: new (folders: string[]) => object;
}
const nunjucks = createRequire(import.meta.url)('nunjucks') as Nunjucks;

/** Returns the pages of a folder as Nunjucks itself renders them, converted back to their charset. */
function rendered(folder: string, autoescape: boolean): Buffer[] {
  const loader = new nunjucks.FileSystemLoader([folder, join(folder, '_includes')]);
  const environment = new nunjucks.Environment(loader, { autoescape });
  return manifest(join(folder, '..'), 'nunjucks').map(({ file, charset, whole }) => {
    if (whole) return readFileSync(join(folder, file));
    const encode = encoderOf(charset);
    return Buffer.from(encode === null ? '' : encode(Buffer.from(environment.render(file))));
  });
}

const COLLECTIONS: [string, () => Page[]][] = [
  ['a generated site', () => generatedPages({ pages: 12 })],
  ['sloppy markup', () => generatedPages({ soup: true, seed: 3, pages: 12 })],
  ['a site in windows-1251', () => generatedPages({ language: 'ru', charset: 'windows-1251', pages: 12 })],
  ['a site in Shift_JIS', () => generatedPages({ language: 'ja', charset: 'shift_jis', pages: 12 })],
  ['hostile pages', hostilePages],
  ['odd pages', oddPages],
  ['random markup', () => randomPages(300, 2)],
];

test.each(COLLECTIONS)('%s: every page is rebuilt byte for byte in every style', async (_, make) => {
  const pages = make();
  const { folder, result } = await write(pages);
  for (const verified of await verifyIncludes(folder, INCLUDE_STYLES, result)) {
    expect(verified).toMatchObject({ rebuilt: pages.length, failed: [] });
  }
});

test.each(COLLECTIONS)('%s: Nunjucks itself renders every page byte for byte', async (_, make) => {
  const pages = make();
  const { folder } = await write(pages, { styles: ['nunjucks'] });
  for (const autoescape of [true, false]) {
    const outcomes = rendered(join(folder, 'nunjucks'), autoescape);
    const wrong = pages.filter((page, i) => Buffer.compare(outcomes[i], servedBytes(page)) !== 0);
    expect(wrong.map(({ url }) => url)).toEqual([]);
    expect(outcomes).toHaveLength(pages.length);
  }
});

test('includes save most of the repetition on a generated site', async () => {
  const { summary } = await write(generatedPages({ pages: 30 }), { includeCostBytes: undefined });
  for (const { style, servedBytes: served, storedBytes, wholePages } of summary.styles) {
    expect([style, wholePages]).toEqual([style, 0]);
    expect(storedBytes).toBeLessThan(served * 0.7);
  }
});

test('only pages that cannot be split are written whole', async () => {
  const { folder } = await write([...hostilePages(), ...oddPages()]);
  const whole = (style: string): string[] => [
    ...new Set(
      manifest(folder, style)
        .filter((row) => row.whole)
        .map(({ url }) => url.split('/')[3]),
    ),
  ];
  expect(whole('ssi')).toEqual(['damaged', 'utf-16']);
  expect(whole('esi')).toEqual(['damaged', 'utf-16']);
  // templates are text, and a charset of more than 256 characters cannot be converted back, so the page is
  // kept whole
  expect(whole('nunjucks')).toEqual(['gbk', 'damaged', 'utf-16']);
});

test('a fragment gets a file when it saves more bytes than its tags and includes cost', async () => {
  const pages = ['a', 'b', 'c'].map((name) =>
    pageOf(`http://h/${name}`, `<body><p>${name}</p>${menuOf('x')}<i>${name}`),
  );
  const fragmentBytes = Buffer.byteLength(menuOf('x'));
  const tagBytes = `<!--#include virtual="/_fragments/${'0'.repeat(24)}.html" -->`.length;
  const breakEven = (2 * fragmentBytes) / 3 - tagBytes;
  const filesAt = async (includeCostBytes: number): Promise<number> =>
    (await write(pages, { styles: ['ssi'], includeCostBytes })).summary.styles[0].fragments;
  expect(await filesAt(Math.ceil(breakEven))).toBe(0);
  expect(await filesAt(Math.floor(breakEven) - 1)).toBe(1);
});

test('equal fragments with different bytes are judged separately', async () => {
  const spaced = menuOf('x').replace('class="menu"', 'class = "menu"');
  const pages = [
    menuOf('x'),
    menuOf('x'),
    menuOf('x'),
    spaced,
    spaced,
    `${spaced} `.replace('\n', '\n '),
  ].map((menu, i) => pageOf(`http://h/${i}`, `<body><p>${i}</p>${menu}<i>${i}`));
  const { summary, folder } = await write(pages, { styles: ['ssi'] });
  expect(summary.styles[0].fragments).toBe(2);
  const stored = readdirSync(join(folder, 'ssi/_fragments')).map((name) =>
    readFileSync(join(folder, 'ssi/_fragments', name), 'utf8'),
  );
  expect(stored.sort()).toEqual([spaced, menuOf('x')].sort());
});

test('a fragment inside a larger one is included there, too', async () => {
  const inner = menuOf('inner');
  const outer = `<div id="outer"><h1>${'Outer. '.repeat(60)}</h1>${inner}</div>`;
  const pages = [outer, outer, inner, inner].map((html, i) =>
    pageOf(`http://h/${i}`, `<body><p>page ${i}</p>${html}<i>${i}`),
  );
  const { folder, summary } = await write(pages, { styles: ['ssi'] });
  expect(summary.styles[0]).toMatchObject({ fragments: 2, includes: 4 });
  const files = readdirSync(join(folder, 'ssi/_fragments')).map((name) =>
    readFileSync(join(folder, 'ssi/_fragments', name), 'utf8'),
  );
  expect(files.filter((text) => text.includes('<!--#include virtual="/_fragments/'))).toHaveLength(1);
});

test('includes go no deeper than four, however deep fragments nest', async () => {
  const filler = 'Each level is large enough to be worth a file. '.repeat(12);
  const levels = [`<div>${filler}</div>`];
  for (let level = 1; level < 12; level++)
    levels.push(`<div id="l${level}">${filler}${levels[level - 1]}</div>`);
  const pages = levels.flatMap((html, level) =>
    ['x', 'y'].map((copy) =>
      pageOf(`http://h/${level}/${copy}`, `<body><p>${copy} ${level}</p>${html}<i>${copy}`),
    ),
  );
  const { folder, result } = await write(pages, { styles: ['ssi'] });
  const read = (path: string): string => readFileSync(join(folder, 'ssi', path), 'utf8');
  const depthOf = (path: string): number => {
    const inner = [...read(path).matchAll(/virtual="\/([^"]+)"/g)].map(([, each]) => depthOf(each));
    return inner.length === 0 ? 0 : 1 + Math.max(...inner);
  };
  const depths = manifest(folder, 'ssi').map(({ file }) => depthOf(file));
  expect(Math.max(...depths)).toBe(4);
  const [verified] = await verifyIncludes(folder, ['ssi'], result);
  expect(verified.rebuilt).toBe(pages.length);
});

test('a page has at most a thousand includes, and is still rebuilt', async () => {
  const row = (number: number): string => `<p id="p${number}">${`Row number ${number}. `.repeat(20)}</p>`;
  const rows = Array.from({ length: 1200 }, (_, number) => row(number));
  // the second page has them in another order, so they do not form one composite fragment
  const pages = [rows, [...rows].reverse()].map((each, i) =>
    pageOf(`http://h/${i}`, `<body>${each.join('')}`),
  );
  const { summary, result, folder } = await write(pages, { styles: ['ssi'] });
  expect(summary.styles[0].includes).toBe(2000);
  expect((await verifyIncludes(folder, ['ssi'], result))[0].rebuilt).toBe(2);
});

test('differences between structural fragments become parameters of a partial', async () => {
  const cells = (name: string): string =>
    Array.from(
      { length: 16 },
      (_, i) => `<td class="cell number${i}" data-column="column${i}">always the same ${i}</td>`,
    ).join(`<td class="name">${name}</td>`);
  const pages = ['Ann "A"', 'Bob \\ B', 'Cy\n{{ C }}'].map((name, i) =>
    pageOf(`http://h/${i}`, `<body><p>${i}</p><table><tr id="r${i}">${cells(name)}</tr></table>`),
  );
  const { folder, summary } = await write(pages, { styles: ['ssi', 'nunjucks'] });
  expect(summary.styles.map(({ style, partials }) => [style, partials])).toEqual([
    ['ssi', 0],
    ['nunjucks', 1],
  ]);
  const [name] = readdirSync(join(folder, 'nunjucks/_includes/partials'));
  const partial = readFileSync(join(folder, 'nunjucks/_includes/partials', name), 'utf8');
  expect(partial).toContain('<td class="cell number3" data-column="column3">always the same 3</td>');
  expect(partial).toMatch(/<td class="name">\{\{ f\.text\d+ \| safe \}\}<\/td>/);
  expect(partial).not.toContain('Ann');
  const page = readFileSync(join(folder, 'nunjucks', manifest(folder, 'nunjucks')[0].file), 'utf8');
  expect(page).toMatch(
    /\{% set f = \{ .*text\d+: "Ann \\"A\\"".* \} %\}\{% include "partials\/[0-9a-f]+\.njk" %\}/,
  );
});

test('the same pages give the same files', async () => {
  const make = (): Page[] => [...generatedPages({ pages: 6 }), ...oddPages()];
  const first = await write(make());
  const second = await write(make());
  expect(digests(first.folder)).toEqual(digests(second.folder));
});

test('a changed fragment file is detected, with the pages that it affects', async () => {
  const pages = generatedPages({ pages: 12 });
  const { folder, result } = await write(pages, { styles: ['ssi'] });
  const fragments = join(folder, 'ssi/_fragments');
  const name = readdirSync(fragments)[0];
  writeFileSync(join(fragments, name), 'changed');
  const [verified] = await verifyIncludes(folder, ['ssi'], result);
  expect(verified.failedCount).toBeGreaterThan(0);
  expect(verified.failedCount).toBe(verified.failed.length);
  expect(verified.rebuilt + verified.failedCount).toBe(pages.length);
});

test("a folder with somebody else's files is refused, one of ours is overwritten", async () => {
  const folder = newFolder();
  mkdirSync(folder);
  writeFileSync(join(folder, 'thesis.txt'), 'years of work');
  const result = analysePages(generatedPages({ pages: 6 }));
  await expect(writeIncludes(result, { folder })).rejects.toThrow('not empty');
  expect(readdirSync(folder)).toEqual(['thesis.txt']);

  const ours = newFolder();
  await writeIncludes(result, { folder: ours });
  const before = digests(ours);
  writeFileSync(join(ours, 'ssi/_fragments/stale.html'), 'old');
  await writeIncludes(result, { folder: ours });
  expect(digests(ours)).toEqual(before);
});

test('an unknown style and a negative cost are refused', async () => {
  const result = analysePages([]);
  const folder = newFolder();
  await expect(writeIncludes(result, { folder, styles: ['php' as never] })).rejects.toThrow('not "php"');
  await expect(writeIncludes(result, { folder, includeCostBytes: -1 })).rejects.toThrow('not -1');
});

test('a collection without pages gives a folder without pages', async () => {
  const { summary } = await write([]);
  expect(summary.styles.map(({ pages }) => pages)).toEqual([0, 0, 0]);
});
