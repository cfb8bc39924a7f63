import { expect, test } from 'vitest';
import { formatSelectors } from './selector-formats.ts';
import type { SelectorRow } from './write-selectors.ts';

const row: SelectorRow = {
  template: 'T1',
  site: 'example.org',
  selector: '#nav',
  exact: false,
  missed: 0,
  others: 0,
  othersShared: 0,
  pages: 9,
  members: 9,
  elements: 9,
  savedBytes: 900,
  url: 'http://example.org/',
  place: 'div#nav',
  text: 'Home',
  pagefindTag: '',
  noSnippetTag: '',
};

/** The selectors in use; the others are comments. */
function usedIn(changes: Partial<SelectorRow>): string[] {
  const css = formatSelectors({ rows: [{ ...row, ...changes }], audit: [], left: 0 }, 'css');
  return css
    .replace(/\/\*.*?\*\//g, '')
    .split(/\s+/)
    .filter(Boolean);
}

test('a selector is used when nine tenths of its matches are shared, and left as a comment with fewer', () => {
  expect(usedIn({})).toEqual(['#nav']);
  expect(usedIn({ others: 1 })).toEqual(['#nav']);
  expect(usedIn({ others: 2 })).toEqual([]);
  expect(usedIn({ others: 2, othersShared: 1 })).toEqual(['#nav']);
  expect(usedIn({ missed: 1, others: 1 })).toEqual([]);
});

test('a selector that misses all elements of its template is not used', () => {
  expect(usedIn({ missed: 9, others: 5, othersShared: 5 })).toEqual([]);
  expect(usedIn({ missed: 9 })).toEqual([]);
  expect(usedIn({ missed: 8 })).toEqual(['#nav']);
});
