import { expect, test } from 'vitest';
import { cssIdentifier, cssString } from './selector-matcher.ts';

test('identifiers that start like numbers or contain punctuation are escaped', () => {
  expect(['nav', '1x', '-2', '-', 'a"b', 'a\\b', 'a:b', 'x y', '😀', 'straße'].map(cssIdentifier)).toEqual([
    'nav',
    '\\31 x',
    '-\\32 ',
    '\\-',
    'a\\"b',
    'a\\\\b',
    'a\\:b',
    'x\\20 y',
    '😀',
    'straße',
  ]);
});

test('no string or identifier can end a comment, a tag or a string, or control a screen', () => {
  const hostile = '"\\*/</style>--><!--\u202e\u001b[31m\u0085\n\'';
  for (const text of [cssString(hostile), cssIdentifier(hostile)]) {
    expect(text).not.toMatch(/\*\/|<|-->|[\u0000-\u001f\u007f-\u009f\u202e]/);
  }
  expect(cssString(hostile).slice(1, -1).replace(/\\./g, '')).not.toContain('"');
});
