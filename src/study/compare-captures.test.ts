import { expect, test } from 'vitest';
import { parseHeld } from '../../test/held-tree.ts';
import type { Range } from '../model/range.ts';
import { CaptureReader, SIGNATURE_COMPONENTS } from './capture.ts';
import { CaptureComparer, MAX_CHANGES, type PageChange } from './compare-captures.ts';

const comparer = new CaptureComparer();
const newer = new CaptureReader();
const older = new CaptureReader();

/** Compares two pages; `⟦…⟧` surrounds the template in the newer one. */
function compare(old: string, marked: string) {
  const ranges: Range[] = [];
  let html = '';
  for (const [k, piece] of marked.split(/⟦|⟧/).entries()) {
    const start = Buffer.byteLength(html);
    html += piece;
    const label = k % 2 === 1 ? 'template' : 'content';
    if (piece !== '') {
      ranges.push({ start, end: Buffer.byteLength(html), label, score: 1, template: '', reason: '' });
    }
  }
  const before = older.read(parseHeld(old), { blocks: true });
  return comparer.compare(newer.read(parseHeld(html), { blocks: true }), ranges, before);
}

function short({ kind, label, oldText, newText }: PageChange) {
  return [kind, label, oldText, newText];
}

const article = '<article><p>One two three four five.</p><p>Six seven eight nine ten.</p></article>';

test('a new year in the footer is one change of a template', () => {
  const page = (year: number) => `${article}<footer>© ${year} The Herald</footer>`;
  const { changes, ...sums } = compare(page(2016), page(2017).replace('<footer>', '⟦<footer>'));
  expect(changes.map(short)).toEqual([['changed', 'template', '© 2016 The Herald', '© 2017 The Herald']]);
  expect(changes[0]).toMatchObject({ place: 'html > body > footer', newWords: 1, lostWords: 1 });
  expect(changes[0].oldKey).toMatch(/^[0-9a-f]{16}$/);
  expect(changes[0].newKey).not.toBe(changes[0].oldKey);
  expect(sums).toEqual({
    templateWords: 4,
    newTemplateWords: 1,
    contentWords: 10,
    newContentWords: 0,
    lostWords: 1,
    layoutComponents: SIGNATURE_COMPONENTS,
  });
});

test('identical pages and empty pages have no changes', () => {
  expect(compare(article, article)).toMatchObject({ changes: [], lostWords: 0, newContentWords: 0 });
  expect(compare('', '').changes).toEqual([]);
  expect(compare('<p></p>', '').changes).toEqual([]);
});

test('an empty older page makes all blocks added, an empty newer page all removed', () => {
  expect(compare('', article).changes.map(({ kind }) => kind)).toEqual(['added', 'added']);
  expect(compare(article, '').changes.map(({ kind }) => kind)).toEqual(['removed', 'removed']);
});

test('a moved box is not a change', () => {
  const box = '<div><p>Subscribe to our daily letter</p></div>';
  expect(compare(`${box}${article}`, `${article}${box}`).changes).toEqual([]);
});

test('a moved entry of one word is not a change', () => {
  const menu = (...items: string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
  const { changes } = compare(
    menu('Home', 'News', 'Shop', 'Help'),
    menu('Shop', 'Home', 'News', 'Help', 'Shop'),
  );
  expect(changes.map(short)).toEqual([['added', 'content', '', 'Shop']]);
});

test('new markup inside or around a block is not a change', () => {
  const old = '<div>One two three.<br>Four five six.</div>';
  expect(compare(old, '<p>One <b>two</b> three.</p><p>Four <i>five six</i>.</p>').changes).toEqual([]);
});

test('a comment inserted between others is one added block of content', () => {
  const comments = (...texts: string[]) => `<ul>${texts.map((text) => `<li>${text}</li>`).join('')}</ul>`;
  const { changes } = compare(
    comments('I liked it much', 'So did I, really'),
    comments('I liked it much', 'Never saw such nonsense', 'So did I, really'),
  );
  expect(changes.map(short)).toEqual([['added', 'content', '', 'Never saw such nonsense']]);
  expect(changes[0]).toMatchObject({ oldKey: '', newWords: 4, lostWords: 0 });
});

test('a changed counter is a changed block even when a block was inserted before it', () => {
  const { changes } = compare(
    '<p>Hello there my friend</p><div id=n>5 comments</div>',
    '<p>Hello there my friend</p><p>Some quite new words</p>⟦<div id=n>6 comments</div>⟧',
  );
  expect(changes.map(short)).toEqual([
    ['added', 'content', '', 'Some quite new words'],
    ['changed', 'template', '5 comments', '6 comments'],
  ]);
});

test('a block removed from a template is labelled template, one removed from an article content', () => {
  const menu = (items: string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
  const items = ['Home', 'News', 'Archive', 'Contact'];
  const template = compare(menu(items), `⟦${menu(['Home', 'News', 'Contact'])}⟧`);
  expect(template.changes.map(short)).toEqual([['removed', 'template', 'Archive', '']]);
  const content = compare(menu(items), menu(['Home', 'News', 'Contact']));
  expect(content.changes.map(short)).toEqual([['removed', 'content', 'Archive', '']]);
});

test('a removed word is a change of its block', () => {
  const { changes } = compare('<p>One two three four</p>', '<p>One two four</p>');
  expect(changes.map(short)).toEqual([['changed', 'content', 'One two three four', 'One two four']]);
  expect(changes[0]).toMatchObject({ newWords: 0, lostWords: 1 });
});

test('scripts without spaces are compared by characters', () => {
  const { changes } = compare('<p>今天是三月一日</p>', '<p>今天是三月二日</p>');
  expect(changes).toMatchObject([{ kind: 'changed', newWords: 1, lostWords: 1 }]);
});

test('the similarity falls with another layout only', () => {
  const cells = (n: number) => `<table><tr>${`<td class=a${n}><p>word</p></td>`.repeat(n)}</tr></table>`;
  expect(compare(cells(3), cells(9)).layoutComponents).toBe(SIGNATURE_COMPONENTS);
  const other = '<div class=grid><section><h2>word</h2></section></div>';
  expect(compare(cells(3), other).layoutComponents).toBeLessThan(SIGNATURE_COMPONENTS / 2);
});

test('texts are one line of at most 160 characters, references decoded', () => {
  const { changes } = compare('', `<p>Fish &amp;\n\n chips</p><p>${'long '.repeat(1000)}</p>`);
  expect(changes[0].newText).toBe('Fish & chips');
  expect(changes[1].newText).toHaveLength(160);
});

test('thousands of changes give a bounded list and the sum of the rest', () => {
  const many = Array.from({ length: 5000 }, (_, k) => `<p>new${k} words${k}</p>`).join('');
  const { changes, newContentWords } = compare(article, many);
  expect(changes).toHaveLength(MAX_CHANGES + 1);
  expect(changes.at(-1)).toMatchObject({ kind: 'more', oldKey: '', newKey: '' });
  expect(changes.reduce((sum, { newWords }) => sum + newWords, 0)).toBe(newContentWords);
});

test('only the contents of pages decide whether they differ', () => {
  const first = compare(article, `${article}<p>One more block</p>`);
  compare('<p>Another pair of pages</p>'.repeat(3000), article);
  expect(compare(article, `${article}<p>One more block</p>`)).toEqual(first);
});
