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
  expect(once).toContain('<dd>220</dd><dt>pages on 1 site</dt>');
  expect(once).not.toContain('Captures</button>');
  const data = sampleReportData();
  const often = renderReport({ ...data, sites: data.sites.map((site) => ({ ...site, urls: 40 })) });
  expect(often).toContain('<dd>40</dd><dt>pages on 1 site, 220 captures</dt>');
  expect(often).toMatch(/Captures<.*Pages<.*Snapshots</);
});

test('nothing is fetched from anywhere', () => {
  const html = renderReport(sampleReportData());
  expect(html).toContain("default-src 'none'");
  const markup = html.replace(/<script.*?<\/script>/gs, '');
  expect(markup).not.toMatch(/\ssrc=|@import|url\(/);
  // links lead to pages, to files beside the report and to places in it
  const links = [...markup.matchAll(/\shref="([^"]*)"/g)].map(([, href]) => href);
  expect(links.length).toBeGreaterThan(5);
  for (const href of links) expect(href).toMatch(/^(?:https?:\/\/|#|annotated\/\d+\.html$|figures\/)/);
});

test('hostile titles, URLs and texts are escaped', () => {
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
  expect(html).toContain('<h1>No archive was read.</h1>');
  expect(html).toContain('<h3>Problems</h3><p>None.</p>');
});

test('the first screen is a sentence, at most three numbers, then the sites, most repeated first', () => {
  const html = renderReport(sampleReportData({ sitePages: [40, 30, 20] }));
  expect(html.match(/<dt>/g)!.length - html.split('id="run"')[1].match(/<dt>/g)!.length).toBe(3);
  const order = ['<h1>', 'class="headline"', 'class="cards"', 'id="site"', 'id="site-table"', '<footer'];
  const places = order.map((part) => html.indexOf(part));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  const shares = [...html.matchAll(/<b>([\d.]+)\u00a0%<\/b> of the text repeated/g)].map(([, share]) =>
    Number(share),
  );
  expect(shares).toHaveLength(3);
  expect(shares).toEqual(shares.toSorted((a, b) => b - a));
});

test('options are named in the foot of the report only, those of detectors that ran', () => {
  const options = { 'detectorOptions.dom.trivialBytes': 16, 'detectorOptions.cross.threshold': 0.6 };
  const [above, foot] = renderReport({ ...sampleReportData(), options }).split('<footer');
  expect(above).not.toContain('trivialBytes');
  expect(foot).toContain('dom trivialBytes');
  expect(foot).not.toContain('threshold');
});

test('an address that is not a web address is not a link', () => {
  const data = sampleReportData({ sitePages: [12] });
  for (const wireframe of data.wireframes) wireframe.url = 'javascript:alert(1)';
  data.problems.listed[0].url = 'javascript:alert(2)';
  const html = renderReport(data).replace(/<script.*?<\/script>/gs, '');
  expect(html).not.toMatch(/href="javascript/i);
  expect(html).toContain('<bdi>javascript:alert(2)</bdi>');
});

test('two thousand sites make a report that opens, and it says what is not drawn', () => {
  const data = sampleReportData({ sitePages: [12] });
  const sites = Array.from({ length: 2000 }, (_, k) => ({ ...data.sites[0], site: `s${k}.example` }));
  const pictures = sites.slice(0, 200).map(({ site }) => ({ ...data.pictures[0], site }));
  const html = renderReport({ ...data, sites, pictures });
  expect(html.length).toBeLessThan(8_000_000);
  expect(html).toContain('1,952 sites are not drawn here');
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
