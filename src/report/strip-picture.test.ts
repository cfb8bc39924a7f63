import { expect, test } from 'vitest';
import { sampleReportData } from '../../test/report-sample.ts';
import { bandsOf, renderBands, renderStrip, STRIP_LINES } from './strip-picture.ts';

test('a strip has a line for each of sixty pages at most, and a path for each shade', () => {
  const [picture] = sampleReportData({ sitePages: [220] }).pictures;
  const svg = renderStrip(picture, 220, 'x <b>');
  expect(svg).toContain(`viewBox="0 0 400 ${STRIP_LINES}"`);
  expect(svg.match(/<path/g)!.length).toBeLessThanOrEqual(7);
  expect(svg).toContain('aria-label="x &lt;b&gt;"');
  expect(renderStrip({ ...picture, bars: picture.bars.slice(0, 3) }, 220, '')).toContain(
    'viewBox="0 0 400 3"',
  );
  expect(renderStrip({ ...picture, bars: [] }, 220, '')).toContain('viewBox="0 0 400 1"');
});

test('bands are named where most pages agree', () => {
  const bar = { page: 1, url: '', time: '', title: '', sizeBytes: 1000 };
  const drawn = [0, 1, 2].map((k) => ({
    ...bar,
    ranges: [0, 200, 0, 0, 200, 300, k === 0 ? 1 : 2, 0, 800, 1000, 3, 0],
  }));
  const roles = ['menu', 'legal', 'breadcrumb', 'footer'];
  expect(bandsOf(drawn, (number) => roles[number])).toEqual([
    { role: 'menu', from: 0, to: 20 },
    { role: 'breadcrumb', from: 20, to: 30 },
    { role: 'content', from: 30, to: 80 },
    { role: 'footer', from: 80, to: 100 },
  ]);
});

test('a band too narrow for its name has none', () => {
  const [picture] = sampleReportData({ sitePages: [40] }).pictures;
  const bar = { ...picture.bars[0], sizeBytes: 1000, ranges: [0, 20, 0, 0] };
  expect(renderBands({ ...picture, bars: [bar] })).toMatch(
    /^<div[^>]*><span[^>]*class="own">content<\/span><\/div>$/,
  );
});

test('a wide band has its name before a narrow one beside it, whose name would touch it', () => {
  const [picture] = sampleReportData({ sitePages: [40] }).pictures;
  const templates = ['legal', 'menu', 'sidebar'].map((role) => ({ ...picture.templates[0], role }));
  const ranges = [0, 60, 0, 0, 60, 200, 1, 0, 700, 1000, 2, 0];
  const html = renderBands({
    ...picture,
    templates,
    bars: [{ ...picture.bars[0], sizeBytes: 1000, ranges }],
  });
  expect(html.match(/>[a-z]+</g)).toEqual(['>menu<', '>content<', '>sidebar<']);
});
