import { expect, test } from 'vitest';
import { type GeneratedSiteOptions, generateSite, REDESIGN_PARTS } from './site-generator.ts';

const site: GeneratedSiteOptions = { seed: 3, host: 'parts.example', pages: 6, captures: 3 };
const sources = (options: GeneratedSiteOptions) =>
  Array.from(generateSite(options), ({ source, kind }) => ({ text: Buffer.from(source).toString(), kind }));

test.each(REDESIGN_PARTS)(
  '%s: the part is new from its crawl on, and the rest of every page is unchanged',
  (part) => {
    for (const start of ['2003-01-01', '2010-01-01', '2015-01-01', '2022-01-01']) {
      const plain = sources({ ...site, start });
      const made = sources({ ...site, start, parts: [{ crawl: 1, part }] });
      expect(made.slice(0, 6)).toEqual(plain.slice(0, 6));
      for (let k = 6; k < 18; k++) {
        if (part === 'articles' && plain[k].kind !== 'article') expect(made[k]).toEqual(plain[k]);
        else expect(keptLines(plain[k].text, made[k].text)).toBeGreaterThan(0.4);
        if (part !== 'articles' || plain[k].kind === 'article') expect(made[k]).not.toEqual(plain[k]);
      }
    }
  },
);

test('a part cannot be redesigned in the first crawl of a generation', () => {
  expect(() => sources({ ...site, parts: [{ crawl: 3, part: 'menu' }] })).toThrow(/menu at crawl 3/);
});

function keptLines(before: string, after: string): number {
  const lines = before.split('\n');
  const left = new Set(after.split('\n'));
  return lines.filter((line) => left.has(line)).length / lines.length;
}
