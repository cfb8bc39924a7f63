import { expect, test } from 'vitest';
import type { PageChange } from '../study/compare-captures.ts';
import { classifyChange } from './compare-pages.ts';

const change = (fields: Partial<PageChange>): PageChange => ({
  kind: 'changed',
  label: 'content',
  place: 'body > p',
  oldText: '',
  newText: '',
  oldKey: 'old',
  newKey: 'new',
  words: 5,
  newWords: 1,
  lostWords: 1,
  ...fields,
});

test('a text that appeared on several URLs is a change of the template', () => {
  const footer = change({ kind: 'added', newKey: 'footer', place: 'footer' });
  expect(classifyChange([footer], [[footer], [footer]])).toEqual([{ ...footer, class: 'template', urls: 3 }]);
});

test('a place with different text on each URL is a slot', () => {
  const date = (key: string) => change({ newKey: key, place: 'span.date' });
  expect(classifyChange([date('a')], [[date('b')], [date('c')]])[0]).toMatchObject({
    class: 'slot',
    urls: 3,
  });
});

test('other changes within a template are slots, and the rest is content', () => {
  const [inside, text] = [change({ label: 'template' }), change({ words: 80, newKey: 'text' })];
  expect(classifyChange([inside, text], []).map((one) => one.class)).toEqual(['slot', 'content']);
});
