import { expect, test } from 'vitest';
import { NO_HISTORY } from '../../../test/history-sample.ts';
import { sampleReportData } from '../../../test/report-sample.ts';
import { sampleStudy } from '../../../test/study-sample.ts';
import type { SiteSummary } from '../../store/open-folder.ts';
import type { DrawnSchema, ListRow, SiteLists } from '../../store/study/read-site-lists.ts';
import { historyFigures } from './change-history-figures.ts';
import type { Figure } from './figure.ts';
import { studyFigures } from './study-figures.ts';
import { renderStudy } from './study-section.ts';

/** A site that was captured twice. */
const site: SiteSummary = { ...sampleReportData().sites[0], site: 'a.example', pages: 5000, urls: 1000 };

const schema: ListRow<'schemas'> = {
  site: 'a.example',
  schema: 1,
  pages: 250,
  share: 0.05,
  pattern: '/*.html',
  templates: 1,
  first_seen: '2004-01-01T00:00:00Z',
  last_seen: '2009-01-01T00:00:00Z',
  typical_url: 'http://a.example/1.html',
  title: 'One',
  of_site: 113,
};
const drawn: DrawnSchema = {
  ...schema,
  typical_page: 1,
  html_bytes: 1000,
  stretches: [{ start: 0, end: 100, pages: 300 }],
};

function render(given: Partial<SiteLists>): string {
  const study = sampleStudy({ schemas: [schema], drawnSchemas: [drawn], ...given });
  return renderStudy(study, studyFigures(study), [site]);
}

test('every figure has its place, those of the paper in its order', () => {
  const study = sampleStudy();
  const figures = [...studyFigures(study), ...historyFigures(NO_HISTORY)].map(
    ({ absent, ...figure }): Figure => ({ ...figure, sentence: 'A sentence.' }),
  );
  const html = renderStudy(study, figures, [site]);
  const ids = [...html.matchAll(/<figure id="([a-z]+-\d+)"/g)].map(([, id]) => id);
  expect([...ids].sort()).toEqual(figures.map(({ id }) => id).sort());
  const pictures = ids.filter((id) => id.startsWith('figure'));
  expect(pictures).toEqual([...pictures].sort());
});

test('the schemas of a site are all counted, however few are shown', () => {
  expect(render({})).toContain('113 schemas, 1 of them shown</summary>');
  const ofOutlier = { ...drawn, schema: 114, pages: 1 };
  expect(render({ drawnSchemas: [drawn, ofOutlier] })).toContain('113 schemas, 1 of them shown</summary>');
  expect(render({ schemas: [{ ...schema, of_site: 1 }] })).toContain('1 schema</summary>');
});

test('a stretch of a typical page has the colour that it has in the picture of the site', () => {
  // of 1,000 pages; of the 250 with the schema it would be in the last class, of 5,000 captures in the first
  expect(render({})).toContain('<rect class="f2"');
});

test('one outlier is in the singular, and all are counted', () => {
  const outlier = { site: 'a.example', url: 'http://a.example/x', time: '', title: '', html_bytes: 10 };
  expect(render({ outliers: [{ ...outlier, of_site: 1 }] })).toContain(', 1 outlier</summary>');
  expect(render({ outliers: [{ ...outlier, of_site: 400 }] })).toContain(', 400 outliers</summary>');
});

test('pages of one title are given apart, and captures by their day', () => {
  const page = { site: 'a.example', time: '2004-03-01T00:00:00Z', own_bytes: 5, text_bytes: 9, of_site: 3 };
  const html = render({
    ownContent: [
      { ...page, url: 'http://a.example/songs', title: 'Songs' },
      { ...page, url: 'http://a.example/old-songs', title: 'Songs' },
      { ...page, url: 'http://a.example/words', title: 'Words' },
    ],
  });
  const listed = [...html.matchAll(/<li><a [^>]*><bdi>(.*?)<\/bdi><\/a> <small>(.*?)<\/small>/g)].map(
    (found) => found[1],
  );
  expect(listed).toEqual(['http://a.example/songs', 'http://a.example/old-songs', 'Words']);
  expect(html).toContain('5\u00a0B, 2004-03-01');
});

test('schemas of a site that was captured often say when they were there', () => {
  expect(render({})).toContain('<code>/*.html</code> 1 template, 2004-01-01\u2009–\u20092009-01-01<small>');
});
