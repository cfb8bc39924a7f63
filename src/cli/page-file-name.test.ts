import fc from 'fast-check';
import { expect, test } from 'vitest';
import { otherFileName, pageFileName } from './page-file-name.ts';

test('a plain URL names its file', () => {
  expect(pageFileName('https://a.example/news/today', 'md')).toBe('a.example/news/today.md');
  expect(pageFileName('https://a.example/', 'md')).toBe('a.example/index.md');
  expect(pageFileName('https://a.example', 'md')).toBe('a.example/index.md');
  expect(pageFileName('https://a.example/news/', 'txt')).toBe('a.example/news/index.txt');
  expect(pageFileName('https://a.example/old.html', 'txt')).toBe('a.example/old.html.txt');
  expect(pageFileName('https://a.example/%E6%97%A5%E6%9C%AC', 'txt')).toBe('a.example/日本.txt');
});

test('URLs that could share a name have names of their own', () => {
  const urls = [
    'https://a.example/a',
    'https://a.example/A',
    'https://a.example/a/',
    'https://a.example//a',
    'https://a.example/a?page=1',
    'https://a.example/a?page=2',
    'https://a.example/index',
    'https://a.example/',
    'https://a.example/b:c',
    'https://a.example/b_c',
    'https://a.example/b|c',
    'https://a.example/x%2Fy',
    'https://a.example/x/y',
    'https://a.example/a.md/b',
    'https://a.example:8080/a',
    `https://a.example/${'long'.repeat(50)}1`,
    `https://a.example/${'long'.repeat(50)}2`,
    `https://a.example/${'deep/'.repeat(50)}1`,
  ];
  const names = urls.map((url) => pageFileName(url, 'md').toLowerCase());
  expect(new Set(names).size).toBe(urls.length);
  // no file has the name of a folder
  const folders = names.flatMap((name) => name.split('/').map((_, k, parts) => parts.slice(0, k).join('/')));
  for (const name of names) expect(folders).not.toContain(name);
});

test('no URL leads out of the folder or to a name that a file system refuses', () => {
  const hostile = [
    'http://h/../../etc/passwd',
    'http://h/%2e%2e/%2e%2e/etc/passwd',
    'http://../x',
    'http://h/a%00b',
    'http://h/\u202egpj.exe',
    'http://h/CON/nul.txt/com1',
    'http://h/a./b /c',
    'http://index.jsonl/',
    'nothing like a URL',
    '',
  ];
  for (const url of hostile) checkName(pageFileName(url, 'txt'));
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.webUrl(), (text, url) => {
      checkName(pageFileName(`http://h/${text}`, 'txt'));
      checkName(pageFileName(`http://${text}/x`, 'txt'));
      checkName(pageFileName(`${url}/${text}`, 'txt'));
      checkName(otherFileName(pageFileName(url, 'txt'), text));
    }),
  );
});

function checkName(name: string): void {
  expect(Buffer.byteLength(name)).toBeLessThan(230);
  expect(name.endsWith('.txt')).toBe(true);
  const parts = name.split('/');
  expect(parts[0]).not.toMatch(/^index\.jsonl(\.part)?$/);
  for (const part of parts) {
    expect(part).not.toBe('');
    expect(part).toMatch(/^[^. ](.*[^. ])?$/su);
    expect(part).not.toMatch(/[<>:"\\|?*\p{C}]/u);
    expect(part).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
  }
}
