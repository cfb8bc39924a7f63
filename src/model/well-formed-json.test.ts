import { expect, test } from 'vitest';
import { wellFormedJson } from './well-formed-json.ts';

test('lone surrogates are replaced at any depth, and all else is as JSON.stringify writes it', () => {
  const odd = { text: 'a\ud800', list: ['\udc00b', 1, null], pair: '\u{1f600}', escaped: '\\ud' };
  expect(JSON.parse(wellFormedJson(odd))).toEqual({ ...odd, text: 'a\ufffd', list: ['\ufffdb', 1, null] });
  expect(wellFormedJson({ pair: '\u{1f600}', escaped: '\\ud' })).toBe(
    JSON.stringify({ pair: '\u{1f600}', escaped: '\\ud' }),
  );
});
