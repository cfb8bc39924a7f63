import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { seededNumbers } from '../../../test/seeded-random.ts';
import { compressBrotliWithDictionary } from './brotli-dictionary.ts';
import { COMPRESSION_METHODS, measurePage } from './measure.ts';

test('each method has the size at the quality that it names', async () => {
  const dictionary = Buffer.from(
    '<nav><a href="/">Home</a><a href="/about">About this site</a></nav>'.repeat(9),
  );
  // words of syllables, some of them frequent, so that each quality finds other repetitions
  const random = seededNumbers(3);
  const syllable = () => String.fromCharCode(...Array.from({ length: 1 + random(4) }, () => 97 + random(26)));
  const syllables = Array.from({ length: 60 }, syllable);
  const words = Array.from({ length: 500 }, () => syllables[random(60)] + syllables[random(60)]);
  const text = Array.from({ length: 2000 }, () => words[Math.min(random(500), random(500))]).join(' ');
  const page = Buffer.from(`<p>${text}`);
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
    const lower = await compressBrotliWithDictionary(page, dictionary, quality - 1);
    expect(lower.length).not.toBe(shared.length);
    expect(sizes[`brotli-${quality}-dictionary`] - shared.length).toBe(36); // the header of a shared dictionary
  }
});
