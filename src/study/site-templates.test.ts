import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Range } from '../model/range.ts';
import { rankSiteTemplates } from './site-study.ts';
import { SiteTemplates } from './site-templates.ts';

interface TestPage {
  page: number;
  url: number;
  time: string;
  templates: string[];
}

/**
 * Ranges of templates; the last digit of a name is the length, and a byte of content follows each template.
 */
function rangesOf(templates: string[]): Range[] {
  let at = 0;
  return templates.flatMap((template): Range[] => {
    const start = at;
    const end = start + 1 + Number(template.slice(1));
    at = end + 1;
    const rest = { score: 1, reason: '' };
    return [
      { start, end, label: 'template', template, ...rest },
      { start: end, end: at, label: 'content', template: '', ...rest },
    ];
  });
}

function gather(pages: readonly TestPage[]): SiteTemplates {
  const site = new SiteTemplates('a.example', 'dom');
  for (const { page, time, templates } of pages) site.add(page, time, rangesOf(templates));
  return site;
}

function urlsOf(pages: readonly TestPage[]): Map<number, number> {
  return new Map(pages.map(({ page, url }) => [page, url]));
}

/** The same counts, computed template by template. */
function asDescribed(pages: readonly TestPage[]) {
  const ids = [...new Set(pages.flatMap(({ templates }) => templates))];
  return ids
    .map((id) => {
      const holders = pages.filter(({ templates }) => templates.includes(id));
      const occurrences = holders.flatMap(({ templates }) => templates).filter((each) => each === id).length;
      const times = holders.map(({ time }) => time).filter((time) => time !== '');
      return {
        id,
        pages: new Set(holders.map(({ url }) => url)).size,
        occurrences,
        bytes: occurrences * (1 + Number(id.slice(1))),
        firstPage: Math.min(...holders.map(({ page }) => page)),
        first: times.sort()[0] ?? '',
        last: times.sort().at(-1) ?? '',
      };
    })
    .sort((a, b) => b.pages - a.pages || b.bytes - a.bytes || (a.id < b.id ? -1 : 1));
}

function rowsOf(site: SiteTemplates, urls: Map<number, number>) {
  const ranked = rankSiteTemplates(site.data(), urls);
  return ranked.ids.map((id, rank) => ({
    id,
    pages: ranked.pageCounts[rank],
    occurrences: ranked.occurrences[rank],
    bytes: ranked.totalBytes[rank],
    firstPage: ranked.firstPages[rank],
    first: ranked.firstSeen[rank],
    last: ranked.lastSeen[rank],
  }));
}

const somePages = fc
  .array(
    fc.record({
      url: fc.nat({ max: 4 }),
      time: fc.constantFrom('', '2001', '2002', '2003'),
      templates: fc.array(fc.constantFrom('t0', 't1', 't2', 't3'), { maxLength: 5 }),
    }),
    { maxLength: 12 },
  )
  .map((pages) => pages.map((page, k): TestPage => ({ page: k + 1, ...page })));

test('counts over distinct URLs and ranks agree with counting one by one', () => {
  fc.assert(
    fc.property(somePages, (pages) => {
      expect(rowsOf(gather(pages), urlsOf(pages))).toEqual(asDescribed(pages));
    }),
  );
});

test('pages collected in parts give the same result as pages collected at once', () => {
  fc.assert(
    fc.property(somePages, fc.nat({ max: 12 }), (pages, cut) => {
      const merged = new SiteTemplates('a.example', 'dom');
      merged.merge(gather(pages.slice(0, cut)).data());
      merged.merge(gather(pages.slice(cut)).data());
      const urls = urlsOf(pages);
      expect(rankSiteTemplates(merged.data(), urls)).toEqual(rankSiteTemplates(gather(pages).data(), urls));
    }),
  );
});

test('sequences number templates by rank', () => {
  const pages = [
    { page: 1, url: 1, time: '', templates: ['t1', 't2'] },
    { page: 2, url: 2, time: '', templates: ['t2'] },
  ];
  const { ids, sequences } = rankSiteTemplates(gather(pages).data());
  expect(ids).toEqual(['t2', 't1']);
  expect([...sequences.template]).toEqual([1, 0, 0]);
});
