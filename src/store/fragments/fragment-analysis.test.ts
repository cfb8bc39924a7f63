import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  analyseInDatabase,
  analyseInMemory,
  pagesOf,
  type Settings,
  writeParts,
  writeTables,
} from '../../../test/fragment-twins.ts';
import { FragmentDigest } from '../../fragments/digest.ts';
import type { Page } from '../../model/page.ts';
import { Parser } from '../../parse/parser.ts';
import { openArchive } from '../../run/library/open-archive.ts';
import { Database, quote } from '../database.ts';
import { analyseFragments } from './fragment-analysis.ts';
import { FragmentPart } from './fragment-part.ts';
import { separateIds } from './fragment-sweep.ts';

let root = '';
let database: Database;
let folders = 0;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'chaff-fragments-'));
  database = await Database.open({ spillFolder: join(root, 'spill') });
});
afterAll(() => {
  database.close();
  rmSync(root, { recursive: true, force: true });
});

function analyse(pages: Page[], settings: Settings): Promise<string[]> {
  return analyseInDatabase(database, pages, join(root, String(folders++)), settings);
}

const attribute = fc.constantFrom('', ' class=a', ' class="b"', ' id=x title', " title='' class=a");
const text = fc.constantFrom('', 'x', ' yy  z ', 'a longer text', '<!-- note -->', '<script>x  y</script>');
const { tree } = fc.letrec<{ tree: string; element: string }>((tie) => ({
  tree: fc
    .array(fc.oneof({ weight: 2, arbitrary: tie('element') }, text), { maxLength: 5 })
    .map((parts) => parts.join('')),
  element: fc
    .tuple(
      fc.constantFrom('div', 'section', 'span'),
      attribute,
      fc.oneof({ depthSize: 'small', withCrossShrink: true }, text, tie('tree')),
    )
    .map(([name, attributes, inner]) => `<${name}${attributes}>${inner}</${name}>`),
}));
/** Pages of few different pieces, so that much is shared. */
const collection = fc
  .array(tree, { minLength: 1, maxLength: 4 })
  .chain((pieces) =>
    fc.array(fc.array(fc.oneof(fc.constantFrom(...pieces), text), { maxLength: 6 }), {
      minLength: 1,
      maxLength: 6,
    }),
  )
  .map((pages) => pages.map((pieces) => pieces.join('')));

test('the analysis in the database finds what the definitions say', async () => {
  const kinds = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      collection,
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 2, max: 4 }),
      fc.constantFrom('exact' as const, 'merged' as const),
      async (sources, minBytes, minShared, composites) => {
        const pages = pagesOf(sources);
        const settings = { minBytes, minShared, composites };
        const found = await analyse(pages, settings);
        expect(found).toEqual(await analyseInMemory(pages, settings));
        for (const row of found) kinds.add(row.split(' | ').slice(0, 2).join(' '));
      },
    ),
    { seed: 20050401, numRuns: 120 },
  );
  expect([...kinds].sort()).toEqual([
    'complete composite',
    'complete primitive',
    'structural composite',
    'structural primitive',
  ]);
}, 240_000);

const [a, b, c, d] = ['alpha', 'beta', 'gamma', 'delta'].map(
  (word) => `<p class=${word}>the ${word} part</p>`,
);
const inner = '<ul><li>one<li>two<li>three</ul>';
const outer = `<div>before ${inner} after</div>`;

test.each<[name: string, sources: string[], classes: string[]]>([
  ['neighbours that are always together', [`${a}${b}${c}1`, `${a}${b}${c}2`], ['composite of 3 × 2']],
  [
    'four classes that merge in pairs (Fig. 2 of the paper)',
    [`${a}${b}${c}${d}1`, `${c}${d}${a}${b}2`],
    ['composite of 2 × 2', 'composite of 2 × 2'],
  ],
  ['a neighbour that is alone once', [`${a}${b}1`, `${a}${b}2`, `${b}3`], ['composite of 2 × 2']],
  ['the same between neighbours', [`${a} and <br>${b}1`, `${a}  and<br> ${b}2`], ['composite of 2 × 2']],
  ['something else between them', [`${a} and ${b}1`, `${a} or ${b}2`], ['primitive × 2', 'primitive × 2']],
  ['nothing between them once', [`${a}${b}1`, `${a}<br>${b}2`], ['primitive × 2', 'primitive × 2']],
  ['different parents', [`${a}${b}1`, `<div>${a}</div><div>${b}</div>2`], ['primitive × 2', 'primitive × 2']],
  ['equal siblings', [`${a}${a}${a}`], ['primitive × 3']],
  ['equal siblings before another', [`${a}${a}${b}1`, `${a}${a}${b}2`], ['composite of 3 × 2']],
  ['equal siblings that never overlap', [`${a}${a}1`, `${a}${a}2`], ['composite of 2 × 2']],
  ['equal siblings of different number', [`${a}${a}${a}1`, `${a}${a}2`], ['primitive × 5']],
  ['a repetition of two', [`${a}${b}${a}${b}${a}${b}1`], ['composite of 2 × 2', 'composite of 2 × 3']],
  [
    'parts in two composites',
    [`${a}${b}${c}1`, `${a}${b}2`, `${b}${c}3`],
    ['composite of 2 × 2', 'composite of 2 × 2'],
  ],
  [
    'a part that is often alone as well',
    [`${a}${b}1`, `${a}${b}2`, `${b}3`, `${b}4`],
    ['composite of 2 × 2', 'primitive × 2'],
  ],
  [
    'too few of the longer one, enough of the shorter',
    [`${a}${b}${c}1`, `${a}${b}2`, `${a}3`, `${a}4`],
    ['composite of 2 × 2', 'primitive × 2'],
  ],
  ['all inside a larger one', [`${outer}1`, `${outer}2`, `${inner}3`], ['primitive × 2']],
  [
    'enough outside of it',
    [`${outer}1`, `${outer}2`, `${inner}3`, `${inner}4`],
    ['primitive × 2', 'primitive × 2'],
  ],
  ['pages that are the same', [`${a}${b}`, `${a}${b}`, `${a}${b}`], ['primitive × 3']],
  ['pages that share nothing', [`${a}1`, `${b}2`], []],
  ['one page', [`${a}${outer}`], []],
  ['a page without a byte', ['', `${a}1`, `${a}2`], ['primitive × 2']],
  ['no pages', [], []],
])('%s', async (_, sources, classes) => {
  const pages = pagesOf(sources);
  const found = await analyse(pages, { minBytes: 18, partPages: 3 });
  expect(found).toEqual(await analyseInMemory(pages, { minBytes: 18 }));
  expect(completeOf(found)).toEqual(classes);
});

/** Kinds and sizes of the complete classes. */
function completeOf(found: string[]): string[] {
  const complete = found.map((row) => row.split(' | ')).filter(([relation]) => relation === 'complete');
  const named = complete.map(
    ([, kind, parts, , members]) => `${kind}${parts === '1' ? '' : ` of ${parts}`} × ${members}`,
  );
  return named.sort();
}

test.each<[name: string, sources: string[], classes: string[]]>([
  ['neighbours that are always together', [`${a}${b}${c}1`, `${a}${b}${c}2`], ['composite of 3 × 2']],
  [
    'four classes that merge in pairs (Fig. 2 of the paper)',
    [`${a}${b}${c}${d}1`, `${c}${d}${a}${b}2`],
    ['composite of 2 × 2', 'composite of 2 × 2'],
  ],
  ['a neighbour that is alone once', [`${a}${b}1`, `${a}${b}2`, `${b}3`], ['primitive × 2', 'primitive × 3']],
  ['equal siblings before another', [`${a}${a}${b}1`, `${a}${a}${b}2`], ['primitive × 2', 'primitive × 4']],
])('merged as in section 3.3 of the paper: %s', async (_, sources, classes) => {
  const pages = pagesOf(sources);
  const found = await analyse(pages, { minBytes: 18, composites: 'merged' });
  expect(found).toEqual(await analyseInMemory(pages, { minBytes: 18, composites: 'merged' }));
  expect(completeOf(found)).toEqual(classes);
});

const sites = join(process.env.CHAFF_DATA ?? '', 'sites');
const missing = !process.env.CHAFF_DATA || !existsSync(sites);

test.skipIf(missing).each(['klnet-forum', '90minutos', 'python3.11'])(
  'fragments of %s are those the definitions say (skipped unless CHAFF_DATA names the folder of real data)',
  async (name) => {
    const pages: Page[] = [];
    for await (const page of openArchive(join(sites, `${name}.warc.gz`))) {
      if (pages.push(page) === 20) break;
    }
    for (const [minBytes, composites] of [
      [30, 'exact'],
      [30, 'merged'],
      [256, 'exact'],
    ] as const) {
      const found = await analyse(pages, { minBytes, composites, partPages: 20 });
      expect(found.length).toBeGreaterThan(5);
      expect(found).toEqual(await analyseInMemory(pages, { minBytes, composites }));
    }
  },
);

test('100,000 fragments under one parent are merged in one pass', async () => {
  const items = Array.from({ length: 50_000 }, (_, k) => `<p>item ${k}</p>`).join('');
  const pages = pagesOf([`${items}1`, `${items}2`]);
  const found = await analyse(pages, { minBytes: 7 });
  const complete = found.map((row) => row.split(' | ')).filter(([relation]) => relation === 'complete');
  expect(complete.map((row) => row.slice(1, 5))).toEqual([['composite', '50000', '2', '2']]);
});

test.each([
  ['one', [a], 'primitive × 100000'],
  ['two', [a, b], 'composite of 2 × 50000'],
])('100,000 siblings that repeat %s are not compared in pairs', async (_, pieces, most) => {
  const repeated = Array.from({ length: 100_000 }, (__, k) => pieces[k % pieces.length]).join('');
  const found = await analyse(pagesOf([`<main>${repeated}</main>`]), { minBytes: 18 });
  expect(completeOf(found)).toContain(most);
});

const SCARCE_MB = 40;

test('a collection that does not fit in memory gives the same files', async () => {
  const plenty = await Database.open({ memoryMb: 1000 });
  const scarce = await Database.open({ memoryMb: SCARCE_MB, spillFolder: join(root, 'scarce') });
  const parts = writeManyRows(join(root, 'many'), 1_000_000);
  const options = { folders: parts, minBytes: 20 };
  for (const [name, limited] of Object.entries({ plenty, scarce })) {
    mkdirSync(join(root, name), { recursive: true });
    await (await analyseFragments(limited, options)).write(join(root, name));
  }
  for (const file of ['classes.parquet', 'members.parquet', 'pages.parquet']) {
    expect(readFileSync(join(root, 'scarce', file)).equals(readFileSync(join(root, 'plenty', file)))).toBe(
      true,
    );
  }
  plenty.close();
  scarce.close();

  // and indeed it does not fit
  const narrow = await Database.open({ memoryMb: SCARCE_MB });
  await narrow.run("SET temp_directory = ''");
  await expect(analyseFragments(narrow, options)).rejects.toThrow(/Out of Memory/);
  narrow.close();
}, 240_000);

test('the division into parts does not matter', async () => {
  const pages = pagesOf([`${a}${b}1`, `${a}${b}2`, `${outer}${a}`, `${outer}${a}`]);
  const files: string[][] = [];
  for (const partPages of [1, 4]) {
    const folder = join(root, `cut-${partPages}`);
    await writeTables(database, pages, folder, { minBytes: 18, partPages });
    files.push(
      ['classes', 'members', 'pages'].map((name) => readFileSync(join(folder, `${name}.parquet`), 'hex')),
    );
  }
  expect(files[0]).toEqual(files[1]);
});

test('pages have the share that fragments cover', async () => {
  const folder = join(root, 'shares');
  await writeTables(database, pagesOf([`${a}1`, `${a}2`, 'nothing']), folder, { minBytes: 18 });
  const rows = await database.rows(
    `SELECT page, site, html_bytes, complete_fragments, complete_shared_bytes, complete_share, structural_fragments
     FROM read_parquet(${quote(join(folder, 'pages.parquet'))})`,
  );
  const shared = { html_bytes: a.length + 1, complete_fragments: 1, complete_shared_bytes: a.length };
  expect(rows).toMatchObject([
    { page: 0, site: 'site0.example', ...shared },
    { page: 1, site: 'site0.example', ...shared },
    { page: 2, site: 'site1.example', complete_fragments: 0, complete_shared_bytes: 0, complete_share: 0 },
  ]);
  expect(rows[0].complete_share).toBeCloseTo(a.length / (a.length + 1));
});

test('the classes that save most are described from their first members', async () => {
  const parts = writeParts(pagesOf([`${a}${outer}`, `x${outer}`, `${a}y`]), join(root, 'named'), {
    minBytes: 18,
  });
  const analysis = await analyseFragments(database, {
    folders: parts,
    minBytes: 18,
    relations: ['complete'],
  });
  expect([analysis.classCount('complete'), analysis.classCount('structural')]).toEqual([2, 0]);
  const [first, ...others] = analysis.firstMembers(1);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ relation: 'complete', page: 0 });
  analysis.describe(first, { place: 'html > body > div', text: 'before' });
  await analysis.write(join(root, 'named'));
  await analysis.drop();
  const rows = await database.rows(
    `SELECT place, text, url FROM read_parquet(${quote(join(root, 'named', 'classes.parquet'))})`,
  );
  expect(rows).toEqual([
    { place: 'html > body > div', text: 'before', url: 'http://site0.example/0' },
    { place: '', text: '', url: 'http://site0.example/0' },
  ]);
});

test('of classes that save the same, those described are the first of the table', async () => {
  const into = join(root, 'ties');
  // apart from each other by texts of their own, so that none are merged
  const page = (n: number) =>
    Array.from({ length: 40 }, (_, k) => `<p>a longer paragraph ${10 + k}</p>${n}-${k}`).join('');
  const parts = writeParts(pagesOf([page(1), page(2)]), into, { minBytes: 18 });
  const analysis = await analyseFragments(database, {
    folders: parts,
    minBytes: 18,
    relations: ['complete'],
  });
  expect(analysis.classCount('complete')).toBe(40);
  for (const member of analysis.firstMembers(5)) analysis.describe(member, { place: 'p', text: '' });
  await analysis.write(into);
  await analysis.drop();
  const rows = await database.rows<{ place: string }>(
    `SELECT place FROM read_parquet(${quote(join(into, 'classes.parquet'))})`,
  );
  expect(rows.map(({ place }) => place).join('')).toBe('ppppp');
  expect(rows.slice(0, 5).map(({ place }) => place)).toEqual(['p', 'p', 'p', 'p', 'p']);
});

test('pages of a site that are not adjacent are refused', async () => {
  const pages = pagesOf([a, a, a]);
  pages[2].site = pages[0].site;
  pages[1].site = 'other.example';
  const parts = writeParts(pages, join(root, 'mixed'), { minBytes: 18 });
  await expect(analyseFragments(database, { folders: parts })).rejects.toThrow('not adjacent');
});

test('two classes never have the same id', () => {
  const ids = BigUint64Array.of(5n, 7n, 5n, 6n, 5n);
  separateIds(ids);
  expect([...ids]).toEqual([5n, 7n, 6n, 8n, 9n]);
});

/** Digests of one page with its hashes changed in part: some rows are shared by many pages, some by two. */
function writeManyRows(draft: string, rowCount: number): string[] {
  mkdirSync(draft, { recursive: true });
  const part = new FragmentPart({ draft });
  const digest = new FragmentDigest({ minBytes: 20 });
  digest.read(new Parser().parse(Buffer.from(`${a}<div>${b}${outer.repeat(100)}</div>${c}`)));
  const content = digest.content.slice();
  const [page] = pagesOf(['']);
  let rows = 0;
  for (let number = 1; rows < rowCount; number++) {
    for (let row = 0; row < digest.rowCount; row++) {
      digest.content[row * 2] = content[row * 2] ^ (row % 3 === 0 ? 0 : Math.imul(number >> 1, 0x9e3779b1));
    }
    part.addPage({ ...page, page: number, entry: '', htmlBytes: 1 }, digest);
    rows += digest.rowCount;
  }
  part.close();
  return [draft];
}
