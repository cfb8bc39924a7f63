import { expect, test } from 'vitest';
import { sampleStudy } from '../../../test/study-sample.ts';
import { siteListFigures } from './site-figures.ts';

test('every list has one sentence over all sites, however many rows of them are read', () => {
  const page = { url: 'http://a.example/1', time: '', title: '' };
  const study = sampleStudy({
    schemas: [1, 2].map((schema) => ({
      site: 'a.example',
      schema,
      pages: 3,
      share: 0.5,
      pattern: '/*',
      templates: 2,
      first_seen: '',
      last_seen: '',
      typical_url: page.url,
      title: '',
      of_site: 113,
    })),
    outliers: [
      { ...page, site: 'a.example', html_bytes: 10, of_site: 1 },
      { ...page, site: 'b.example', html_bytes: 10, of_site: 400 },
    ],
    ownContent: [{ ...page, site: 'a.example', own_bytes: 5, text_bytes: 9, of_site: 1 }],
  });
  const sentences = siteListFigures(study).map(({ slug, absent, sentence }) => [slug, absent ?? sentence]);
  expect(sentences).toEqual([
    ['schemas', '113 schemas by dom on 1 site; the first one of a site has 50\u00a0% of its captures.'],
    ['key-pages', 'No template has three links and more, one of them to its own site.'],
    [
      'own-content',
      'Of 1 page on 1 site, http://a.example/1 has the most content of its own: 5\u00a0B of its 9\u00a0B of text are outside templates.',
    ],
    ['outliers', '401 pages are unlike the rest of their site, on 2 sites, most on b.example (400).'],
    [
      'schema-changes',
      'No page that was captured twice changed its schema otherwise than most pages of that schema.',
    ],
  ]);
});
