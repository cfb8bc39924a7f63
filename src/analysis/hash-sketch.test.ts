import { expect, test } from 'vitest';
import { mix32 } from './byte-hash.ts';
import { HashSketch } from './hash-sketch.ts';

for (const minPages of [3, 10, 300]) {
  test(`rules out nothing that is on ${minPages} pages, and nearly all of the rest`, () => {
    // hash h is on every page whose number is a multiple of h's step
    const pageCount = 400;
    const pages = Array.from({ length: pageCount }, (_, page) => {
      const hashes: number[] = [];
      for (let h = 1; h <= 2000; h++) if (page % (1 + (h % 200)) === 0) hashes.push(mix32(h), mix32(h));
      return Int32Array.from(hashes);
    });
    const sketch = new HashSketch(
      pages.reduce((sum, page) => sum + page.length, 0),
      minPages,
    );
    for (const [page, hashes] of pages.entries()) sketch.add(hashes, hashes.length, page);
    const likely = sketch.likely();
    let vain = 0;
    for (let h = 1; h <= 2000; h++) {
      const onPages = Math.ceil(pageCount / (1 + (h % 200)));
      if (onPages >= Math.min(minPages, 255)) expect(likely.mayHold(mix32(h))).toBe(true);
      else if (likely.mayHold(mix32(h))) vain++;
    }
    expect(vain).toBeLessThan(400);
    sketch.clear();
    expect(sketch.likely().mayHold(mix32(1))).toBe(false);
  });
}
