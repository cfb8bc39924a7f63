import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PagePaths } from './write-includes.ts';

const pathOf = (url: string): string => new PagePaths().pathOf(url, 0);

test('a path has the host, folders and a file that ends in .html', () => {
  expect(pathOf('http://Example.com/a/b.html')).toBe('example.com/a/b.html');
  expect(pathOf('https://example.com/')).toBe('example.com/index.html');
  expect(pathOf('https://example.com')).toBe('example.com/index.html');
  expect(pathOf('http://example.com/a/b')).toBe('example.com/a/b.html');
  expect(pathOf('http://example.com/b.php?x=1&y=%2F#top')).toBe('example.com/b.php%3Fx%3D1%26y%3D%252F.html');
  expect(pathOf('http://example.com:8080/?p=3')).toBe('example.com%3A8080/index%3Fp%3D3.html');
});

test('a URL cannot give a parent folder, a hidden file or a reserved name', () => {
  expect(pathOf('http://h/../../etc/passwd')).toBe('h/%2E%2E/%2E%2E/etc/passwd.html');
  expect(pathOf('http://h/./.git/config')).toBe('h/%2E/%2Egit/config.html');
  expect(pathOf('http://../x')).toBe('%2E%2E/x.html');
  expect(pathOf('http://h/a\\..\\b\0c')).toBe('h/a%5C..%5Cb%00c.html');
  expect(pathOf('http://h/node_modules/con.html')).toBe('h/node_modules~/con~.html');
  expect(pathOf('')).toBe('no-host/index.html');
});

test('the file of a page does not block the folder of pages below it', () => {
  const paths = new PagePaths();
  expect(paths.pathOf('http://h/a', 0)).toBe('h/a.html');
  expect(paths.pathOf('http://h/a/b', 1)).toBe('h/a/b.html');
  expect(paths.pathOf('http://h/a.html/b', 2)).toBe('h/a.html~/b.html');
});

test('URLs that differ only in case, and captures of one URL, get different names', () => {
  const paths = new PagePaths();
  const all = ['http://h/A', 'http://h/a', 'http://h/a', 'http://h/a.html'].map((url, i) =>
    paths.pathOf(url, i),
  );
  expect(all[0]).toBe('h/A.html');
  for (const path of all.slice(1)) expect(path).toMatch(/^h\/a~[0-9a-f]{12}\.html$/);
  expect(new Set(all.map((path) => path.toLowerCase())).size).toBe(4);
});

test('long names are cut and end in a hash', () => {
  expect(pathOf(`http://h/${'x'.repeat(5000)}`)).toMatch(/^h\/x{87}~[0-9a-f]{12}\.html$/);
  expect(pathOf(`http://h/${'x/'.repeat(5000)}`)).toMatch(/^h\/long~[0-9a-f]{12}\.html$/);
});

test('any URLs give safe and distinct names, and no file has the name of a folder', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'a',
      'A',
      '.',
      '..',
      '',
      'a.html',
      'A.HTM',
      '?',
      '%',
      'index.html',
      'é',
      '\n',
      '~',
      '#',
      'nul',
    ),
    fc.string({ maxLength: 6 }),
  );
  const url = fc.array(word, { maxLength: 6 }).map((words) => `http://h/${words.join('/')}`);
  fc.assert(
    fc.property(fc.array(url, { maxLength: 30 }), (urls) => {
      const paths = new PagePaths();
      const files = new Set<string>();
      const folders = new Set<string>();
      urls.forEach((each, i) => {
        const path = paths.pathOf(each, i);
        const segments = path.toLowerCase().split('/');
        for (const segment of segments) expect(segment).toMatch(/^[a-z0-9_%~-][a-z0-9._%~-]*$/);
        expect(path).toMatch(/\.html?$/i);
        expect(files.has(path.toLowerCase())).toBe(false);
        files.add(path.toLowerCase());
        for (let k = 1; k < segments.length; k++) folders.add(segments.slice(0, k).join('/'));
      });
      for (const folder of folders) expect(files.has(folder)).toBe(false);
    }),
  );
});
