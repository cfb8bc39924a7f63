import { parse } from 'parse5';
import { expect, test } from 'vitest';
import { sampleReportData } from '../../test/report-sample.ts';
import { formatBytes, formatChange, formatPercent, formatTimes } from './format-numbers.ts';
import { renderReport } from './render-report.ts';
import { barsPerPicture, templatesPerPicture } from './report-data.ts';

test('the same data gives the same file', () => {
  expect(renderReport(sampleReportData())).toBe(renderReport(sampleReportData()));
});

test('the accounting sum is on the page, with every code', () => {
  const html = renderReport(sampleReportData());
  expect(html).toContain('750 captures read = 220 labelled + 530 skipped');
  expect(html).toContain('<b>402</b> not-html');
});

test('captures of pages that were captured often are not called pages', () => {
  const once = renderReport(sampleReportData());
  expect(once).toContain('<dd>220</dd><dt>pages</dt>');
  expect(once).not.toContain('Captures</button>');
  const data = sampleReportData();
  const often = renderReport({ ...data, sites: data.sites.map((site) => ({ ...site, urls: 40 })) });
  expect(often).toContain('<dd>220</dd><dt>captures</dt></div><div><dd>40</dd><dt>pages</dt>');
  expect(often).toContain('Each thin bar below is a capture of a page');
  expect(often).toMatch(/Captures<.*Pages<.*Snapshots</);
});

test('nothing is fetched from anywhere', () => {
  const html = renderReport(sampleReportData());
  expect(html).toContain("default-src 'none'");
  expect(html.replace(/<script type="application\/json".*?<\/script>/s, '')).not.toMatch(
    /\s(?:src|href)=|@import|url\(/,
  );
});

test('hostile titles, URLs and texts stay text', () => {
  const data = sampleReportData({
    sitePages: [12],
    hostile: '</script><script>alert(1)</script><img src=x onerror=alert(1)>"',
  });
  const html = renderReport(data);
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html).not.toContain('<img');
  parse(html, { onParseError: (error) => expect.fail(error.code) });
});

test('an empty archive makes a report too', () => {
  const data = sampleReportData({ sitePages: [] });
  const html = renderReport({
    ...data,
    inputs: [],
    pictures: [],
    problems: { total: 0, byCode: {}, listed: [] },
  });
  expect(html).toContain('No archive');
  expect(html).toContain('<h2>Problems</h2><p>None.</p>');
});

test('many sites share the room for bars and texts', () => {
  expect([1, 12, 60, 400, 100_000].map(barsPerPicture)).toEqual([1500, 1000, 200, 60, 60]);
  expect([1, 100, 400].map(templatesPerPicture)).toEqual([400, 120, 30]);
});

test('numbers are short and the same everywhere', () => {
  expect([0, 999, 1000, 12_345, 999_999, 1_300_000_000].map(formatBytes)).toEqual(
    ['0 B', '999 B', '1.0 kB', '12.3 kB', '1.0 MB', '1.3 GB'].map((text) => text.replace(' ', '\u00a0')),
  );
  expect([formatPercent(1, 2), formatPercent(1, 40), formatPercent(0, 5), formatPercent(1, 0)]).toEqual([
    '50\u00a0%',
    '2.5\u00a0%',
    '0\u00a0%',
    '–',
  ]);
  expect(formatTimes('2004-01-02T00:00:00Z', '')).toBe('2004-01-02');
});

test('a change keeps its sign, however small, and may be more than all', () => {
  expect([-0.000372, 4.04, -0.5, 0.0312, 0, -1e-9].map(formatChange)).toEqual([
    '−0.04',
    '+404',
    '−50.0',
    '+3.1',
    '0.00',
    '0.00',
  ]);
});
