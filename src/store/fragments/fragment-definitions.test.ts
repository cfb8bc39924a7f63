/** The analysis in the database against the definitions of the paper, on three kinds of small random collections. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fragmentsByDefinition } from '../../../test/fragment-definitions.ts';
import { pagesOf, writeTables } from '../../../test/fragment-twins.ts';
import type { Relation } from '../../fragments/shared-page.ts';
import { Database, quote } from '../database.ts';

let root = '';
let database: Database;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'chaff-definitions-'));
  database = await Database.open({ spillFolder: join(root, 'spill') });
});
afterAll(() => {
  database.close();
  rmSync(root, { recursive: true, force: true });
});

type Random = (below: number) => number;

/** Random trees of few names, values and texts. */
function randomTree(random: Random, depth = 0): string {
  const pieces = Array.from({ length: depth === 0 ? 5 + random(5) : random(3) }, () => {
    if (depth === 3 || random(5) === 0) return 'x';
    const name = ['div', 'span'][random(2)];
    const attribute = ['', '', '', ' id=a', ' id=b'][random(5)];
    return `<${name}${attribute}>${randomTree(random, depth + 1)}</${name}>`;
  });
  return pieces.join('');
}

/** Pages of blocks from a small pool, in any order. */
function poolPages(random: Random, pageCount: number): string[] {
  const pool = Array.from({ length: 2 + random(4) }, () => `<div>${randomTree(random, 2)}</div>`);
  return Array.from({ length: pageCount }, () =>
    Array.from({ length: 1 + random(6) }, () => pool[random(pool.length)]).join(''),
  );
}

/** Pages that are pieces of one chain of blocks, with repetitions, wrappers and texts between. */
function chainPages(random: Random, pageCount: number): string[] {
  const chain = Array.from({ length: 3 + random(4) }, (_, k) => `<p>${'ABCD'[random(4)]}${k % 2}</p>`);
  return Array.from({ length: pageCount }, () =>
    Array.from({ length: 1 + random(3) }, () => {
      const from = random(chain.length);
      const piece = chain.slice(from, from + 1 + random(chain.length)).join(random(6) === 0 ? 't' : '');
      return random(4) === 0 ? `<div>${piece}</div>` : piece;
    }).join(['', '', 'u', '<i></i>'][random(4)]),
  );
}

const GENERATORS: Record<string, (random: Random, pageCount: number) => string[]> = {
  'random trees': (random, pageCount) => Array.from({ length: pageCount }, () => randomTree(random)),
  'a pool of blocks': poolPages,
  'chains of blocks': chainPages,
};

const COLLECTIONS = 60;

test.each(Object.keys(GENERATORS))(
  '%s: the result is that of the definitions',
  async (name) => {
    const counts = { primitive: 0, composite: 0 };
    for (let seed = 1; seed <= COLLECTIONS; seed++) {
      const random = seededRandom(seed);
      const sources = GENERATORS[name](random, 3 + random(4));
      const pages = pagesOf(sources);
      const settings = { minShared: 2 + random(2), minBytes: 1 + random(9) };
      const folder = join(root, `${name} ${seed}`);
      await writeTables(database, pages, folder, settings);
      for (const relation of ['complete', 'structural'] as const) {
        const found = await linesOf(folder, relation);
        expect(found, sources.join('\n')).toEqual(fragmentsByDefinition(pages, { relation, ...settings }));
        for (const line of found) counts[line.startsWith('1 |') ? 'primitive' : 'composite']++;
      }
    }
    expect(counts.primitive).toBeGreaterThan(50);
    expect(counts.composite).toBeGreaterThan(5);
  },
  240_000,
);

async function linesOf(folder: string, relation: Relation): Promise<string[]> {
  const rows = await database.rows<{ line: string }>(
    `SELECT concat(parts, ' | ', string_agg(concat(m.page, ': ', "start", '-', "end"), ', ' ORDER BY m.page, "start")) AS line
     FROM read_parquet(${quote(join(folder, 'classes.parquet'))}) c
     JOIN read_parquet(${quote(join(folder, 'members.parquet'))}) m USING (relation, class)
     WHERE relation = ${quote(relation)} GROUP BY relation, class, parts`,
  );
  return rows.map(({ line }) => line).sort();
}

function seededRandom(seed: number): Random {
  let state = Math.imul(seed, 0x85ebca6b);
  return (below) => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % below;
  };
}
