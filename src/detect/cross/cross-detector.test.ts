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
import type { Explanation } from '../../model/explanation.ts';
import type { Page } from '../../model/page.ts';
import { crossDetector } from './cross-detector.ts';

const decoder = new TextDecoder();

for (const variant of ['T001', 'T007'] as const) {
  describe(variant, () => {
    testDetector(crossDetector({ variant }), `cross ${variant}`, /on \d( to \d)? of \d similar pages/);
  });
}

const labelOf = (page: Page, text: string, ranges: { start: number; end: number; label: string }[]) => {
  const at = Buffer.from(page.source).indexOf(text);
  return ranges.find(({ start, end }) => start <= at && at < end)?.label;
};

test('text shared with similar pages is template, other text content', () => {
  const detector = crossDetector({ variant: 'T001' });
  const pages = samplePages(6);
  const ranges = labelOne(detector, learn(detector, pages), pages[2]);
  expect(labelOf(pages[2], 'Copyright 2011', ranges)).toBe('template');
  expect(labelOf(pages[2], 'Home of the sample', ranges)).toBe('template');
  expect(labelOf(pages[2], words(4, 2), ranges)).toBe('content');
});

test('with captures before and after, changing text is template and unchanged text is content', () => {
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
    earlier: [parsePage(capture('visitor 1111', '2011-01-04T00:00:00Z'))],
    later: [parsePage(capture('visitor 9999', '2011-01-06T00:00:00Z'))],
  };
  const ranges = detector.label(parsePage(now), model, context);
  // up, down, previous, next: the tables only have text in all arms, or in both captures alone
  expect(labelOf(now, '1234', ranges)).toBe('unsure');
  const ours = crossDetector({ variant: 'T007' });
  const refined = ours.label(parsePage(now), model, context);
  expect(labelOf(now, '1234', refined)).toBe('template');
  expect(labelOf(now, words(60, 108), refined)).toBe('content');
});

test('a page without similar pages is kept, as unsure in the variants of the thesis, and reports it', () => {
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

test('a page is not its own neighbour', () => {
  const detector = crossDetector({ variant: 'T001' });
  const [page] = samplePages(1);
  const ranges = labelOne(detector, learn(detector, [page]), page);
  expect(ranges.map(({ label }) => label)).toEqual(['unsure']);
});

test('other captures of a page are not its neighbours', () => {
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

test('T007: words shared by chance stay content, a year in a template stays template', () => {
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

test('pages without a shared word, with one text and with thousands of equal nodes are labelled', () => {
  const detector = crossDetector();
  const pages = [
    makePage('<p>only</p>', 1),
    makePage(`<ul>${'<li>x</li>'.repeat(20_000)}</ul>`, 2),
    makePage(`<ul>${'<li>x</li>'.repeat(19_999)}<li>y</li></ul>`, 3),
  ];
  const model = learn(detector, pages);
  for (const page of pages) expect(labelOne(detector, model, page).at(-1)?.end).toBe(page.source.length);
});

const ERROR_PAGE = `<table>${'<tr><td><b>Service</b> is not available</td></tr>'.repeat(12)}</table>`;

test('an error page under the URL is skipped for the capture before it', () => {
  const detector = crossDetector({ variant: 'T001' });
  const model = learn(detector, samplePages(2));
  const page = samplePages(9)[8];
  const at = (d: number, source = page.source) =>
    parsePage({ ...page, source, time: `2011-01-0${d}T00:00:00Z` });
  const explained: Explanation[] = [];
  const explain = (explanation: Explanation) => explained.push(explanation);
  const earlier = [at(4, Buffer.from(ERROR_PAGE)), at(3)];
  const ranges = detector.label(at(5), model, { earlier, later: [], explain });
  expect(explained[0].crosses[0].bits).toBe('11110');
  expect(explained[0].crosses[0].arms[2]).toMatchObject({ arm: 'previous', time: '2011-01-03T00:00:00Z' });
  expect(labelOf(page, words(60, 108), ranges)).toBe('content');
  // with only the error page there is no capture, and the text is content by table B.2
  detector.label(at(5), model, { earlier: earlier.slice(0, 1), later: [], explain });
  expect(explained[1].crosses[0].bits).toBe('11100');
});

test('up may be any capture of a page, not only its earliest', () => {
  const detector = crossDetector({ variant: 'T001' });
  const [page, other] = samplePages(2);
  const early = { ...other, source: Buffer.from(ERROR_PAGE), time: '2011-01-02T00:00:00Z' };
  const late = { ...other, time: '2011-01-03T00:00:00Z' };
  const explained: Explanation[] = [];
  for (const captures of [
    [early, late],
    [late, early],
  ]) {
    const context = { explain: (explanation: Explanation) => explained.push(explanation) };
    detector.label(parsePage(page), learn(detector, [page, ...captures]), context);
  }
  for (const { crosses } of explained) {
    expect(crosses[0].arms).toMatchObject([{ arm: 'up', url: other.url, time: late.time }]);
  }
});

test('without an archive the nearest captures in the model are used', () => {
  const detector = crossDetector({ variant: 'T001' });
  const page = samplePages(9)[8];
  const at = (d: number) => ({ ...page, time: `2011-01-0${d}T00:00:00Z` });
  const model = learn(detector, [...samplePages(2), at(1), at(3), at(7), at(9)]);
  let arms: string[] = [];
  detector.label(parsePage(at(5)), model, {
    explain: ({ crosses }) => (arms = crosses[0].arms.map(({ arm, time }) => `${arm} ${time.slice(8, 10)}`)),
  });
  expect(arms.slice(2)).toEqual(['previous 03', 'next 07']);
});

test('the phases of labelling are reported in their order', () => {
  const pages = samplePages(6);
  for (const [variant, expected] of [
    ['T001', 'annotate classify classify propagate'],
    ['T006', 'annotate classify train reclassify classify propagate'],
  ] as const) {
    const detector = crossDetector({ variant });
    const phases: string[] = [];
    detector.label(parsePage(pages[2]), learn(detector, pages), { onPhase: (phase) => phases.push(phase) });
    expect(phases.join(' ')).toBe(expected);
  }
});

test('k is the number of nearest neighbours, and options out of range are refused', () => {
  const pages = samplePages(6);
  const labelsBy = (options: Parameters<typeof crossDetector>[0]) => {
    const detector = crossDetector(options);
    return JSON.stringify(labelOne(detector, learn(detector, pages), pages[2]));
  };
  expect(labelsBy({ variant: 'T003', neighbours: 1 })).not.toBe(
    labelsBy({ variant: 'T003', neighbours: 500 }),
  );
  expect(() => crossDetector({ trees: 0 })).toThrow('trees');
  expect(() => crossDetector({ neighbours: 0 })).toThrow('neighbours');
  expect(() => crossDetector({ siteThresholds: { 'a.example': 2 } })).toThrow('threshold of a.example');
});

test('wrong options are refused by name', () => {
  expect(() => crossDetector({ variant: 'T008' as never })).toThrow('variant must be one of T001');
  expect(() => crossDetector({ threshold: 2 })).toThrow('threshold');
  expect(() => crossDetector({ layers: 3 } as never)).toThrow('unknown option "layers"');
});
