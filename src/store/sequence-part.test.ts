import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Range } from '../model/range.ts';
import { RangeRows } from './range-rows.ts';
import { readSequenceParts, SequencePart } from './sequence-part.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-sequences-'));
afterAll(() => rmSync(folder, { recursive: true }));

function rangeOf(template: string, label: Range['label'] = 'template'): Range {
  return { start: 0, end: 10, label, score: 1, template, reason: '' };
}

type PageRanges = [page: number, site: string, url: string, dom: Range[], text: Range[]];

/** Writes pages, each with the labels of `dom` and of `text`, to a part. */
function partOf(pages: PageRanges[]): SequencePart {
  const part = new SequencePart();
  const rows = new RangeRows();
  for (const [page, site, url, dom, text] of pages) {
    part.beginPage({ page, site, url, url_key: url, time: '2020-01-01T00:00:00Z' });
    for (const [detector, ranges] of Object.entries({ dom, text })) {
      const fresh = rows.add(page, site, detector, ranges);
      part.add(detector, rows.found, fresh);
    }
  }
  return part;
}

function write(name: string, pages: PageRanges[], sharedSites: string[]): string {
  const path = join(folder, name);
  partOf(pages).write(path, sharedSites);
  return path;
}

test('the parts of a site are joined, and other sites are left out', () => {
  const shared = ['a.example', 'b.example'];
  const files = [
    write(
      'one',
      [
        [1, 'a.example', '/1', [rangeOf('head')], [rangeOf('', 'content')]],
        [2, 'b.example', '/2', [rangeOf('head')], [rangeOf('words')]],
      ],
      shared,
    ),
    write('none', [[3, 'b.example', '/3', [rangeOf('', 'content')], [rangeOf('doubted', 'unsure')]]], shared),
    write(
      'two',
      [
        [4, 'b.example', '/4', [rangeOf('foot')], []],
        [5, 'c.example', '/5', [rangeOf('head')], []],
      ],
      shared,
    ),
  ];
  const read = (site: string) =>
    readSequenceParts(files, site).map(({ detector, ids, pages }) => [detector, ids, [...pages]]);
  expect(read('a.example')).toEqual([['dom', ['head'], [1]]]);
  expect(read('b.example')).toEqual([
    ['dom', ['head', 'foot'], [2, 4]],
    ['text', ['words'], [2]],
  ]);
  expect(read('c.example')).toEqual([]); // no other part has pages of it
});

test('only a site without pages in other parts is studied at once', () => {
  const part = partOf([
    [1, 'a.example', '/', [rangeOf('head')], []],
    [2, 'b.example', '/', [rangeOf('head')], []],
    [3, 'b.example', '/', [rangeOf('head')], []],
    [4, 'c.example', '/', [rangeOf('', 'content')], []],
  ]);
  const studies = [...part.studies(['a.example'])];
  expect(studies.map(({ site }) => site)).toEqual(['b.example']); // and c has no template
  // two captures of one URL are one page
  expect([...studies[0].detectors[0].ranked.pageCounts]).toEqual([1]);
});

test('no parts, and parts without templates, give no study', () => {
  expect(readSequenceParts([], 'a.example')).toEqual([]);
  expect(readSequenceParts([write('empty', [], [])], 'a.example')).toEqual([]);
});
