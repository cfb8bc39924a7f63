import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Range } from '../model/range.ts';
import { SiteStudy } from '../study/site-study.ts';
import { SiteTemplates } from '../study/site-templates.ts';
import { Database, quote } from './database.ts';
import { writeSiteTemplates } from './study/site-tables.ts';
import { StudyPart } from './study/study-part.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-templates-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('very many templates are written as parts, in order, each with the text of its first page', async () => {
  const database = await Database.open({ spillFolder: join(folder, 'spill'), memoryMb: 256, threads: 1 });
  const write = async (name: string, query: string) => {
    const path = join(folder, `${name}.parquet`);
    await database.run(`COPY (${query}) TO ${quote(path)} (FORMAT parquet)`);
    return [path];
  };
  // template k is on pages 1 and 2 and, when it is even, on page 3
  const templates = 40_000;
  const places = `FROM range(1, ${templates + 1}) t(k), range(1, 4) p(page) WHERE page < 3 OR k % 2 = 0`;
  const sightings = await write(
    'sightings',
    `SELECT 'a.example' AS site, 'dom' AS detector, 't' || k AS template, page::UINTEGER AS page,
       'text ' || k || ' of page ' || page AS text, 1::UINTEGER AS links, '/x' || chr(10) || '/y' AS targets, 'menu' AS role, 'nav.main' AS place ${places}`,
  );
  const site = new SiteTemplates('a.example', 'dom');
  const ranges = Array.from(
    { length: templates },
    (_, k): Range => ({
      start: 100 * k,
      end: 100 * k + 10,
      label: 'template',
      score: 1,
      template: `t${k + 1}`,
      reason: '',
    }),
  );
  for (const page of [1, 2]) site.add(page, `2020-01-0${page}T00:00:00Z`, ranges);
  const even = ranges.filter((_, k) => k % 2 === 1);
  site.add(3, '2020-01-03T00:00:00Z', even);
  const task = mkdtempSync(join(folder, 'task-'));
  const part = new StudyPart(task);
  part.add(new SiteStudy([site.data()], new Map()));
  part.close();
  const parts: string[] = [];
  const count = await writeSiteTemplates(database, { taskFolders: [task], sightings }, (part) => {
    parts[part] = join(folder, `part-${part}.parquet`);
    return parts[part];
  });
  expect(count).toBe(templates);
  expect(parts).toHaveLength(3);
  const all: { template: string; pages: number; text: string; last_seen: string }[] = [];
  for (const part of parts) {
    all.push(
      ...(await database.rows<(typeof all)[number]>(
        `SELECT template, pages, text, last_seen FROM read_parquet(${quote(part)})`,
      )),
    );
  }
  database.close();
  const expected = Array.from({ length: templates }, (_, k) => `t${k + 1}`)
    .map((template) => ({ template, pages: Number(template.slice(1)) % 2 === 0 ? 3 : 2 }))
    .sort((a, b) => b.pages - a.pages || (a.template < b.template ? -1 : 1))
    .map(({ template, pages }) => ({
      template,
      pages,
      text: `text ${template.slice(1)} of page 1`,
      last_seen: `2020-01-0${pages}T00:00:00Z`,
    }));
  expect(all).toEqual(expected);
});
