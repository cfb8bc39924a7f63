import { expect, test } from 'vitest';
import { sampleReportData } from '../../test/report-sample.ts';
import { classOf } from './frequency-classes.ts';
import { compactData, encodeReportData, escapeForScript, type ReportJson } from './report-json.ts';

test('ranges come back from their flat form where they were', () => {
  const data = sampleReportData({ sitePages: [30] });
  const { sites } = compactData(data, 0, 400);
  const [picture] = data.pictures;
  for (const bar of picture.bars) {
    const at = sites[0].pages.findIndex(([url, time]) => url === bar.url && time === bar.time);
    const flat = sites[0].pictures.dom.ranges[at] ?? [];
    const back: number[] = [];
    for (let i = 0, position = 0; i < flat.length; i += 3) {
      const start = position + flat[i];
      position = start + flat[i + 1];
      back.push(start, position, flat[i + 2], 0);
    }
    expect(back).toEqual(bar.ranges);
  }
});

test('pages are listed once per site, shortest first', () => {
  const { sites } = compactData(sampleReportData({ sitePages: [40, 20] }), 0, 400);
  for (const { pages } of sites) {
    const sizes = pages.map((page) => page[3]);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  }
  expect(sites[0].pages).toHaveLength(40);
});

test('what is too large keeps a smaller sample, the same for both detectors', () => {
  const data = sampleReportData({ sitePages: [400] });
  const whole = encodeReportData(data);
  const half = encodeReportData(data, whole.length / 3);
  expect(half.length).toBeLessThan(whole.length / 2.9);
  const [site] = (JSON.parse(half) as ReportJson).sites;
  expect(site.pages.length).toBeLessThan(400);
  expect(site.pictures.text.ranges.every((flat) => flat !== null)).toBe(true);
});

test('what counts in distinct URLs is compared with the URLs of the site, not with its captures', () => {
  const data = sampleReportData({ sitePages: [96] });
  data.sites[0].urls = 8;
  const [{ urls, bounds, pictures }] = compactData(data, 0, 400).sites;
  expect(urls).toBe(8);
  expect(classOf(8, bounds)).toBe(5);
  expect(pictures.dom.captures).toBe(96);
});

test('the order of bars and pictures does not matter', () => {
  const data = sampleReportData({ sitePages: [60] });
  const turned = {
    ...data,
    pictures: data.pictures.map((picture) => ({ ...picture, bars: picture.bars.toReversed() })),
  };
  expect(encodeReportData(turned)).toBe(encodeReportData(data));
});

test('JSON in a script element cannot end it', () => {
  const escaped = escapeForScript(JSON.stringify('</script><!--\u2028&'));
  expect(escaped).not.toMatch(/[<>&\u2028]/);
  expect(JSON.parse(escaped)).toBe('</script><!--\u2028&');
});
