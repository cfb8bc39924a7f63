import { expect, test } from 'vitest';
import { wellFormedJson } from './well-formed-json.ts';

test('half a character is replaced, wherever it stands, and all else is as JSON.stringify has it', () => {
  const odd = { text: 'a\ud800', list: ['\udc00b', 1, null], pair: '\u{1f600}', escaped: '\\ud' };
  expect(JSON.parse(wellFormedJson(odd))).toEqual({ ...odd, text: 'a\ufffd', list: ['\ufffdb', 1, null] });
  expect(wellFormedJson({ pair: '\u{1f600}', escaped: '\\ud' })).toBe(
    JSON.stringify({ pair: '\u{1f600}', escaped: '\\ud' }),
  );
});
