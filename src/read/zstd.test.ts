import { compress, compressUsingDict, createCCtx } from '@bokuweb/zstd-wasm';
import { expect, test } from 'vitest';
import { seededRandom } from '../../test/seeded-random.ts';
import { memorySource } from './byte-source.ts';
import { decompressZstd, loadZstd, readZstdFrame } from './zstd.ts';

loadZstd();

const text = Buffer.from('some text that repeats, '.repeat(20_000));
const frame = Buffer.from(compress(text, 3));

test('frames in a row are decompressed together', () => {
  const twice = decompressZstd(Buffer.concat([frame, frame]), { maxBytes: 2_000_000 });
  expect(Buffer.from(twice).equals(Buffer.concat([text, text]))).toBe(true);
});

test('the length of a frame is known before it is decompressed', () => {
  const source = memorySource(Buffer.concat([frame, Buffer.from('and more')]), { windowBytes: 3 });
  expect(readZstdFrame(source, 0)).toMatchObject({ length: frame.length, maxContentBytes: text.length });
  expect(readZstdFrame(memorySource(frame.subarray(0, -1)), 0)?.length).toBe(0);
  expect(readZstdFrame(memorySource(Buffer.from('no frame')), 0)).toBeNull();
});

test('more bytes than the bound throw a RangeError, also if the frame does not state its size', () => {
  expect(() => decompressZstd(frame, { maxBytes: text.length - 1 })).toThrow(RangeError);
  // a frame of one run-length block of 128 KiB, without a content size
  const run = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58, 0x03, 0x00, 0x10, 0x61]);
  expect(readZstdFrame(memorySource(run), 0)).toMatchObject({
    length: 10,
    maxContentBytes: 131072,
    stated: false,
  });
  expect(decompressZstd(run, { maxBytes: 131072 }).length).toBe(131072);
  expect(() => decompressZstd(run, { maxBytes: 131071 })).toThrow(RangeError);
});

test('a frame that claims an enormous size is refused before it is decompressed', () => {
  const liar = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 1, 0, 0, 0x01, 0, 0]);
  expect(() => decompressZstd(liar, { maxBytes: 1_000_000 })).toThrow(RangeError);
});

test('a frame made with a dictionary needs the dictionary', () => {
  const dictionary = text.subarray(0, 5000);
  const small = Buffer.from('some text that repeats, but not all of it');
  const compressed = compressUsingDict(createCCtx(), small, dictionary, 3);
  expect(Buffer.from(decompressZstd(compressed, { dictionary, maxBytes: 1000 })).equals(small)).toBe(true);
});

test('a damaged frame throws or gives bytes within the bound', () => {
  const random = seededRandom(9);
  for (let round = 0; round < 500; round++) {
    const damaged = Buffer.from(frame);
    for (let i = 0; i < 3; i++) damaged[Math.floor(random() * damaged.length)] = Math.floor(random() * 256);
    try {
      expect(decompressZstd(damaged, { maxBytes: 1_000_000 }).length).toBeLessThanOrEqual(1_000_000);
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
    }
  }
});
