import { expect, test } from 'vitest';
import { readSiteGroups } from './site-categories.ts';

const readCategories = (csv: string) => readSiteGroups(csv).categories;

test('a site may have several categories, in one cell or in several rows', () => {
  const csv = 'site,category\nb.example,News\na.example,Catalog/Brochure\nb.example,Portal\nb.example,News\n';
  expect(readCategories(csv)).toEqual([
    ['a.example', 'Brochure'],
    ['a.example', 'Catalog'],
    ['b.example', 'News'],
    ['b.example', 'Portal'],
  ]);
});

test('quoted cells, other columns, Windows line ends, a byte order mark and addresses of sites are read', () => {
  const csv =
    '\ufeff"Categories",note,Site\r\n"News; Portal","a, ""quoted"" note",https://WWW.a.example/\r\n\r\n';
  expect(readCategories(csv)).toEqual([
    ['a.example', 'News'],
    ['a.example', 'Portal'],
  ]);
});

test('a file in another format is refused with the line and what was expected', () => {
  expect(() => readCategories('')).toThrow('the first line must name the columns: site,category');
  expect(() => readCategories('host,kind\na,b\n')).toThrow('site,category');
  expect(() => readCategories('site,category\na.example,\n')).toThrow('line 2');
  expect(() => readCategories('site,category\n"a\nb",News\nc.example, ;\n')).toThrow('line 4');
  expect(() => readCategories('site,category\n')).toThrow('no site');
  expect(() => readCategories('site,category\na.example,News\nb.example,Overall\n')).toThrow(
    'line 3: OVERALL',
  );
});

test('a large file is read in linear time', () => {
  const rows = Array.from({ length: 50_000 }, (_, k) => `"site${k}.example",News`);
  expect(readCategories(`site,category\n${rows.join('\n')}`)).toHaveLength(50_000);
});

test('a file may have collections besides categories, or collections alone', () => {
  const both = 'site,collection,category\na.example,popular,News\nb.example,unbiased,\nc.example,,Portal\n';
  expect(readSiteGroups(both)).toEqual({
    categories: [
      ['a.example', 'News'],
      ['c.example', 'Portal'],
    ],
    collections: [
      ['a.example', 'popular'],
      ['b.example', 'unbiased'],
    ],
  });
  expect(readSiteGroups('site,collection\na.example,x|y\n')).toEqual({
    categories: [],
    collections: [
      ['a.example', 'x'],
      ['a.example', 'y'],
    ],
  });
});
