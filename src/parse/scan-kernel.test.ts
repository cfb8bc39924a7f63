import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashTwin } from '../../test/byte-hash-twin.ts';
import {
  HASH_HIGH,
  HASH_LOW,
  LOOSE_PLACE,
  SOURCE_AT,
  SPACE_FOLLOWS,
  TAG_END,
  TAG_PLACE,
  TAG_START,
  TEXT_END,
} from './kernel-layout.ts';
import { scanKernel } from './scan-kernel.ts';

const encoder = new TextEncoder();
const isSpace = (byte: number) => [0x09, 0x0a, 0x0c, 0x0d, 0x20].includes(byte);
/** Strings of what the loops stop at, and of words longer than the sixteen bytes they look at together. */
const soup = fc
  .array(
    fc.constantFrom(
      ' ',
      '  ',
      '\n',
      '\t',
      '\r\n',
      '\v',
      '\0',
      '\x01',
      'a',
      'é',
      '日本',
      '<',
      '< ',
      'word',
      'x'.repeat(17),
      ' y'.repeat(20),
    ),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(''));

/** Text as the kernel is to copy it, byte by byte. */
function collapsed(source: Uint8Array, start: number, stop: boolean): { text: number[]; end: number } {
  const text: number[] = [];
  let p = start;
  for (; p < source.length; p++) {
    const byte = source[p];
    const isLast = p + 1 === source.length;
    if (stop && byte === 0x3c && !isLast) {
      const next = String.fromCharCode(source[p + 1]);
      if (/[a-z!?]/i.test(next) || (next === '/' && p + 2 < source.length)) break;
    }
    if (isSpace(byte)) {
      if (text.length > 0 && text[text.length - 1] !== 0x20) text.push(0x20);
    } else if (byte !== 0) text.push(byte);
  }
  return { text, end: p };
}

test('text is copied as byte by byte: white space collapsed, zeros dropped, up to markup or the limit', () => {
  fc.assert(
    fc.property(
      soup,
      soup,
      fc.constantFrom('', '<b>', '</b>', '<!-- -->', '<?', '<', '</'),
      fc.boolean(),
      (a, b, tag, stop) => {
        const source = encoder.encode(`a${a}${tag}${stop ? b : ''}`);
        if (!stop && source.includes(0x3c)) return;
        const kernel = scanKernel(source.length);
        kernel.take(source);
        const expected = collapsed(source, 0, stop);
        const followed = expected.text.at(-1) === 0x20;
        if (followed) expected.text.pop();
        const to = kernel.textAt + 3;
        const end = kernel.collapse(0, to, source.length, stop ? 1 : 0);
        expect([...kernel.text.subarray(3, kernel.words[TEXT_END] - kernel.textAt)]).toEqual(expected.text);
        expect(end).toBe(expected.end);
        expect(kernel.words[SPACE_FOLLOWS]).toBe(followed ? 1 : 0);
      },
    ),
    { seed: 1, numRuns: 2000 },
  );
});

test('hashes are those of bytes taken four at a time', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), fc.nat(9), (source, start) => {
      const kernel = scanKernel(source.length);
      kernel.take(source);
      const from = Math.min(start, source.length);
      kernel.hash(SOURCE_AT + from, SOURCE_AT + source.length);
      expect([kernel.words[HASH_LOW], kernel.words[HASH_HIGH]]).toEqual(hashTwin(source.subarray(from)));
    }),
    { seed: 1 },
  );
});

test('a tag is looked for after white space of any length, and up to its first `>`', () => {
  for (let spaces = 0; spaces < 40; spaces++) {
    for (let size = 1; size < 60; size++) {
      const source = encoder.encode(`${' \t\n\f\r'.repeat(8).slice(0, spaces)}<${'x'.repeat(size)}>>`);
      const kernel = scanKernel(source.length);
      kernel.take(source);
      expect(kernel.next(0, source.length)).toBe(0);
      expect(kernel.words[TAG_START]).toBe(spaces);
      expect(kernel.words[TAG_END]).toBe(spaces + 1 + size);
      expect(kernel.words[TAG_PLACE]).toBeGreaterThan(0);
    }
  }
});

test('what is no tag is told apart: text, comments, the end of the source, tags without end', () => {
  const next = (html: string) => {
    const source = encoder.encode(html);
    const kernel = scanKernel(source.length);
    kernel.take(source);
    return kernel.next(0, source.length);
  };
  expect(next('text <b>')).toBe(-1);
  expect(next('\v<b>')).toBe(-1);
  expect(next('  ')).toBe(-1);
  expect(next('')).toBe(-1);
  expect(next('<!-- -->')).toBe(0);
  expect(next('<>')).toBe(0);
  expect(next('<b')).toBe(0);
  expect(next('<b title="')).toBe(0);
  expect(next('<b-c>')).toBe(0);
  expect(next('<b\0>')).toBe(0);
  expect(next(`<b title="${'t'.repeat(1000)}">`)).toBe(LOOSE_PLACE);
});

test('a page larger than any before it has room', () => {
  const size = scanKernel(0).capacity + 1;
  const kernel = scanKernel(size);
  expect(kernel.capacity).toBeGreaterThanOrEqual(size);
  kernel.take(new Uint8Array(size).fill(0x61));
  expect(kernel.collapse(0, kernel.textAt, size, 1)).toBe(size);
  expect(kernel.words[TEXT_END] - kernel.textAt).toBe(size);
  expect(scanKernel(0)).toBe(kernel);
});
