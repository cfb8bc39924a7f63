import { expect, test } from 'vitest';
import { learn, makePage, parsePage, samplePages, words } from '../../test/detector-contract.ts';
import { domDetector } from './dom.ts';
import { labelWithFloors } from './floors.ts';
import { noneDetector } from './none.ts';

const detector = domDetector();

test('a page with text of its own keeps its labels', () => {
  const pages = samplePages(24);
  const parsed = parsePage(pages[0]);
  const model = learn(detector, pages);
  expect(labelWithFloors(detector, parsed, model)).toEqual({ ranges: detector.label(parsed, model) });
});

test('a site of too few pages is unsure, and says so', () => {
  const pages = samplePages(3);
  const { ranges, problem } = labelWithFloors(detector, parsePage(pages[0]), learn(detector, pages));
  expect(new Set(ranges.map(({ label }) => label))).toEqual(new Set(['content', 'unsure']));
  expect(problem).toMatchObject({
    code: 'too-few-pages',
    site: 'a.example',
    url: 'http://a.example/page/0',
    file: 'a.warc',
  });
  expect(problem?.message).toContain('only 3 of the at least 4 pages');
});

test('a page of which nothing would be left is unsure, and says so', () => {
  const copy = `<html><body><p>${words(50, 1)}</p></body></html>`;
  const pages = [...samplePages(20), ...[30, 31, 32].map((n) => makePage(copy, n))];
  const model = learn(detector, pages);
  const { ranges, problem } = labelWithFloors(detector, parsePage(pages[21]), model);
  expect(ranges.every(({ label }) => label !== 'template')).toBe(true);
  expect(ranges.some(({ label, score }) => label === 'unsure' && score <= 0.5)).toBe(true);
  expect(problem).toMatchObject({ code: 'nothing-left', offset: 31_000 });
});

test('a short page that is not all template is not suspected', () => {
  const pages = [...samplePages(20), makePage('<html><body><p>short</p></body></html>', 40)];
  expect(labelWithFloors(detector, parsePage(pages[20]), learn(detector, pages)).problem).toBeUndefined();
});

test('floors can be moved and are checked', () => {
  const pages = samplePages(3);
  const model = learn(detector, pages);
  expect(labelWithFloors(detector, parsePage(pages[0]), model, { minSitePages: 0 }).problem).toBeUndefined();
  expect(() => labelWithFloors(detector, parsePage(pages[0]), model, { minTextShare: 5 })).toThrow(
    'minTextShare',
  );
});

test('none has nothing to take back', () => {
  const none = noneDetector();
  expect(labelWithFloors(none, parsePage(samplePages(1)[0]), learn(none, [])).problem).toBeUndefined();
});
