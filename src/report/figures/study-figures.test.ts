import { expect, test } from 'vitest';
import { sampleStudy } from '../../../test/study-sample.ts';
import type { Study } from '../../store/study/read-study.ts';
import type { Figure } from './figure.ts';
import { studyFigures } from './study-figures.ts';

function figureOf(id: string, told: Partial<Study>): Figure {
  return studyFigures(sampleStudy(told)).find((figure) => figure.id === id)!;
}

const shares = { text_based: 0.5, dom_html: 0.5, dom_text: 0.5, dom_links: 0.5 };

test('categories of no site of the archive are told with the names that were looked for', () => {
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
