import { expect, test } from 'vitest';
import type { Range } from '../model/range.ts';
import { repeatedPages, SiteStudy } from './site-study.ts';
import { SiteTemplates } from './site-templates.ts';

function rangesOf(...templates: string[]): Range[] {
  return templates.map((template, k) => ({
    start: 100 * k,
    end: 100 * k + 50,
    label: 'template',
    score: 1,
    template,
    reason: '',
  }));
}

test('each detector is studied on the pages that it found templates on', () => {
  const text = new SiteTemplates('a.example', 'text');
  text.add(5, '', rangesOf('words'));
  const dom = new SiteTemplates('a.example', 'dom');
  dom.add(3, '', rangesOf('head', 'foot'));
  dom.add(5, '', rangesOf('head', 'foot'));
  const study = new SiteStudy([text.data(), dom.data()], new Map());
  for (const page of [3, 4, 5]) study.addUrl(page, `http://a.example/story-${page}/`);
  expect(study.firstPage).toBe(3);
  const found = study.detectors.map(({ ranked, aggregates, schemas, urls }) => ({
    detector: ranked.detector,
    aggregates: aggregates.map(({ templates }) => templates.map((each) => ranked.ids[each])),
    schemas: schemas.schemas.map(({ number, pages }) => [pages, urls.patternOf(number)]),
  }));
  expect(found).toEqual([
    { detector: 'dom', aggregates: [['head', 'foot']], schemas: [[2, '/story-*/']] },
    { detector: 'text', aggregates: [['words']], schemas: [[1, '/story-5/']] },
  ]);
});

test('repeated captures of a page map to the first of them', () => {
  const repeats = repeatedPages([1, 2, 3, 4, 5], ['/a', '/b', '/a', '/c', '/a']);
  expect([...repeats].sort(([a], [b]) => a - b)).toEqual([
    [1, 1],
    [3, 1],
    [5, 1],
  ]);
  expect(repeatedPages([], []).size).toBe(0);
});
