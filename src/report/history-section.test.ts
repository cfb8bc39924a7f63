import { expect, test } from 'vitest';
import { sampleHistory } from '../../test/history-sample.ts';
import { sampleReportData, sampleWireframe } from '../../test/report-sample.ts';
import type { Redesign } from '../store/history/read-history.ts';
import { pagesAround, renderHistory } from './history-section.ts';

const HOSTILE = '<img src=x onerror=alert(1)>"';

function dataWith(redesigns: Redesign[]) {
  const data = sampleReportData({ sitePages: [30] });
  const [snapshot] = sampleHistory().snapshots;
  const snapshots = [2001, 2004, 2009].map((year) => ({
    ...snapshot,
    site: data.sites[0].site,
    moment: Date.UTC(year, 1, 1) / 1000,
  }));
  return { ...data, history: { ...sampleHistory(), snapshots, redesigns } };
}

const whole = (more: Partial<Redesign> = {}): Redesign => ({
  site: 'example.org',
  since: '2003-01-01',
  first: '2004-02-01',
  why: 'words layout',
  confidence: 0.8,
  pages: 9,
  changed: 'words 0.61 layout 0.12',
  ...more,
});

test('a redesign has a flag with its month, and pages before and after', () => {
  const data = dataWith([whole()]);
  data.history.smallerChanges = [whole({ first: '2009-02-01' })];
  data.wireframes = [
    { ...sampleWireframe('example.org', 1), time: '2001-02-01T00:00:00Z', snapshot: 'a' },
    { ...sampleWireframe('example.org', 2), time: '2004-02-01T00:00:00Z', snapshot: 'b' },
  ];
  const html = renderHistory(data);
  expect(html.match(/<path class="flag"/g)).toHaveLength(1);
  expect(html).toContain('>2004-02</text>');
  expect(html).toContain('Before, 2001-02-01');
  expect(html).toContain('After, 2004-02-01');
  // two pages may look alike: words say what changed
  expect(html.replaceAll('\u00a0', ' ')).toContain(
    'Changed in the templates: <b>61 % of the words</b>, <b>12 % of the layout</b> (confidence 80 %)',
  );
  expect(renderHistory(dataWith([whole({ changed: '' })])).replaceAll('\u00a0', ' ')).toContain(
    'Words of the templates changed, the layout changed (confidence 80 %)',
  );
  expect(html).toContain('<details><summary>1 smaller change</summary>');
});

test('without redesigns the history says so', () => {
  expect(renderHistory(dataWith([]))).toContain('No redesign was found.');
});

test('names of sites are escaped', () => {
  const data = dataWith([whole({ site: HOSTILE })]);
  data.history.snapshots[0].site = HOSTILE;
  expect(renderHistory(data)).not.toContain('<img');
});

test('before and after show the same page where both snapshots have it', () => {
  const page = (number: number, key: string, snapshot: string, year: number) => ({
    ...sampleWireframe('a', number),
    urlKey: key,
    snapshot,
    time: `${year}-01-01T00:00:00Z`,
  });
  const pages = [
    page(1, 'x', 's1', 2000),
    page(2, 'p', 's2', 2001),
    page(3, 'x', 's2', 2001),
    page(4, 'q', 's3', 2003),
    page(5, 'x', 's3', 2003),
  ];
  const { before, after } = pagesAround(pages, '2001-01-01', '2003-01-01');
  expect([before?.page, after?.page]).toEqual([3, 5]);
  const other = pagesAround(pages.slice(0, 4), '2001-01-01', '2003-01-01');
  expect([other.before?.page, other.after?.page]).toEqual([2, 4]);
});
