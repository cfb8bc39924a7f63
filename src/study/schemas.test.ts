import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findSchemas } from './schemas.ts';
import { SequenceCollector, type TemplateSequences } from './template-sequences.ts';

const SIZES = [0, 1000, 600, 300, 20, 500, 400];

function collect(pages: number[][]): TemplateSequences {
  const collector = new SequenceCollector();
  for (const page of pages) {
    collector.add(
      page,
      page.map((_, k) => 10 * k),
      page.map((template) => SIZES[template] ?? 50),
    );
  }
  return collector.finish();
}

test('pages with the same templates in the same order are one schema, and the commonest schema comes first', () => {
  const sequences = collect([
    [5, 6],
    [1, 2, 3],
    [1, 2, 3],
    [5, 6],
    [1, 2, 3],
  ]);
  const { schemas, numberOf } = findSchemas(sequences);
  const { start, template } = sequences;
  const found = schemas.map(({ number, pages, leader }) => [
    number,
    pages,
    [...template.subarray(start[leader], start[leader + 1])],
  ]);
  expect(found).toEqual([
    [1, 3, [1, 2, 3]],
    [2, 2, [5, 6]],
  ]);
  expect([...numberOf]).toEqual([2, 1, 1, 2, 1]);
});

test('a small template that is missing on some pages does not make a schema of its own', () => {
  const { schemas, likenessOf } = findSchemas(
    collect([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3, 4],
    ]),
  );
  expect(schemas).toHaveLength(1);
  expect(likenessOf[2]).toBeCloseTo(1900 / 1920, 5);
});

test('a large template that is missing on some pages does make a schema of its own', () => {
  expect(
    findSchemas(
      collect([
        [1, 2],
        [1, 2],
        [1, 2, 5],
      ]),
    ).schemas,
  ).toHaveLength(2);
});

test('a page without templates has no schema', () => {
  const { schemas, numberOf } = findSchemas(collect([[], [1]]));
  expect(schemas).toHaveLength(1);
  expect([...numberOf]).toEqual([0, 1]);
});

test('every page with templates is in one schema, whatever the order of pages', () => {
  const site = fc.array(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 5 }), { maxLength: 12 });
  fc.assert(
    fc.property(site, (pages) => {
      const { schemas, numberOf } = findSchemas(collect(pages));
      const reversed = findSchemas(collect([...pages].reverse()));
      expect([...reversed.numberOf].reverse()).toEqual([...numberOf]);
      expect(schemas.reduce((sum, schema) => sum + schema.pages, 0)).toBe(
        pages.filter((page) => page.length > 0).length,
      );
      for (const { number, pages: own } of schemas) {
        expect([...numberOf].filter((one) => one === number)).toHaveLength(own);
      }
    }),
  );
});

test('leaders agree with comparing every sequence with every leader', () => {
  const page = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(page, { maxLength: 30 }), (pages) => {
      const sequences = collect(pages);
      const plain = plainLeaders(sequences);
      const { schemas, numberOf, likenessOf } = findSchemas(sequences);
      for (const [k, s] of sequences.sequenceOf.entries()) {
        if (s < 0) continue;
        expect(schemas[numberOf[k] - 1].leader).toBe(plain[s].leader);
        expect(likenessOf[k]).toBe(Math.fround(plain[s].likeness));
      }
    }),
    { numRuns: 300 },
  );
});

/**
 * Returns the leader of each sequence by definition: the most alike of the leaders that share a large
 * template, commonest sequences first.
 */
function plainLeaders({ count, start, template, bytes, pages }: TemplateSequences) {
  const bags = Array.from({ length: count }, (_, s) => {
    const bag = new Map<number, number>();
    for (let at = start[s]; at < start[s + 1]; at++) {
      bag.set(template[at], (bag.get(template[at]) ?? 0) + bytes[at] / pages[s]);
    }
    const total = [...bag.values()].reduce((sum, size) => sum + size, 0);
    const largest = [...bag].sort(([a, m], [b, n]) => n - m || a - b).slice(0, 4);
    return { bag, total, largest: largest.map(([one]) => one) };
  });
  const length = (s: number) => start[s + 1] - start[s];
  const text = (s: number) => [...template.subarray(start[s], start[s + 1])].map((one) => 100 + one).join();
  const order = Array.from(bags.keys()).sort(
    (a, b) => pages[b] - pages[a] || length(b) - length(a) || (text(a) < text(b) ? -1 : 1),
  );
  const found: { leader: number; likeness: number }[] = [];
  const leaders: number[] = [];
  for (const s of order) {
    const candidates = new Set(
      bags[s].largest.flatMap((one) => leaders.filter((leader) => bags[leader].largest.includes(one))),
    );
    found[s] = { leader: s, likeness: 0 };
    for (const leader of candidates) {
      const [small, large] = bags[s].bag.size <= bags[leader].bag.size ? [s, leader] : [leader, s];
      let shared = 0;
      for (const [one, size] of bags[small].bag) shared += Math.min(size, bags[large].bag.get(one) ?? 0);
      const likeness = shared / (bags[s].total + bags[leader].total - shared);
      if (likeness >= 0.8 && likeness > found[s].likeness) found[s] = { leader, likeness };
    }
    if (found[s].leader !== s) continue;
    found[s].likeness = 1;
    leaders.push(s);
  }
  return found;
}
