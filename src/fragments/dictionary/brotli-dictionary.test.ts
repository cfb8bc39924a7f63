import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../test/seeded-random.ts';
import { compressBrotliWithDictionary, DICTIONARY_TAIL } from './brotli-dictionary.ts';

const WORDS = 'news shop about <div class="menu"> </div> <p> </p> href= imprint köln Ελλάδα archive'.split(
  ' ',
);

test('without a dictionary the result is an ordinary brotli stream', async () => {
  const random = seededRandom(1);
  for (let round = 0; round < 40; round++) {
    const page = randomPage(random, Math.floor(random() * 400));
    const stream = await compressBrotliWithDictionary(page, new Uint8Array(0), 5);
    expect(brotliDecompressSync(stream).equals(page)).toBe(true);
  }
});

test('empty and very short pages have streams, too', async () => {
  for (const text of ['', 'a', 'ab', 'abc']) {
    const page = Buffer.from(text);
    expect(brotliDecompressSync(await compressBrotliWithDictionary(page, page.subarray(0, 0), 11))).toEqual(
      page,
    );
  }
});

test('text in the dictionary costs almost nothing, at any quality', async () => {
  const random = seededRandom(2);
  const page = randomPage(random, 800);
  const dictionary = endDictionary(Buffer.concat([randomPage(random, 500), page, randomPage(random, 500)]));
  for (const quality of [5, 11]) {
    const stream = await compressBrotliWithDictionary(page, dictionary, quality);
    const plain = brotliCompressSync(page, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
    expect(stream.length).toBeLessThan(40);
    expect(plain.length).toBeGreaterThan(500);
  }
});

test('a stream that depends on the last distances of the dictionary is encoded again', async () => {
  // the dictionary ends in the middle of a repeated text, so the encoder continues at its last distance
  const text = randomPage(seededRandom(3), 300);
  const dictionary = Buffer.concat([text, text.subarray(0, 900)]);
  const page = Buffer.concat([text.subarray(900), text]);
  const stream = await compressBrotliWithDictionary(page, dictionary, 5);
  expect(decodeAfter(dictionary, stream).equals(page)).toBe(true);
});

test('after the tail of our dictionaries no stream depends on them', async () => {
  const text = randomPage(seededRandom(3), 300);
  const dictionary = endDictionary(Buffer.concat([text, text.subarray(0, 900)]));
  const page = Buffer.concat([text.subarray(900), text]);
  for (const quality of [5, 9, 11]) {
    const stream = await compressBrotliWithDictionary(page, dictionary, quality);
    // the first block has the two bytes that the contexts need; the format stores the length minus one
    expect((Buffer.from(stream).readUIntLE(0, 3) >>> 7) & 0xffff).toBe(1);
  }
});

test('random pages are decoded with random dictionaries', async () => {
  const random = seededRandom(4);
  for (let round = 0; round < 60; round++) {
    const dictionary = endDictionary(randomPage(random, 1 + Math.floor(random() * 3000)));
    const page = Buffer.concat([
      randomPage(random, Math.floor(random() * 50)),
      dictionary.subarray(Math.floor(random() * dictionary.length), -DICTIONARY_TAIL.length),
      randomPage(random, Math.floor(random() * 500)),
    ]);
    const stream = await compressBrotliWithDictionary(page, dictionary, round % 3 === 0 ? 11 : 5);
    expect(decodeAfter(dictionary, stream).equals(page)).toBe(true);
    if (realDecoder) {
      expect(brotliDecompressSync(stream, { dictionary } as object).equals(page)).toBe(true);
    }
  }
});

test('a dictionary that hardly compresses does no harm', async () => {
  const random = seededRandom(6);
  const dictionary = endDictionary(
    Buffer.from(Array.from({ length: 300_000 }, () => 32 + Math.floor(random() * 90))),
  );
  const page = Buffer.concat([Buffer.from('<p>'), dictionary.subarray(1000, 200_000)]);
  const stream = await compressBrotliWithDictionary(page, dictionary, 5);
  expect(stream.length).toBeLessThan(100);
  expect(decodeAfter(dictionary, stream).equals(page)).toBe(true);
});

test('more than the largest window is refused', async () => {
  const dictionary = new Uint8Array(2 ** 24);
  await expect(compressBrotliWithDictionary(Buffer.from('page'), dictionary, 5)).rejects.toThrow(RangeError);
});

/**
 * Whether this version of Node decodes brotli with dictionaries (26 and later); older versions ignore the
 * option.
 */
const realDecoder = (() => {
  const bytes = Buffer.from('a dictionary that an encoder would use if it read the option');
  return brotliCompressSync(bytes, { dictionary: bytes } as object).length < 30;
})();

/** Decodes as if the dictionary had been sent before: its bytes uncompressed, then the blocks of the page. */
function decodeAfter(dictionary: Buffer, stream: Uint8Array): Buffer {
  const blocks: Buffer[] = [];
  for (let start = 0; start < dictionary.length; start += 65_536) {
    const part = dictionary.subarray(start, start + 65_536);
    const header = Buffer.alloc(3);
    const bits = ((part.length - 1) << 3) | (1 << 19);
    header.writeUIntLE(start === 0 ? (bits << 4) | 0b1111 : bits, 0, 3);
    blocks.push(header, part);
  }
  // the stream's first block without the four bits of the window header
  const first = Buffer.alloc(3);
  first.writeUIntLE(Buffer.from(stream).readUIntLE(0, 3) >>> 4, 0, 3);
  return brotliDecompressSync(Buffer.concat([...blocks, first, stream.subarray(3)])).subarray(
    dictionary.length,
  );
}

function randomPage(random: () => number, words: number): Buffer {
  return Buffer.from(
    Array.from({ length: words }, () =>
      random() < 0.3 ? String(Math.floor(random() * 1e6)) : WORDS[Math.floor(random() * WORDS.length)],
    ).join(' '),
  );
}

function endDictionary(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, DICTIONARY_TAIL]);
}
