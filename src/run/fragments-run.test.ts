import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analysePages } from '../../test/analyse-pages.ts';
import { folderDigest } from '../../test/folder-digest.ts';
import { writeDictionaries } from '../fragments/dictionary/write-dictionaries.ts';
import { verifyIncludes } from '../fragments/includes/rebuild-pages.ts';
import { writeIncludes } from '../fragments/includes/write-includes.ts';
import { writeSelectors } from '../fragments/selectors/write-selectors.ts';
import {
  type FragmentClass,
  type FragmentMember,
  type SharedPage,
  sharePasses,
} from '../fragments/shared-page.ts';
import type { Page } from '../model/page.ts';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';
import { FolderSql } from '../store/folder-sql.ts';
import type { FragmentRunFile } from '../store/run-file.ts';
import { OutputFolderError } from '../store/run-folder.ts';
import { committedFolder } from '../store/task-parts.ts';
import { type FragmentRunOptions, runFragments } from './fragments-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
const newOutput = () => join(mkdtempSync(join(folder, 'run-')), 'out');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let warcs: string[];
let reference: string;
let expected: string;

/** Small parts, so that a small archive makes many tasks. */
const small = { partPages: 20 } satisfies FragmentRunOptions;

beforeAll(async () => {
  const archives = [
    { name: 'one', seed: 1, sites: 2, pagesPerSite: 30, captures: 2 },
    { name: 'two', seed: 2, sites: 1, pagesPerSite: 40, damaged: true },
    { name: 'three', seed: 3, sites: 3, pagesPerSite: 3, soup: true },
  ];
  warcs = [];
  for (const options of archives) warcs.push((await writeSampleArchive(folder, options)).warc);
  reference = newOutput();
  await runFragments(warcs, { ...small, output: reference, workers: 0 });
  expected = folderDigest(reference);
});

test('the folder has its tables and no scratch files', () => {
  expect(readdirSync(reference).sort()).toEqual(['fragments', 'problems.jsonl', 'run.json']);
  expect(readdirSync(join(reference, 'fragments')).sort()).toEqual([
    'classes.parquet',
    'members.parquet',
    'pages.parquet',
    'places.parquet',
  ]);
});

test('every capture is accounted for, those that a later one supersedes among them', async () => {
  const { counts } = readRun(reference);
  const skipped = Object.values(counts.skipped).reduce((a, b) => a + b, 0);
  expect(counts.captures).toBe(counts.pages + skipped);
  expect(counts.skipped.superseded).toBeGreaterThan(60);
  const { run } = await runFragments(warcs, { ...small, captures: 'all', workers: 0 });
  expect(run.counts.skipped.superseded).toBeUndefined();
  expect(run.counts.pages).toBe(counts.pages + counts.skipped.superseded);
  expect(run.counts.complete.sharedBytes).toBeGreaterThan(counts.complete.sharedBytes);
});

test('tasks that an earlier run has committed are not done again', async () => {
  const output = newOutput();
  const stop = new AbortController();
  const stopAt = (done: number) => ({
    ...small,
    output,
    workers: 0,
    signal: stop.signal,
    onProgress: (progress: { stage: string; done: number }) => {
      if (progress.stage === 'digest' && progress.done === done) stop.abort();
    },
  });
  await expect(runFragments(warcs, stopAt(3))).rejects.toMatchObject({ name: 'AbortError' });
  const task = join(committedFolder({ folder: join(output, '.work'), name: 'digest-00000' })!, 'counts.json');
  // a task that ran again would write its own counts
  const counts = JSON.parse(readFileSync(task, 'utf8'));
  writeFileSync(task, JSON.stringify({ ...counts, nodes: counts.nodes + 1000 }));
  const { run } = await runFragments(warcs, { ...small, output, workers: 0 });
  expect(run.counts.nodes).toBe(readRun(reference).counts.nodes + 1000);
});

test('a finished folder is read, not made again, and not written over by another run', async () => {
  let classes = 0;
  const { resumed, run } = await runFragments(warcs, {
    ...small,
    output: reference,
    workers: 0,
    useResult: async (result) => {
      classes = result.classes.length;
    },
  });
  expect(resumed).toBe(true);
  expect(classes).toBe(run.counts.complete.classes + run.counts.structural.classes);
  const other = runFragments(warcs, { ...small, minShared: 3, output: reference, workers: 0 });
  await expect(other).rejects.toThrow(OutputFolderError);
  expect(folderDigest(reference)).toBe(expected);
});

test('a folder is finished when its result was used: killed before, it is gone on with', async () => {
  const output = newOutput();
  const seen: boolean[] = [];
  const options = { ...small, output, workers: 0 };
  const stopped = runFragments([warcs[0]], {
    ...options,
    useResult: async () => {
      seen.push(existsSync(join(output, 'run.json')));
      throw new Error('killed');
    },
  });
  await expect(stopped).rejects.toThrow('killed');
  const { resumed } = await runFragments([warcs[0]], options);
  expect([...seen, resumed, existsSync(join(output, 'run.json'))]).toEqual([false, true, true]);
});

test('the result is that of the plain analysis in memory', async () => {
  const read: SharedPage[] = [];
  const classes: FragmentClass[] = [];
  await runFragments([warcs[2]], {
    workers: 0,
    minBytes: 64,
    useResult: async (result) => {
      classes.push(...result.classes);
      await result.visitPages((shared) => {
        read.push({ ...shared, page: copyPage(shared.page) });
      });
    },
  });
  expect(read.length).toBeGreaterThan(5);
  const twin = analysePages(
    read.map(({ page }) => page),
    { minBytes: 64 },
  );
  // ids are hashes of another kind there: classes are compared by where their members stand
  const pages: SharedPage[] = [];
  for await (const shared of twin.readPages()) pages.push(shared);
  expect(placesOf(read.map(({ members }) => members))).toEqual(placesOf(pages.map(({ members }) => members)));
  const facts = (list: FragmentClass[]) =>
    list
      .map(({ relation, kind, parts, members, pages, sites, savedBytes }) =>
        [relation, kind, parts, members, pages, sites, savedBytes].join(' '),
      )
      .sort();
  expect(facts(classes)).toEqual(facts(twin.classes));
});

test('the library offers the run, and says nothing', async () => {
  const { runFragments: run } = await import('../index.ts');
  const said: unknown[] = [];
  const { write } = process.stdout;
  process.stdout.write = ((text: unknown) => said.push(text) > 0) as typeof process.stdout.write;
  try {
    const { run: file } = await run([warcs[2]], { workers: 0, relations: ['complete'] });
    expect(file.counts.complete.classes).toBeGreaterThan(0);
    expect(file.counts.structural.classes).toBe(0);
  } finally {
    process.stdout.write = write;
  }
  expect(said).toEqual([]);
});

test('pages come in order, with members that lie where they say, none within another', async () => {
  let last = 0;
  let members = 0;
  const { run } = await runFragments(warcs, {
    ...small,
    output: reference,
    workers: 0,
    useResult: async ({ visitPages, classes, pageCount }) => {
      const known = new Set(classes.map(({ id, relation }) => `${relation} ${id}`));
      let count = 0;
      await visitPages(({ number, tree, members: found }) => {
        expect(number).toBeGreaterThan(last);
        last = number;
        count++;
        const ends: Record<string, number> = {};
        for (const { relation, classId, node, sibling, parent, start, end, ...member } of found) {
          expect(known.has(`${relation} ${classId}`)).toBe(true);
          expect(end).toBeGreaterThan(ends[relation] ?? 0);
          ends[relation] = end;
          expect([tree.start[node], sibling <= tree.nodeCount, tree.parent[node]]).toEqual([
            start,
            true,
            parent,
          ]);
          const before = Buffer.from(tree.source.subarray(0, start)).toString('latin1').split('\n');
          expect([member.startLine, member.startColumn]).toEqual([before.length, before.at(-1)!.length + 1]);
          expect(member.completeBytes).toBeGreaterThanOrEqual(256);
          members++;
        }
      });
      expect(count).toBe(pageCount);
    },
  });
  expect(members).toBe(run.counts.complete.members + run.counts.structural.members);
});

test('all exports together read every page at most three times, and parse it at most three times', async () => {
  const reads = { passes: 0, pages: 0, parses: 0 };
  const target = mkdtempSync(join(folder, 'exports-'));
  const { run } = await runFragments(warcs, {
    ...small,
    output: reference,
    workers: 0,
    exportReads: reads,
    useResult: async (result) => {
      await sharePasses<unknown>(result, [
        (shared) => writeSelectors(shared, { file: join(target, 'selectors.jsonl') }),
        async (shared) => {
          const styles = ['ssi', 'esi', 'nunjucks'] as const;
          await writeIncludes(shared, { folder: join(target, 'includes'), styles });
          await verifyIncludes(join(target, 'includes'), styles, shared);
        },
        (shared) => writeDictionaries(shared, { file: join(target, 'dictionary'), measurePages: 1 }),
      ]);
    },
  });
  const { pages } = run.counts;
  expect([reads.passes, reads.pages]).toEqual([3, 3 * pages]);
  expect(reads.parses).toBeLessThanOrEqual(3 * pages);
});

test('an export that needs no trees parses nothing', async () => {
  const reads = { passes: 0, pages: 0, parses: 0 };
  await runFragments(warcs, {
    ...small,
    output: reference,
    workers: 0,
    exportReads: reads,
    useResult: async (result) => {
      await writeDictionaries(result, { file: join(folder, 'dictionary'), measurePages: 0 });
    },
  });
  expect([reads.passes, reads.parses]).toEqual([2, 0]);
});

test('the tables agree with the counts and with each other', async () => {
  const { counts } = readRun(reference);
  const sql = await FolderSql.open(reference);
  const one = async (query: string): Promise<unknown[]> => {
    for await (const [row] of (await sql.query(query)).rows) return row.map(Number);
    throw new Error('no rows');
  };
  expect(await one('SELECT count(*), sum(html_bytes) FROM fragment_pages')).toEqual([
    counts.pages,
    counts.htmlBytes,
  ]);
  for (const relation of ['complete', 'structural'] as const) {
    const { classes, members, sharedBytes, savedBytes } = counts[relation];
    expect(
      await one(
        `SELECT count(*), sum(members), sum(saved_bytes) FROM fragment_classes WHERE relation = '${relation}'`,
      ),
    ).toEqual([classes, members, savedBytes]);
    // bytes of two members that overlap count once
    expect(
      await one(`SELECT count(*), sum("end" - greatest("start", coalesce(reached, 0))) FROM (
        SELECT *, max("end") OVER (PARTITION BY page ORDER BY "start" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached
        FROM fragment_members WHERE relation = '${relation}')`),
    ).toEqual([members, sharedBytes]);
    expect(await one(`SELECT sum(${relation}_shared_bytes) FROM fragment_pages`)).toEqual([sharedBytes]);
  }
  expect(await one(`SELECT count(*) FROM fragment_classes WHERE place = ''`)).toEqual([0]);
  sql.close();
});

test.each([
  [{ minShared: 1 }, /minShared must be a whole number from 2/],
  [{ minBytes: 0 }, /minBytes must be a whole number from 1/],
  [{ relations: [] }, /relations must be some of complete, structural/],
  [{ captures: 'first' as never }, /captures must be last or all/],
])('a wrong option %j is refused by name', async (options, message) => {
  await expect(runFragments(warcs, options)).rejects.toThrow(message);
});

function readRun(path: string): FragmentRunFile {
  return JSON.parse(readFileSync(join(path, 'run.json'), 'utf8'));
}

function copyPage(page: Page): Page {
  return { ...page, source: page.source.slice() };
}

/** The members of every class as a list of places; the lists in one order. */
function placesOf(pages: FragmentMember[][]): string[] {
  const places = new Map<string, string[]>();
  pages.forEach((members, page) => {
    for (const { relation, classId, node, sibling, start, end } of members) {
      const key = `${relation} ${classId}`;
      if (!places.has(key)) places.set(key, []);
      places.get(key)!.push([relation, page, node, sibling, start, end].join(':'));
    }
  });
  return [...places.values()].map((list) => list.join(' ')).sort();
}
