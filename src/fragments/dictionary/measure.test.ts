import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressBrotliWithDictionary } from './brotli-dictionary.ts';
import { COMPRESSION_METHODS, measurePage } from './measure.ts';

test('each method has the size at the quality that it names', async () => {
  const dictionary = Buffer.from(
    '<nav><a href="/">Home</a><a href="/about">About this site</a></nav>'.repeat(9),
  );
  const words = Array.from({ length: 3000 }, (_, k) => `w${(k * k) % 701} ${k % 13}`).join(' ');
  const page = Buffer.from(`${dictionary.toString().slice(0, 300)}<p>${words}`);
  const measured = await measurePage(page, dictionary);
  const sizes = Object.fromEntries(COMPRESSION_METHODS.map((method, k) => [method, measured[k]]));
  expect(sizes.none).toBe(page.length);
  expect(sizes['gzip-6']).toBe(gzipSync(page, { level: 6 }).length);
  for (const quality of [5, 11]) {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: page.length,
    };
    expect(sizes[`brotli-${quality}`]).toBe(brotliCompressSync(page, { params }).length);
    const shared = await compressBrotliWithDictionary(page, dictionary, quality);
    expect(sizes[`brotli-${quality}-dictionary`] - shared.length).toBe(36); // the header of a shared dictionary
  }
  expect(sizes['zstd-3-dictionary']).toBeLessThan(sizes['zstd-3']);
});
