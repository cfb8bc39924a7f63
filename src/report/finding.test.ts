import { expect, test } from 'vitest';
import { sampleHistory } from '../../test/history-sample.ts';
import { sampleReportData } from '../../test/report-sample.ts';
import type { History, Redesign } from '../store/history/read-history.ts';
import { capitalShare, findingOf } from './finding.ts';
import type { ReportData } from './report-data.ts';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
const sentenceOf = (data: ReportData): string => plain(findingOf(data).sentence);

/** A sample with a site for each share, which is the repeated share of its text. */
function withShares(...shares: number[]): ReportData {
  const data = sampleReportData({ sitePages: shares.map(() => 30) });
  for (const [k, site] of data.sites.entries()) site.inside.dom.textBytes = shares[k] * site.textBytes;
  return data;
}

test('many sites: how much is repeated, and which site repeats the most', () => {
  const data = withShares(0.82, 0.1, 0.1);
  for (const site of data.sites) site.textBytes = 1000;
  for (const [k, site] of data.sites.entries()) site.inside.dom.textBytes = [820, 100, 80][k];
  data.counts.textBytes = 3000;
  expect(sentenceOf(data)).toBe(
    `A third of what these 3 sites say is repeated; ${data.sites[0].site} repeats the most, 82 %.`,
  );
});

test('one site: how much is repeated, and its largest template', () => {
  const data = withShares(0.5);
  data.counts.textBytes = data.sites[0].textBytes;
  expect(sentenceOf(data)).toMatch(
    /^Half of what example\.org says is repeated; most of that is its (header|footer) \(div\.\w+-\w+, [\d.]+ kB\), on \d+ of 30 pages\.$/,
  );
});

test('nothing is repeated, and nothing was read', () => {
  expect(sentenceOf(withShares(0))).toBe('The 30 pages of example.org repeat nothing.');
  expect(sentenceOf(withShares(0, 0))).toBe('These 2 sites repeat nothing.');
  const data = sampleReportData({ sitePages: [] });
  data.counts = { ...data.counts, labelled: 0, captures: 12, skipped: { 'not-html': 10, empty: 2 } };
  expect(sentenceOf(data)).toBe('No page was found: all 12 captures were skipped, 10 as not-html.');
  data.counts = { ...data.counts, captures: 1, skipped: { empty: 1 } };
  expect(sentenceOf(data)).toBe('No page was found: the only capture was skipped, 1 as empty.');
  expect(sentenceOf({ ...data, inputs: [] })).toBe('No archive was read.');
});

test('one page is not called pages', () => {
  const data = withShares(0);
  data.sites[0].urls = 1;
  expect(sentenceOf(data)).toBe('The one page of example.org repeats nothing.');
});

const redesign = (site: string, first: string): Redesign => ({
  site,
  since: first,
  first,
  why: 'layout',
  confidence: 0.8,
  pages: 9,
  changed: 'layout 0.9',
});

function withHistory(sites: string[], redesigns: Redesign[]): ReportData {
  const data = withShares(...sites.map(() => 0.4));
  data.sites = data.sites.map((site, k) => ({ ...site, site: sites[k] }));
  const [snapshot] = sampleHistory().snapshots;
  const snapshots: History['snapshots'] = sites.flatMap((site) =>
    [2001, 2009].map((year) => ({ ...snapshot, site, moment: Date.UTC(year, 1, 1) / 1000 })),
  );
  return { ...data, history: { ...sampleHistory(), snapshots, redesigns } };
}

test('sites that were redesigned equally often are named together', () => {
  const days = ['2003-02-01', '2007-05-01'];
  const twice = (...sites: string[]) => sites.flatMap((site) => days.map((day) => redesign(site, day)));
  const sites = ['a.example', 'b.example', 'c.example', 'd.example'];
  const sentence = (...names: string[]) =>
    sentenceOf(withHistory(sites, [...twice(...names), redesign('d.example', '2004-01-01')])).split('; ')[1];
  expect(sentence('b.example', 'a.example')).toBe('a.example and b.example twice.');
  expect(sentence('c.example', 'b.example', 'a.example')).toBe('3 of them twice.');
});

test('a history: how often sites were redesigned, and when', () => {
  const twice = [redesign('a.example', '2003-02-01'), redesign('a.example', '2007-05-01')];
  expect(sentenceOf(withHistory(['a.example'], twice))).toBe(
    'a.example was redesigned twice between 2001 and 2009, last in 2007.',
  );
  expect(sentenceOf(withHistory(['a.example'], twice.slice(0, 1)))).toBe(
    'a.example was redesigned once between 2001 and 2009, in 2003.',
  );
  expect(sentenceOf(withHistory(['a.example'], []))).toBe('a.example kept its design between 2001 and 2009.');
  expect(sentenceOf(withHistory(['a.example', 'b.example', 'c.example'], twice))).toBe(
    '1 of these 3 sites was redesigned between 2001 and 2009; a.example twice.',
  );
  const { numbers } = findingOf(withHistory(['a.example'], twice));
  expect(numbers.slice(0, 2)).toEqual([
    ['2', 'redesigns'],
    ['2', 'snapshots of 1 site'],
  ]);
});

test('shares near a simple fraction get its name', () => {
  expect([0.334, 0.5, 0.659, 0.42, 0.98].map((share) => plain(capitalShare(share)))).toEqual([
    'A third',
    'Half',
    'Two thirds',
    '42 %',
    'Nearly all',
  ]);
});
