import { parse } from 'parse5';
import { expect, test } from 'vitest';
import { sampleFragmentFigures } from '../../test/fragment-figures-sample.ts';
import { sampleReportData } from '../../test/report-sample.ts';
import { fragmentFinding, renderDistributions } from './fragment-section.ts';
import { renderReport } from './render-report.ts';

/** The data of a run that compared fragments and labelled nothing. */
function fragmentReport(hostile = '') {
  const data = sampleReportData({ sitePages: [], hostile });
  return renderReport({
    ...data,
    detectors: [],
    pictures: [],
    fragments: sampleFragmentFigures({ hostile }),
  });
}

test('a report about fragments has them as its main thing, and nothing of labels', () => {
  const html = fragmentReport();
  expect(html).toContain('<h2>Shared fragments</h2>');
  expect(html.match(/<svg class="plot"/g)).toHaveLength(4);
  expect(html).toContain('captures read = 0 compared + ');
  expect(html).not.toMatch(/id="sites"|id="tip"|in templates/);
  expect(html).toBe(fragmentReport());
});

test('a report with labels and fragments has both, one without fragments nothing of them', () => {
  const data = sampleReportData();
  expect(renderReport({ ...data, fragments: sampleFragmentFigures() })).toMatch(
    /id="overview".*id="fragments".*id="sites"/s,
  );
  expect(renderReport(data)).not.toMatch(/fragment/i);
});

test('sentences say what the lines show', () => {
  const html = fragmentReport();
  expect(html).toContain('half of the 6 classes have 2 members, a tenth 40 or more, and the largest 40.');
  expect(html).toContain('2.5\u00a0% of pages have none, half have at most 4; the most on one page are 9.');
  expect(html).toContain(
    'half of the pages are shared to 86\u00a0% or more, nine of ten to 40\u00a0% or more.',
  );
});

test('places, texts, URLs and sites of hostile pages stay text', () => {
  const html = fragmentReport('</td></script><script>alert(1)</script><img src=x onerror=alert(1)>"\'');
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toContain('<img');
  parse(html, { onParseError: (error) => expect.fail(error.code) });
});

test('the finding is about complete fragments: structural ones have different texts', () => {
  const { compression: _, relations, ...figures } = sampleFragmentFigures();
  const finding = fragmentFinding({
    ...figures,
    relations: relations.map((each) =>
      each.relation === 'structural' ? { ...each, savedBytes: 400_000 } : each,
    ),
  });
  expect(finding.sentence).toMatch(
    /^23\s% of the HTML .* would go if each shared fragment were kept once\.$/,
  );
  expect(finding.numbers[0][0]).toMatch(/^90\.0\skB$/);
});

test('the report says when nothing is shared', () => {
  const { relations, ...figures } = sampleFragmentFigures();
  const none = relations.map((each) => ({ ...each, classes: 0, composites: 0, members: 0, savedBytes: 0 }));
  const data = sampleReportData({ sitePages: [] });
  const html = renderReport({
    ...data,
    detectors: [],
    pictures: [],
    fragments: { ...figures, relations: none, classes: [] },
  });
  expect(html).toContain('No two pages share a fragment.');
  expect(html).not.toContain('class-table"');
});

test('a line rises from nothing to all, whatever its values', () => {
  for (const values of [[2], [2, 3], [256, 1e9], [1, 10, 1e6, 1e12]]) {
    const points = values.map((value, at): [number, number] => [value, at + 1]);
    const svg = renderDistributions(
      [{ relation: 'complete', total: values.length, points, median: 0, low: 0, high: 0, largest: 0 }],
      { xLabel: 'x', yLabel: 'y', scale: 'log', formatX: String, description: '' },
    );
    const [, line] = /class="line complete" d="M([^"]+)"/.exec(svg)!;
    expect(line).not.toMatch(/NaN|Infinity/);
    const heights = [...line.matchAll(/V([\d.]+)/g)].map(([, y]) => Number(y));
    expect(heights).toEqual(heights.toSorted((a, b) => b - a));
    expect(heights.at(-1)).toBe(26);
    expect(svg.match(/class="tick/g)!.length).toBeLessThan(20);
  }
});
