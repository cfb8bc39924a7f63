import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../model/limits.ts';
import { decodeBody, parseEncodings } from './content-encoding.ts';

const PAGE = `<!doctype html><p>${Array.from({ length: 3000 }, (_, i) => Math.sin(i)).join(' ')}`;

function decode(body: Uint8Array, header: string, limits = {}) {
  return decodeBody(body, parseEncodings(header), { ...DEFAULT_LIMITS, ...limits });
}

function textOf(body: Uint8Array, header: string): string {
  const decoded = decode(body, header);
  if (!decoded.ok) throw new Error(decoded.message);
  return Buffer.from(decoded.bytes).toString();
}

function codeOf(body: Uint8Array, header: string, limits = {}): string {
  const decoded = decode(body, header, limits);
  return decoded.ok ? 'ok' : decoded.code;
}

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const coders: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  gzip: (bytes) => gzipSync(bytes),
  'x-gzip': (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  Deflate: (bytes) => deflateRawSync(bytes),
  br: (bytes) => brotliCompressSync(bytes, FAST),
  identity: (bytes) => bytes,
};

test('any chain of encodings up to the limit is decoded', () => {
  const names = fc.array(fc.constantFrom(...Object.keys(coders)), { maxLength: 5 });
  fc.assert(
    fc.property(names, fc.string({ unit: 'binary', minLength: 1 }), (chain, text) => {
      const page = Buffer.from(`<p>${text}`).toString();
      const body = chain.reduce((bytes, name) => coders[name](bytes), Buffer.from(page) as Uint8Array);
      expect(textOf(body, chain.join(', '))).toBe(page);
    }),
    { numRuns: 200 },
  );
});

test('zstd is decoded', () => {
  // a frame made by hand: single segment of 7 bytes, one raw block, no checksum
  const frame = Buffer.concat([Buffer.from('28b52ffd2007390000', 'hex'), Buffer.from('<p>zstd')]);
  expect(textOf(frame, 'zstd')).toBe('<p>zstd');
  expect(codeOf(frame.subarray(0, 9), 'zstd')).toBe('bad-encoding');
  expect(codeOf(frame, 'zstd', { pageBytes: 6 })).toBe('too-large');
});

test('a body stored decoded is left as it is', () => {
  for (const name of ['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'utf-8', 'compress']) {
    expect(textOf(Buffer.from(PAGE), name)).toBe(PAGE);
    expect(textOf(Buffer.from('only text, no tag'), name)).toBe('only text, no tag');
  }
  expect(textOf(gzipSync(Buffer.from(PAGE)), 'gzip, gzip')).toBe(PAGE);
});

test('a body in another encoding than declared is decoded if its magic number shows the encoding', () => {
  expect(textOf(gzipSync(Buffer.from(PAGE)), 'deflate')).toBe(PAGE);
  expect(textOf(gzipSync(Buffer.from(PAGE)), 'application/gzip')).toBe(PAGE);
});

test.each(['gzip', 'deflate', 'Deflate', 'br'])(
  'a cut or damaged %s stream gives the bytes before the damage',
  (name) => {
    const whole = coders[name](Buffer.from(PAGE));
    const cut = decode(whole.subarray(0, whole.length >> 1), name);
    expect(cut).toMatchObject({ ok: true, truncated: true });
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, whole.length >> 1, (whole.length >> 1) + 40);
    for (const decoded of [cut, decode(damaged, name)]) {
      if (!decoded.ok) throw new Error(decoded.message);
      const text = Buffer.from(decoded.bytes).toString('latin1');
      expect(PAGE.slice(0, 5000)).toBe(text.slice(0, 5000));
      expect(text.length).toBeGreaterThan(PAGE.length / 4);
    }
  },
);

test('a wrong checksum is only noted', () => {
  const whole = gzipSync(Buffer.from(PAGE));
  whole[whole.length - 6] ^= 1;
  const decoded = decode(whole, 'gzip');
  expect(decoded).toMatchObject({ ok: true, truncated: true });
  expect(textOf(whole, 'gzip')).toBe(PAGE);
});

test('bytes after the stream are dropped', () => {
  expect(textOf(Buffer.concat([gzipSync(Buffer.from(PAGE)), Buffer.from('\0\0junk')]), 'gzip')).toBe(PAGE);
});

test('a body that no decoder can read is a bad encoding', () => {
  const junk = Buffer.from(Array.from({ length: 500 }, (_, i) => (i * 89 + 131) & 0xff));
  for (const name of ['deflate', 'br']) expect(codeOf(junk, name)).toBe('bad-encoding');
  expect(codeOf(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff]), 'gzip')).toBe('bad-encoding');
});

test('a hundred megabytes of zeros are refused at the limit', () => {
  const zeros = Buffer.alloc(100 * 1024 * 1024);
  for (const name of ['gzip', 'deflate', 'br']) {
    const bomb = coders[name](zeros);
    expect(['too-large', 'ratio-exceeded']).toContain(codeOf(bomb, name));
  }
}, 30_000);

test('the ratio counts over the whole chain', () => {
  const bomb = gzipSync(gzipSync(Buffer.alloc(100 * 1024 * 1024)));
  expect(codeOf(bomb, 'gzip, gzip')).toBe('ratio-exceeded');
});

test('the message names the limit that was exceeded', () => {
  const body = gzipSync(Buffer.from(PAGE));
  expect(codeOf(body, 'gzip', { pageBytes: 1000 })).toBe('too-large');
  const repeated = gzipSync(Buffer.alloc(4 * 1024 * 1024, '<p>'));
  expect(codeOf(repeated, 'gzip', { ratio: 100 })).toBe('ratio-exceeded');
  expect(codeOf(repeated, 'gzip', { ratio: 2000 })).toBe('ok');
});

test('below a megabyte every ratio is accepted', () => {
  expect(codeOf(gzipSync(Buffer.alloc(1024 * 1024, '<p>')), 'gzip', { ratio: 1 })).toBe('ok');
});

test('a chain of a thousand encodings is refused before any is decoded', () => {
  expect(codeOf(gzipSync(Buffer.from(PAGE)), 'gzip,'.repeat(1000))).toBe('too-many-encodings');
  expect(codeOf(Buffer.from(PAGE), 'br, '.repeat(6))).toBe('too-many-encodings');
  expect(codeOf(Buffer.from(PAGE), 'identity, '.repeat(6))).toBe('ok');
});

test('no input makes decoding throw', () => {
  const header = fc
    .array(fc.constantFrom('gzip', 'deflate', 'br', 'zstd', 'x'), { maxLength: 6 })
    .map((names) => names.join());
  const magic = fc.constantFrom(
    [],
    [0x1f, 0x8b, 8],
    [0x78, 0x9c],
    [0x28, 0xb5, 0x2f, 0xfd],
    [0x28, 0xb5, 0x2f, 0xfd, 0x20],
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), magic, header, (bytes, start, names) => {
      expect(decode(Uint8Array.from([...start, ...bytes]), names).ok).toBeTypeOf('boolean');
    }),
    { numRuns: 500 },
  );
});
