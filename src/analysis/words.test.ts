import { expect, test } from 'vitest';
import { segmentWords } from './word-scanner.ts';

test('runs of letters and digits are words in every spaced script', () => {
  expect(segmentWords('The café, 11/2011: Ελλάδα и Россия')).toEqual([
    'the',
    'café',
    '11',
    '2011',
    'ελλάδα',
    'и',
    'россия',
  ]);
});

test('in scripts without spaces each letter is a word', () => {
  expect(segmentWords('中文 2008年のABC')).toEqual(['中', '文', '2008', '年', 'の', 'abc']);
  expect(segmentWords('กำ')).toHaveLength(segmentWords('กำ'.normalize('NFC')).length);
});

test('marks stay with their letter', () => {
  expect(segmentWords('हिन्दी भाषा')).toEqual(['हिन्दी', 'भाषा']);
  expect(segmentWords('e\u0301te\u0301')).toEqual(['été']);
});

test('compatibility forms equal the plain forms', () => {
  expect(segmentWords('ﬁne １２ Ⅻ')).toEqual(['fine', '12', 'xii']);
});

test('a text without words has none', () => {
  expect(segmentWords(' … — !? ')).toEqual([]);
});
