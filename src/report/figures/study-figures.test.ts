import { expect, test } from 'vitest';
import { sampleStudy } from '../../../test/study-sample.ts';
import type { Study } from '../../store/study/read-study.ts';
import { type Figure, renderFigure } from './figure.ts';
import { studyFigures } from './study-figures.ts';

function figureOf(id: string, given: Partial<Study>): Figure {
  return studyFigures(sampleStudy(given)).find((figure) => figure.id === id)!;
}

const ofSite = { text_based: 0.5, dom_html: 0.5, dom_text: 0.5, dom_links: 0.5 };
const shares = {
  ...ofSite,
  text_based_by_size: 0.6,
  dom_html_by_size: 0.6,
  dom_text_by_size: 0.7,
  dom_links_by_size: 0.6,
};

test('categories of no site of the archive are listed with the names that were searched', () => {
  const { absent } = figureOf('figure-02', {
    categoryShares: [{ category: 'OVERALL', sites: 0, ...shares }],
    unknownSites: [
      { site: 'a.example', sites: 3 },
      { site: 'b.example', sites: 3 },
    ],
  });
  expect(absent).toBe(
    'No site of the file of categories is in the archive. 3 of the file’s sites have no page here: a.example, b.example and 1 more.',
  );
});

test('a site of the file that is not in the archive is named beside the shares of those that are', () => {
  const { absent, sentence } = figureOf('figure-02', {
    categoryShares: [
      { category: 'News', sites: 1, ...shares },
      { category: 'OVERALL', sites: 1, ...shares },
    ],
    unknownSites: [{ site: 'mistyped.example', sites: 1 }],
  });
  expect(absent).toBeUndefined();
  expect(sentence).toContain('On the 1 site with a category');
  expect(sentence).toContain('1 of the file’s sites has no page here: mistyped.example.');
});

test('the appendix ends with the means over sites and by size, and gives both measures of agreement', () => {
  const { columns, rows, sentence } = figureOf('table-03', {
    siteShares: [{ site: 'a.example', categories: 'News', pages: 7, ...ofSite, dom_links: null }],
    siteMeans: { ...shares, dom_text: 0.45, sites: 1, apart: 0.123 },
  });
  expect(columns.slice(0, 4)).toEqual(['site', 'categories', 'pages', 'text_based']);
  expect(rows).toEqual([
    ['a.example', 'News', 7, 0.5, 0.5, 0.5, ''],
    ['mean over sites', '', '', 0.5, 0.5, 0.45, 0.5],
    ['mean by size', '', '', 0.6, 0.6, 0.7, 0.6],
  ]);
  expect(sentence).toContain('5.0 points apart over sites and 10.0 by size (the paper: 7 and 8)');
  expect(sentence).toContain('differ by 12.3 points on average (the paper’s appendix: 10.8)');
});

test('the dom detector is a point of its own beside the settings', () => {
  const { plot, sentence } = figureOf('figure-01', {
    settings: [
      { settings: '32.10.0.200', windows: 900, text_share: 0.4, sites: 1 },
      { settings: 'dom', windows: 50, text_share: 0.39, sites: 1 },
    ],
  });
  expect(plot?.series.map(({ name, points }) => [name, points])).toEqual([
    ['settings', [[900, 0.4]]],
    ['dom detector', [[50, 0.39]]],
  ]);
  expect(sentence).toContain('The dom detector finds 39\u00a0% by 50 nodes.');
});

test('a file that has not all rows says so', () => {
  const sharedBySites = ['a', 'b'].map((template) => ({
    template,
    sites: 2,
    occurrences: 2,
    size_bytes: 40,
    on_sites: '',
    likely_cause: 'markup',
    text: '',
  }));
  const tableOf = (on_several_sites: number) =>
    renderFigure(
      figureOf('table-05', {
        sharedBySites,
        templateCounts: { templates: 9, occurrences: 9, on_several_sites },
      }),
    );
  expect(tableOf(2)).not.toContain('The file has');
  expect(tableOf(7)).toContain(
    'The file has the first 2 of 7 rows; chaff sql with the query below gives all.',
  );
});

test('one template, one hash and one entry have singular sentences', () => {
  const rank = figureOf('figure-03', {
    templateCounts: { templates: 2, occurrences: 12, on_several_sites: 0 },
    rankFrequency: [
      { rank: 1, occurrences: 10, share_so_far: 10 / 12 },
      { rank: 2, occurrences: 2, share_so_far: 1 },
    ],
  });
  expect(rank.sentence).toBe(
    '2 templates by text occur 12 times; the first one makes 83\u00a0% of the occurrences.',
  );
  const whole = figureOf('figure-04', {
    aggregation: [{ aggregated: 1, covered_share: 0.95, hashes: 1, sites: 3 }],
  });
  expect(whole.sentence).toBe(
    'The first whole template of a site, made of 1 template hash, covers 95\u00a0% of its template bytes on average.',
  );
  const cache = figureOf('table-04', { cache: [{ entries: 1, occurrences: 1, bytes_saved: 0.9 }] });
  expect(cache.sentence).toBe('A cache of the only template saves 90\u00a0% of all template bytes.');
});

test('shares are given as they are, not as the line they had to reach', () => {
  const whole = figureOf('figure-04', {
    aggregation: [
      { aggregated: 1, covered_share: 0.6, hashes: 1, sites: 3 },
      { aggregated: 2, covered_share: 1, hashes: 2, sites: 3 },
    ],
  });
  expect(whole.sentence).toContain('the first 2, made of 2 template hashes, cover 100\u00a0%.');
  const rank = figureOf('figure-03', {
    templateCounts: { templates: 6, occurrences: 48, on_several_sites: 0 },
    rankFrequency: [1, 2, 3, 4, 5, 6].map((k) => ({ rank: k, occurrences: 8, share_so_far: k / 6 })),
    powerLaw: { exponent: 0, first: 8, r2: 1, points: 6 },
  });
  // all as often as the first: no law
  expect(rank.sentence).toBe(
    '6 templates by text occur 48 times; the first 3 make 50\u00a0% of the occurrences.',
  );
});

test('one category has no other to be compared with, and sites without text none to differ in', () => {
  const one = figureOf('figure-02', {
    categoryShares: [
      { category: 'News', sites: 1, ...shares },
      { category: 'OVERALL', sites: 1, ...shares },
    ],
  });
  expect(one.sentence).not.toContain('least on');
  const bare = {
    site: 'bare.example',
    pages: 1,
    text_based: null,
    dom_html: 0,
    dom_text: null,
    dom_links: null,
  };
  expect(figureOf('table-03', { siteShares: [bare] }).absent).toBe('No page has text.');
  const both = figureOf('table-03', {
    siteShares: [bare, { site: 'a.example', pages: 2, ...ofSite }],
    siteMeans: { ...shares, sites: 2, apart: 0 },
  });
  expect(both.sentence).toContain('differ by 0.0 points');
  expect(both.rows[0]).toEqual(['bare.example', 1, '', 0, '', '']);
});

test('templates on several sites are listed with the floor and the causes', () => {
  const row = { template: 'a', sites: 2, occurrences: 9, size_bytes: 40, on_sites: 'x, y', text: '----' };
  const { sentence } = figureOf('table-05', {
    templateCounts: { templates: 7, occurrences: 90, on_several_sites: 2 },
    sharedBySites: [
      { ...row, likely_cause: 'shared software' },
      { ...row, likely_cause: 'decoration' },
    ],
  });
  expect(sentence).toContain('Of 7 templates by text 2 of 32 bytes and more occur on more than one site');
  expect(sentence).toContain('Likely causes: 1 decoration, 1 shared software.');
});
