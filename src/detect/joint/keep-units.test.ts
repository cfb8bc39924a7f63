import { expect, test } from 'vitest';
import { Parser } from '../../parse/parser.ts';
import { BlockReader } from './block-reader.ts';
import { keepUnits } from './keep-units.ts';
import { blockWords } from './read-labelled-pages.ts';
import { SiteEvidence } from './site-evidence.ts';

const parser = new Parser();
const reader = new BlockReader();

/** Judges a page on which only the blocks with these texts are kept, and returns the kept texts. */
function keep(html: string, isKept: (text: string) => boolean): string[] {
  const tree = parser.parse(new TextEncoder().encode(html));
  const blocks = reader.read(tree, '');
  const evidence = new SiteEvidence(reader);
  evidence.addTo(tree, blocks, false);
  evidence.release();
  const texts = blockWords(tree, blocks).map((text) => text.trim());
  const kept = Uint8Array.from(texts, (text) => (isKept(text) ? 1 : 0));
  const verdict = {
    blocks,
    kept,
    scores: new Float64Array(blocks.count),
    reasons: new Uint8Array(blocks.count),
  };
  keepUnits(tree, verdict, new Uint8Array(blocks.count));
  return texts.filter((_, block) => kept[block] === 1);
}

const PEOPLE = [
  ['Ann', '31', 'Aberdeen'],
  ['Bob', '31', 'Boston'],
  ['Cleo', '47', 'Cork'],
];
const TABLE = `<table><tr><th>Name<th>Age<th>Town</tr>${PEOPLE.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`;

test('a table that is mostly kept has no holes', () => {
  const all = ['Name', 'Age', 'Town', ...PEOPLE.flat()];
  expect(keep(TABLE, (text) => !['31', 'Age', 'Name'].includes(text))).toEqual(all);
});

test('of a table that is mostly cut, a row stays whole or goes', () => {
  expect(keep(TABLE, (text) => ['Cleo', 'Cork', '31'].includes(text))).toEqual(PEOPLE[2]);
  expect(keep(TABLE, (text) => text === '31')).toEqual([]);
});

test('the cells of a layout table are judged one by one', () => {
  const post = (k: number) =>
    `<table><tr><td><div>Ann</div><div>Posts ${k}</div><div>Joined 2004</div></td><td><p>A post of several words.</p><p>And a second part.</p></td></tr><tr><td>1 May<td>Reply</table>`;
  const isText = (text: string) => text.endsWith('.');
  expect(keep(post(1) + post(2), isText)).toHaveLength(4);
});

test('the rest of a list stays with most of it; a menu does not', () => {
  const list = '<ol><li>Mix the flour with eggs<li>Rest<li>Bake it for an hour</ol>';
  expect(keep(list, (text) => text !== 'Rest')).toHaveLength(3);
  const menu = '<ul><li><a href=/a>All our shops</a><li><a href=/b>Help</a></ul>';
  expect(keep(menu, (text) => text !== 'Help')).toEqual(['All our shops']);
});

test('a definition list that is mostly kept keeps its terms', () => {
  const list = '<dl><dt>Height<dd>32 metres above sea<dt>Built<dd>in 1901 by the town</dl>';
  expect(keep(list, (text) => text.includes(' '))).toHaveLength(4);
});
