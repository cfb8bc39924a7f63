import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AggregatedTemplate, aggregateTemplates } from './aggregate-templates.ts';
import { SequenceCollector, type TemplateSequences } from './template-sequences.ts';

/**
 * Collects pages given as lists of hashes. Each hash covers ten bytes and starts ten bytes after the previous
 * one.
 */
function collect(pages: number[][]): TemplateSequences {
  const collector = new SequenceCollector();
  for (const page of pages) {
    collector.add(
      page,
      page.map((_, k) => 10 * k),
      page.map(() => 10),
    );
  }
  return collector.finish();
}

test('header, menu and footer become one template whatever lies between them', () => {
  const pages = [
    [1, 2, 3],
    [1, 2, 3],
    [1, 7, 2, 3],
    [1, 2, 8, 3],
    [1, 2, 3],
  ];
  expect(aggregateTemplates(collect(pages))).toEqual([
    { templates: [1, 2, 3], pages: 5, occurrences: 5, bytes: 150 },
    { templates: [7], pages: 1, occurrences: 1, bytes: 10 },
    { templates: [8], pages: 1, occurrences: 1, bytes: 10 },
  ]);
});

test('a section of a site gets its own template beside the template of the site', () => {
  const world = Array.from({ length: 4 }, () => [1, 5, 6, 9]);
  const others = Array.from({ length: 20 }, () => [1, 9]);
  const found = aggregateTemplates(collect([...world, ...others]));
  expect(found.map(({ templates, pages }) => [templates, pages])).toEqual([
    [[1, 9], 24],
    [[5, 6], 4],
  ]);
});

test('the prefix that covers most occurrences wins: pages × length', () => {
  // alone, 1 covers 6; with 2 it covers 5 × 2 = 10; with 2 and 3 only 2 × 3 = 6
  const pages = [[1], [1, 2], [1, 2], [1, 2], [1, 2, 3], [1, 2, 3]];
  const [first] = aggregateTemplates(collect(pages));
  expect(first).toMatchObject({ templates: [1, 2], pages: 5 });
});

test('of two hashes on equally many pages the one nearer to the start comes first', () => {
  const pages = [
    [4, 2],
    [4, 2],
  ];
  expect(aggregateTemplates(collect(pages))[0].templates).toEqual([4, 2]);
});

test('a template that a page holds twice is taken off twice', () => {
  const [first] = aggregateTemplates(
    collect([
      [1, 2, 1, 2],
      [1, 2],
    ]),
  );
  expect(first).toEqual({ templates: [1, 2], pages: 2, occurrences: 3, bytes: 60 });
});

test('no pages, or pages without templates, give no aggregated template', () => {
  expect(aggregateTemplates(collect([]))).toEqual([]);
  expect(aggregateTemplates(collect([[], []]))).toEqual([]);
});

test('at most `most` templates are found', () => {
  expect(aggregateTemplates(collect([[1, 2], [2], [3]]), { most: 1 })).toHaveLength(1);
});

const pagesOfHashes = fc.array(fc.array(fc.nat({ max: 5 }), { maxLength: 6 }), { maxLength: 7 });

test('agrees with a plain implementation of the description', () => {
  fc.assert(
    fc.property(pagesOfHashes, (pages) => {
      expect(aggregateTemplates(collect(pages))).toEqual(asDescribed(pages));
    }),
    { numRuns: 500 },
  );
});

test('every occurrence belongs to exactly one template, and pages may come in any order', () => {
  fc.assert(
    fc.property(pagesOfHashes, (pages) => {
      const found = aggregateTemplates(collect(pages));
      const covered = found.reduce(
        (sum, { templates, occurrences }) => sum + templates.length * occurrences,
        0,
      );
      expect(covered).toBe(pages.flat().length);
      expect(aggregateTemplates(collect([...pages].reverse()))).toEqual(found);
    }),
  );
});

test('100,000 pages with a few hundred sequences are aggregated within the time limit', () => {
  const collector = new SequenceCollector();
  for (let page = 0; page < 100_000; page++) {
    const kind = page % 7;
    const hashes = [
      0,
      1,
      10 + kind,
      ...Array.from({ length: 20 }, (_, k) => 20 + kind * 20 + k),
      2,
      200 + (page % 97),
    ];
    collector.add(
      hashes,
      hashes.map((_, k) => 100 * k),
      hashes.map(() => 100),
    );
  }
  const sequences = collector.finish();
  expect(sequences.count).toBe(7 * 97);
  const found = aggregateTemplates(sequences);
  expect(found[0]).toMatchObject({ templates: [0, 1, 2], pages: 100_000 });
});

/** The same aggregation with plain lists, written from the description. */
function asDescribed(pages: number[][]): AggregatedTemplate[] {
  const places = pages.map((page) => page.map((hash, k) => ({ hash, offset: 10 * k })));
  const meanOffset = (hash: number): number => {
    const own = pages
      .flatMap((page) => page.map((one, k) => (one === hash ? 10 * k : -1)))
      .filter((at) => at >= 0);
    return own.reduce((sum, at) => sum + at, 0) / own.length;
  };
  const mostFrequent = (rests: { hash: number }[][]) => {
    const hashes = [...new Set(rests.flat().map(({ hash }) => hash))];
    const pagesWith = (hash: number) => rests.filter((rest) => rest.some((one) => one.hash === hash)).length;
    hashes.sort((a, b) => pagesWith(b) - pagesWith(a) || meanOffset(a) - meanOffset(b) || a - b);
    return hashes.length === 0 ? undefined : { hash: hashes[0], pages: pagesWith(hashes[0]) };
  };
  const found: AggregatedTemplate[] = [];
  for (;;) {
    let rests = places;
    const taken: number[] = [];
    let best = { score: 0, length: 0 };
    for (;;) {
      const next = mostFrequent(rests);
      if (!next) break;
      taken.push(next.hash);
      rests = rests
        .filter((rest) => rest.some(({ hash }) => hash === next.hash))
        .map((rest) => rest.slice(rest.findIndex(({ hash }) => hash === next.hash) + 1));
      if (next.pages * taken.length > best.score)
        best = { score: next.pages * taken.length, length: taken.length };
    }
    if (taken.length === 0) return found;
    const templates = taken.slice(0, best.length);
    const aggregated = { templates, pages: 0, occurrences: 0, bytes: 0 };
    for (const page of places) {
      let times = 0;
      for (; remove(page, templates); times++) aggregated.bytes += 10 * templates.length;
      if (times > 0) aggregated.pages++;
      aggregated.occurrences += times;
    }
    found.push(aggregated);
  }
}

function remove(page: { hash: number }[], templates: number[]): boolean {
  const matched: number[] = [];
  let from = 0;
  for (const template of templates) {
    const at = page.findIndex(({ hash }, k) => k >= from && hash === template);
    if (at < 0) return false;
    matched.push(at);
    from = at + 1;
  }
  for (const at of matched.reverse()) page.splice(at, 1);
  return true;
}
