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

/** Writes a part of pages, each with what `dom` and what `text` says of it. */
function write(name: string, pages: [page: number, site: string, dom: Range[], text: Range[]][]): string {
  const part = new SequencePart();
  const rows = new RangeRows();
  for (const [page, site, dom, text] of pages) {
    part.beginPage({ page, site, time: '2020-01-01T00:00:00Z' });
    for (const [detector, ranges] of Object.entries({ dom, text })) {
      const fresh = rows.add(page, site, detector, ranges);
      part.add(detector, rows.found, fresh);
    }
  }
  const path = join(folder, name);
  part.write(path);
  return path;
}

test('sites come one after another, whatever parts their pages lie in', () => {
  const files = [
    write('one', [
      [1, 'a.example', [rangeOf('head')], [rangeOf('', 'content')]],
      [2, 'b.example', [rangeOf('head')], [rangeOf('words')]],
    ]),
    write('none', [[3, 'b.example', [rangeOf('', 'content')], [rangeOf('doubted', 'unsure')]]]),
    write('two', [
      [4, 'b.example', [rangeOf('foot')], []],
      [5, 'c.example', [rangeOf('head')], []],
    ]),
  ];
  const sites = [...readSequenceParts(files)].map((parts) =>
    parts.map(({ site, detector, ids, pages }) => [site, detector, ids, [...pages]]),
  );
  expect(sites).toEqual([
    [['a.example', 'dom', ['head'], [1]]],
    [
      ['b.example', 'dom', ['head', 'foot'], [2, 4]],
      ['b.example', 'text', ['words'], [2]],
    ],
    [['c.example', 'dom', ['head'], [5]]],
  ]);
});

test('no parts, and parts without templates, give no sites', () => {
  expect([...readSequenceParts([])]).toEqual([]);
  expect([...readSequenceParts([write('empty', [])])]).toEqual([]);
});
