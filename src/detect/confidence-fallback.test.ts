import { expect, test } from 'vitest';
import { learn, makePage, parsePage, samplePages, words } from '../../test/detector-contract.ts';
import { linkModel } from '../../test/link-model.ts';
import { labelWithFloors } from './confidence-fallback.ts';
import { domDetector } from './dom-detector.ts';
import { jointDetector } from './joint/joint-detector.ts';
import { noneDetector } from './none-detector.ts';
import { judgeAlone } from './page/judge-alone.ts';
import { pageDetector } from './page/page-detector.ts';

const detector = domDetector();

test('a page with its own text keeps its labels', () => {
  const pages = samplePages(24);
  const parsed = parsePage(pages[0]);
  const model = learn(detector, pages);
  expect(labelWithFloors(detector, parsed, model)).toEqual({ ranges: detector.label(parsed, model) });
});

test('a page of a site with too few pages is judged alone, and a problem reports it', () => {
  const pages = samplePages(3);
  const parsed = parsePage(pages[0]);
  const { ranges, problem, usedFallback } = labelWithFloors(detector, parsed, learn(detector, pages));
  expect(ranges).toEqual(judgeAlone(parsed));
  expect(usedFallback).toBe('page');
  expect(problem).toMatchObject({
    code: 'too-few-pages',
    site: 'a.example',
    url: 'http://a.example/page/0',
    file: 'a.warc',
  });
  expect(problem?.message).toMatch(/only 3 of the at least 4 pages.*the page-level verdict was used/);
});

test('verdicts of joint never fall back, on a site of one page or on a repeated page', () => {
  const joint = jointDetector();
  const pages = samplePages(1);
  const parsed = parsePage(pages[0]);
  const model = learn(joint, pages);
  expect(labelWithFloors(joint, parsed, model)).toEqual({ ranges: joint.label(parsed, model) });
  const copies = [1, 2, 3, 4, 5, 6].map((n) => makePage('<p>The same on all of the pages.</p>', n));
  const copy = parsePage(copies[0]);
  const ofCopies = learn(joint, copies);
  expect(labelWithFloors(joint, copy, ofCopies)).toEqual({ ranges: joint.label(copy, ofCopies) });
});

test('below the thresholds pages are judged by the given model and options', () => {
  const pages = samplePages(3);
  const parsed = parsePage(pages[0]);
  const model = learn(detector, pages);
  const page = { model: linkModel(), threshold: 0.3 };
  const { ranges, usedFallback } = labelWithFloors(detector, parsed, model, { page });
  expect(usedFallback).toBe('page');
  const judged = pageDetector(page);
  expect(ranges).toEqual(judged.label(parsed, learn(judged, pages)));
  expect(ranges).not.toEqual(labelWithFloors(detector, parsed, model).ranges);
});

test('with fallback `unsure`, pages of a site with too few pages are unsure, and a problem reports it', () => {
  const pages = samplePages(3);
  const floors = { fallback: 'unsure' } as const;
  const parsed = parsePage(pages[0]);
  const { ranges, problem, usedFallback } = labelWithFloors(detector, parsed, learn(detector, pages), floors);
  expect(new Set(ranges.map(({ label }) => label))).toEqual(new Set(['content', 'unsure']));
  expect(usedFallback).toBe('unsure');
  expect(problem?.message).toMatch(/only 3 of the at least 4 pages.*labelled unsure/);
});

test('a page without remaining text is judged alone or unsure, and a problem reports it', () => {
  const copy = `<html><body><p>${words(50, 1)}</p></body></html>`;
  const pages = [...samplePages(20), ...[30, 31, 32].map((n) => makePage(copy, n))];
  const model = learn(detector, pages);
  const parsed = parsePage(pages[21]);
  const alone = labelWithFloors(detector, parsed, model);
  expect(alone.ranges.every(({ label }) => label !== 'template')).toBe(true);
  expect(alone.problem).toMatchObject({ code: 'nothing-left', offset: 31_000 });
  const { ranges, problem } = labelWithFloors(detector, parsed, model, { fallback: 'unsure' });
  expect(ranges.every(({ label }) => label !== 'template')).toBe(true);
  expect(ranges.some(({ label, score }) => label === 'unsure' && score <= 0.5)).toBe(true);
  expect(problem).toMatchObject({ code: 'nothing-left', offset: 31_000 });
});

test('a page is unsure when the page detector leaves no text either', () => {
  // only links
  const menu = Array.from({ length: 40 }, (_, k) => `<li><a href="/${k}">Item ${k}</a></li>`).join('');
  const html = `<html><body><div class="menu footer nav"><ul>${menu}</ul></div></body></html>`;
  const pages = [1, 2, 3, 4, 5, 6].map((n) => makePage(html, n));
  const { ranges, usedFallback } = labelWithFloors(detector, parsePage(pages[0]), learn(detector, pages));
  expect(usedFallback).toBeDefined();
  expect(ranges.some(({ label }) => label !== 'template')).toBe(true);
});

test('a short page that is not all template keeps its labels', () => {
  const pages = [...samplePages(20), makePage('<html><body><p>short</p></body></html>', 40)];
  expect(labelWithFloors(detector, parsePage(pages[20]), learn(detector, pages)).problem).toBeUndefined();
});

test('thresholds can be set and are checked', () => {
  const pages = samplePages(3);
  const model = learn(detector, pages);
  expect(labelWithFloors(detector, parsePage(pages[0]), model, { minSitePages: 0 }).problem).toBeUndefined();
  expect(() => labelWithFloors(detector, parsePage(pages[0]), model, { minTextShare: 5 })).toThrow(
    'minTextShare',
  );
  expect(() => labelWithFloors(detector, parsePage(pages[0]), model, { fallback: 'joint' as never })).toThrow(
    'fallback must be page or unsure',
  );
});

test('a detector that judges pages alone needs no site', () => {
  const page = pageDetector();
  const parsed = parsePage(samplePages(1)[0]);
  expect(labelWithFloors(page, parsed, learn(page, samplePages(1))).problem).toBeUndefined();
});

test('the detector none never falls back', () => {
  const none = noneDetector();
  expect(labelWithFloors(none, parsePage(samplePages(1)[0]), learn(none, [])).problem).toBeUndefined();
});
