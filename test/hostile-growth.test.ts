/**
 * The time of `extract` grows with the size of a page, for pages made to be slow: 200 kB take about four times as long as
 * 50 kB. This is a sample; `npm run fuzz -- extract` tries random mixtures of all shapes for any length of time.
 */
import { expect, test } from 'vitest';
import { pageAround, SHAPES, type Shape, writeShape } from '../fuzz/hostile-pages.ts';
import { extract } from '../src/run/library/extract.ts';

const SMALL = 50_000;
const LARGE = 200_000;
/** One shape in this number is tried. */
const STEP = 8;
/** A linear page takes 4 times as long, a quadratic one 16 times. */
const MAX_GROWTH = 9;
/** Less time than this may be chance, in milliseconds for the large page. */
const MIN_MS = 200;
const MAX_MS_PER_KILOBYTE = 20;
const REPEATS = 4;
const URL = 'https://hostile.example/news/2019/harbour.html';

/** Shapes that were slow: each took over 0.5 s for 200 kB. */
const WERE_SLOW = [
  '<img src="/blank§1§">',
  '<img srcset="§ §">',
  '<a href=/x>§<p>x§</a>',
  '<blockquote>§<p>x§</blockquote>',
  'nested math',
  '<p>§x<sup>§',
  '<div class="§x §"><math>x</math>',
];

const sample = [...SHAPES].filter(([name], at) => at % STEP === 0 || WERE_SLOW.includes(name));

test('time grows with the size of the page', { timeout: 600_000 }, () => {
  extract('<p>loads the model', { url: URL });
  expect(sample.length).toBeGreaterThan(70);
  expect(sample.flatMap(([name, shape]) => slowness(shape).map((said) => `${name}: ${said}`))).toEqual([]);
});

test('a long address in a short page does not make its output long', () => {
  const blocks = `<a href="/${'x'.repeat(100_000)}">${'<p>x</p>'.repeat(12_000)}</a>`;
  expect(extract(pageAround(blocks), { url: URL }).markdown.length).toBeLessThan(500_000);
  const links = `<base href="http://a.example/${'x'.repeat(8000)}/">${'<a href=x>y</a> '.repeat(12_000)}`;
  expect(extract(pageAround(links), { url: URL }).markdown.length).toBeLessThan(40_000_000);
  const lists = '<ol start=999999999><li>'.repeat(100) + '<p>x'.repeat(10_000);
  expect(extract(pageAround(lists), { url: URL }).markdown.length).toBeLessThan(3_000_000);
});

/** What is too slow about a shape; empty if nothing is. */
function slowness(shape: Shape): string[] {
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    small = Math.min(small, cpuMs(shape, SMALL));
    large = Math.min(large, cpuMs(shape, LARGE));
    const grows = large > MIN_MS && large > MAX_GROWTH * small;
    if (!grows && large <= (MAX_MS_PER_KILOBYTE * LARGE) / 1000) return [];
    // seconds are no chance
    if (large > 10_000) break;
  }
  return [`${Math.round(small)} ms for ${SMALL} bytes, ${Math.round(large)} ms for ${LARGE}`];
}

function cpuMs(shape: Shape, size: number): number {
  const html = pageAround(writeShape(shape, size));
  const before = process.cpuUsage();
  extract(html, { url: URL });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
