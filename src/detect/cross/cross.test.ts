import { describe, expect, test } from 'vitest';
import {
  labelOne,
  learn,
  makePage,
  parsePage,
  samplePages,
  testDetector,
  words,
} from '../../../test/detector-contract.ts';
import type { Page } from '../../model/page.ts';
import { crossDetector } from './cross.ts';

const decoder = new TextDecoder();

for (const variant of ['T001', 'T007'] as const) {
  describe(variant, () => {
    testDetector(crossDetector({ variant }), `cross ${variant}`, /on \d of \d similar pages/);
  });
}

const labelOf = (page: Page, text: string, ranges: { start: number; end: number; label: string }[]) => {
  const at = Buffer.from(page.source).indexOf(text);
  return ranges.find(({ start, end }) => start <= at && at < end)?.label;
};

test('what similar pages share is template, the rest content', () => {
  const detector = crossDetector({ variant: 'T001' });
  const pages = samplePages(6);
  const ranges = labelOne(detector, learn(detector, pages), pages[2]);
  expect(labelOf(pages[2], 'Copyright 2011', ranges)).toBe('template');
  expect(labelOf(pages[2], 'Home of the sample', ranges)).toBe('template');
  expect(labelOf(pages[2], words(4, 2), ranges)).toBe('content');
});

test('with captures before and after, a text that changes with each is template and one that stays content', () => {
  const detector = crossDetector({ variant: 'T001' });
  const model = learn(detector, samplePages(2));
  const page = samplePages(9)[8];
  const capture = (visits: string, time: string): Page => ({
    ...page,
    time,
    source: Buffer.from(decoder.decode(page.source).replace('</h1>', `</h1><i>${visits}</i>`)),
  });
  const now = capture('visitor 1234', '2011-01-05T00:00:00Z');
  const context = {
    previous: parsePage(capture('visitor 1111', '2011-01-04T00:00:00Z')),
    next: parsePage(capture('visitor 9999', '2011-01-06T00:00:00Z')),
  };
  const ranges = detector.label(parsePage(now), model, context);
  // up, down, previous, next: only what all have, or both captures alone, is in the tables
  expect(labelOf(now, '1234', ranges)).toBe('unsure');
  const ours = crossDetector({ variant: 'T007' });
  const refined = ours.label(parsePage(now), model, context);
  expect(labelOf(now, '1234', refined)).toBe('template');
  expect(labelOf(now, words(60, 108), refined)).toBe('content');
});

test('a page that is like no other is kept, by the thesis as unsure, and says so', () => {
  for (const [variant, label] of [
    ['T001', 'unsure'],
    ['T007', 'content'],
  ] as const) {
    const detector = crossDetector({ variant });
    const model = learn(detector, samplePages(8));
    const odd = makePage(`<table>${'<tr><td><b>a</b></td></tr>'.repeat(40)}</table>`, 99);
    const codes: string[] = [];
    const ranges = detector.label(parsePage(odd), model, { report: (code) => codes.push(code) });
    expect(ranges.map(({ label }) => label)).toEqual([label]);
    expect(codes).toEqual(['no-similar-page']);
  }
});

test('a page does not serve as its own neighbour', () => {
  const detector = crossDetector({ variant: 'T001' });
  const [page] = samplePages(1);
  const ranges = labelOne(detector, learn(detector, [page]), page);
  expect(ranges.map(({ label }) => label)).toEqual(['unsure']);
});

test('nor do other visits of it', () => {
  const [page] = samplePages(1);
  const visits = ['1a', '2b', '3c'].map((session) => ({
    ...page,
    url: `${page.url}?PHPSESSID=${session.repeat(16)}`,
  }));
  for (const buckets of [false, true]) {
    const detector = crossDetector({ variant: 'T001', buckets });
    const ranges = labelOne(detector, learn(detector, visits.slice(1)), visits[0]);
    expect(ranges.map(({ label }) => label)).toEqual(['unsure']);
  }
});

test('ours: words that a text shares by chance stay content, a year in a template stays template', () => {
  const detector = crossDetector({ variant: 'T007' });
  const body = (text: string, year: number) =>
    `<html><body><div class=menu><a href=/>All the news of the day</a></div><h1>${text} of the title</h1>` +
    `<p>The ${text} is of the ${text} and to the ${text} in which we ${text} for the ${text}</p>` +
    `<div>Copyright ${year} by the editors of the paper</div></body></html>`;
  const pages = [0, 1, 2].map((i) => makePage(body(words(3, i), 2000 + i), i));
  const model = learn(detector, pages);
  const ranges = labelOne(detector, model, pages[1]);
  expect(labelOf(pages[1], 'is of the', ranges)).toBe('content');
  expect(labelOf(pages[1], '2001', ranges)).toBe('template');
  const plain = crossDetector({ variant: 'T001' });
  expect(labelOf(pages[1], 'is of the', labelOne(plain, model, pages[1]))).toBe('template');
});

test('pages without a shared word, of one text and of thousands of equal nodes are labelled', () => {
  const detector = crossDetector();
  const pages = [
    makePage('<p>only</p>', 1),
    makePage(`<ul>${'<li>x</li>'.repeat(20_000)}</ul>`, 2),
    makePage(`<ul>${'<li>x</li>'.repeat(19_999)}<li>y</li></ul>`, 3),
  ];
  const model = learn(detector, pages);
  for (const page of pages) expect(labelOne(detector, model, page).at(-1)?.end).toBe(page.source.length);
});

test('wrong options are refused by name', () => {
  expect(() => crossDetector({ variant: 'T008' as never })).toThrow('variant must be one of T001');
  expect(() => crossDetector({ threshold: 2 })).toThrow('threshold');
  expect(() => crossDetector({ layers: 3 } as never)).toThrow('unknown option "layers"');
});
