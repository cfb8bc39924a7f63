import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dechunk, isWhollyChunked } from './content-encoding.ts';

const decode = (text: string) => {
  const { bytes, chunked, fault } = dechunk(Buffer.from(text, 'latin1'));
  return { text: Buffer.from(bytes).toString('latin1'), chunked, fault };
};

test('chunks are joined', () => {
  expect(decode('3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n')).toEqual({ text: 'abcde', chunked: true, fault: '' });
});

test('a single chunk is not copied', () => {
  const body = Buffer.from('3\r\nabc\r\n0\r\n\r\n');
  const { bytes } = dechunk(body);
  expect(bytes.buffer).toBe(body.buffer);
  expect(bytes.byteOffset).toBe(body.byteOffset + 3);
});

test('sizes may have extensions, capitals, leading zeros and blanks, and lines may end in LF', () => {
  expect(decode('0000A;name="x"\r\n0123456789\r\n1  \n!\n0\n\n')).toEqual({
    text: '0123456789!',
    chunked: true,
    fault: '',
  });
});

test('trailers are dropped', () => {
  expect(decode('1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n').text).toBe('a');
});

test('a body stored dechunked is left as it is', () => {
  for (const text of ['<p>abc', '', 'abc', '5 apples', 'bad\r\nnews, and more of it', 'a\nbc\nd']) {
    expect(decode(text).text, text).toBe(text);
  }
  expect(decode('<p>').chunked).toBe(false);
});

test('an empty chunked body is empty', () => {
  expect(decode('0\r\n\r\n')).toEqual({ text: '', chunked: true, fault: '' });
});

test('a cut body keeps the chunks before the cut', () => {
  expect(decode('3\r\nabc\r\n5\r\nde')).toEqual({
    text: 'abcde',
    chunked: true,
    fault: 'the body ends within a chunk',
  });
  expect(decode('3\r\nabc\r\n')).toEqual({ text: 'abc', chunked: true, fault: 'the last chunk is missing' });
});

test('bytes after a broken chunk are kept as they are', () => {
  expect(decode('3\r\nabc\r\n2\r\nde<p>and so on')).toEqual({
    text: 'abcde<p>and so on',
    chunked: true,
    fault: 'a chunk does not end where its size says',
  });
});

test('a body that is chunked from first to last byte is recognised without a header', () => {
  const is = (text: string) => isWhollyChunked(Buffer.from(text));
  expect(is('3\r\nabc\r\n0\r\n\r\n')).toBe(true);
  expect(is('3\r\nabc\r\n')).toBe(false);
  expect(is('<p>')).toBe(false);
  expect(is('0\r\n\r\n')).toBe(false);
  expect(is('3\r\nabc\r\n0\r\n\r\nmore')).toBe(false);
});

test('a chunked body is dechunked, whatever the sizes of its chunks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 })),
      fc.constantFrom('\r\n', '\n'),
      (chunks, end) => {
        const body = Buffer.concat([
          ...chunks.flatMap((chunk) => [
            Buffer.from(chunk.length.toString(16) + end),
            chunk,
            Buffer.from(end),
          ]),
          Buffer.from(`0${end}${end}`),
        ]);
        expect(Buffer.from(dechunk(body).bytes)).toEqual(Buffer.concat(chunks));
        expect(isWhollyChunked(body)).toBe(chunks.length > 0);
      },
    ),
  );
});

test('no input makes dechunking throw or grow the body', () => {
  const digits = fc
    .array(fc.constantFrom(...Buffer.from('0123af\r\n;<p ')), { maxLength: 60 })
    .map((codes) => Uint8Array.from(codes));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), digits), (body) => {
      expect(dechunk(body).bytes.length).toBeLessThanOrEqual(body.length);
    }),
    { numRuns: 3000 },
  );
});
