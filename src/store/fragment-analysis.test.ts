import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analysePages } from '../fragments/analyse-pages.ts';
import { FragmentDigest } from '../fragments/digest.ts';
import type { Page } from '../model/page.ts';
import { Parser } from '../parse/parser.ts';
import { Database, quote } from './database.ts';
import { analyseFragments } from './fragment-analysis.ts';
import { FragmentPart } from './fragment-part.ts';

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
  await fc.assert(
    fc.asyncProperty(
      collection,
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 2, max: 4 }),
      fc.integer({ min: 1, max: 3 }),
      async (sources, minBytes, minShared, partPages) => {
        const pages = pagesOf(sources);
        const found = await analyse(pages, { minBytes, minShared, partPages });
        expect(found).toEqual(await expected(pages, { minBytes, minShared }));
      },
    ),
    { seed: 20050401, numRuns: 300 },
  );
});

interface Settings {
  minBytes: number;
  minShared?: number;
  partPages?: number;
  memoryMb?: number;
}

/** Classes with their members and sums, in an order of their own. */
async function analyse(pages: Page[], { minBytes, minShared, partPages = 2 }: Settings): Promise<string[]> {
  const folder = join(root, String(folders++));
  await writeTables(database, pages, folder, { minBytes, minShared, partPages });
  const rows = await database.rows<Record<string, never>>(
    `SELECT c.relation, kind, parts, pages, members, sites, avg_bytes, structural_bytes, saved_bytes, c.page, c.url,
       string_agg(concat(m.page, ': ', node, ' ', sibling, ' ', "start", ' ', "end"), ', ' ORDER BY m.page, node) AS list
     FROM read_parquet(${quote(join(folder, 'classes.parquet'))}) c
     JOIN read_parquet(${quote(join(folder, 'members.parquet'))}) m USING (relation, class)
     GROUP BY ALL`,
  );
  return rows.map((row) => Object.values(row).join(' | ')).sort();
}

async function writeTables(
  into: Database,
  pages: Page[],
  folder: string,
  { minBytes, minShared, partPages = 2 }: Settings,
): Promise<void> {
  const parser = new Parser();
  const digest = new FragmentDigest({ minBytes });
  const parts: string[] = [];
  for (let from = 0; from < pages.length; from += partPages) {
    const draft = join(folder, `part-${from}`);
    mkdirSync(draft, { recursive: true });
    const part = new FragmentPart(into, { draft });
    for (let number = from; number < Math.min(pages.length, from + partPages); number++) {
      const page = pages[number];
      digest.read(parser.parse(page.source));
      const row = { ...page, page: number, entry: '', htmlBytes: page.source.length };
      if (part.addPage(row, digest)) await part.flush();
    }
    await part.close(() => ({}));
    parts.push(draft);
  }
  const analysis = await analyseFragments(into, { folders: parts, minBytes, minShared });
  await analysis.write(folder);
  await analysis.drop();
}

async function expected(pages: Page[], settings: Settings): Promise<string[]> {
  const { classes, readPages } = analysePages(pages, settings);
  const lists = new Map<string, string[]>(classes.map(({ id }) => [id, []]));
  for await (const { number, members } of readPages()) {
    for (const { classId, node, sibling, start, end } of members) {
      lists.get(classId)?.push(`${number}: ${node} ${sibling} ${start} ${end}`);
    }
  }
  return classes
    .map((found) =>
      [
        found.relation,
        found.kind,
        found.parts,
        found.pages,
        found.members,
        found.sites,
        found.avgBytes,
        found.structuralBytes,
        found.savedBytes,
        found.page,
        found.url,
        lists.get(found.id)?.join(', '),
      ].join(' | '),
    )
    .sort();
}

function pagesOf(sources: string[]): Page[] {
  return sources.map((html, k) => ({
    url: `http://site${Math.floor(k / 2)}.example/${k}`,
    time: '2005-04-01T00:00:00Z',
    status: 200,
    mime: 'text/html',
    recordId: '',
    payloadDigest: '',
    file: 'pages.warc',
    offset: k,
    length: 1,
    site: `site${Math.floor(k / 2)}.example`,
    charset: 'UTF-8',
    source: new TextEncoder().encode(html),
  }));
}
