/**
 * Links of documents lead to files and headings of this project, and the source files that they name exist. The pages of
 * docs are all in their index, and stay short.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'GLOSSARY.md',
  'adapters/README.md',
  'bench/README.md',
  'examples/dictionary-server/README.md',
  'models/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const textOf = (document: string) => readFileSync(join(root, document), 'utf8');

test.each(DOCUMENTS)('links of %s lead to files and headings that are there', (document) => {
  const broken: string[] = [];
  for (const [, link] of textOf(document).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
    const [path, heading] = link.split('#');
    const target = path === '' ? document : normalize(join(dirname(document), path));
    if (!existsSync(join(root, target))) broken.push(link);
    else if (heading !== undefined && !headingsOf(target).includes(heading)) broken.push(link);
  }
  expect(broken).toEqual([]);
});

test.each(DOCUMENTS)('sources that %s names are there', (document) => {
  const named = textOf(document).matchAll(
    /\b(?:src|test|bench|scripts|examples|models|eval)\/[\w/.-]*\w\.\w+/g,
  );
  expect([...named].map(([path]) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('the documents have links, or the tests above would see nothing', () => {
  const links = DOCUMENTS.flatMap((document) => [...textOf(document).matchAll(/\]\((?!https?:)/g)]);
  expect(links.length).toBeGreaterThan(50);
});

const PAGES = DOCUMENTS.filter((document) => /^docs\/.+\//.test(document));

test('the index links every page of docs once', () => {
  const listed = [...textOf('docs/README.md').matchAll(/\]\(((?:guides|reference|research)\/[^)#]*)\)/g)];
  expect(listed.map(([, path]) => `docs/${path}`).sort()).toEqual([...PAGES].sort());
});

test('docs have at most 25,000 words outside tables and code', () => {
  const words = PAGES.flatMap((page) =>
    textOf(page)
      .replace(/^```.*?^```$/gms, '')
      .replace(/^\|.*$/gm, '')
      .split(/\s+/),
  );
  expect(words.filter((word) => word !== '').length).toBeLessThanOrEqual(25_000);
});

/** The anchors of the headings of a document, as GitHub makes them. */
function headingsOf(document: string): string[] {
  return [...textOf(document).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}
