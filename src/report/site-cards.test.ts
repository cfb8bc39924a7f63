import { expect, test } from 'vitest';
import { sampleReportData } from '../../test/report-sample.ts';
import { renderSiteCards } from './site-cards.ts';

test('sites without a card are counted below the cards; without such sites there is no note', () => {
  const data = sampleReportData({ sitePages: [30, 20, 10] });
  expect(renderSiteCards(data)).not.toContain('not drawn here');
  const without = (...names: string[]) => ({
    ...data,
    pictures: data.pictures.filter(({ site }) => !names.includes(site)),
  });
  expect(renderSiteCards(without('example.org'))).toContain(
    '1 site is not drawn here: it is in the table of sites below.',
  );
  expect(renderSiteCards(without('example.org', 'site-1.example.net'))).toContain(
    '2 sites are not drawn here: they are in',
  );
});
