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

test('pages with the same templates in the same order are one schema, the commonest is the first', () => {
  const { schemas, numberOf } = findSchemas(
    collect([
      [5, 6],
      [1, 2, 3],
      [1, 2, 3],
      [5, 6],
      [1, 2, 3],
    ]),
  );
  expect(schemas.map(({ number, pages, templates }) => [number, pages, templates])).toEqual([
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

test('a large one does', () => {
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

test('pages may come in any order, and every page with templates is in one schema', () => {
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
