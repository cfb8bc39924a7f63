import { expect, test } from 'vitest';
import { parsePage } from '../../../test/detector-contract.ts';
import { PageComparer } from '../../detect/cross/build-cross.ts';
import { crossDetector } from '../../detect/cross/cross-detector.ts';
import type { Page } from '../../model/page.ts';
import { generateSite } from '../generated-sites/site-generator.ts';
import { addClasses, bucketCrosses, bucketsFor, compareInBuckets, SAID_CONTENT } from './bucket-crosses.ts';

const BOTH = 3;
const words = { diff: 'chaff', variant: 'T001' } as const;

const pages = [...generateSite({ seed: 5, host: 'en.example', pages: 60, language: 'en' })].map(
  ({ url, time, charset, source }): Page => ({
    url,
    time,
    charset,
    source,
    site: 'en.example',
    status: 200,
    mime: 'text/html',
    file: 'generated',
    offset: 0,
    length: source.length,
    recordId: '',
    payloadDigest: '',
  }),
);
const detector = crossDetector({ variant: 'T001', buckets: true });
const model = detector.learn('en.example', pages.map(parsePage));

/** Returns the crosses of a page by bucket, and the classes that each of them gives alone. */
function crossesOf(page: Page) {
  const { tree } = parsePage(page);
  const comparer = new PageComparer(words);
  const signature = comparer.sign(tree, 'layers');
  return {
    tree,
    crosses: bucketCrosses(page, signature, model.pages, {}, bucketsFor({ threshold: 0.6, down: 'page' })),
  };
}

test('pages are in several buckets with different neighbours, and some buckets contradict each other', () => {
  let several = 0;
  let contradictions = 0;
  for (const page of pages.slice(0, 30)) {
    const { tree, crosses } = crossesOf(page);
    if (crosses.length > 1) several++;
    const comparer = new PageComparer(words);
    const { bits } = compareInBuckets(comparer.reader.read(tree), crosses, comparer);
    contradictions += bits.filter((said) => said === BOTH).length;
  }
  expect(several).toBeGreaterThan(10);
  expect(contradictions).toBeGreaterThan(0);
});

test('buckets compared independently merge to the same labels as buckets compared one after another', () => {
  for (const page of pages.slice(0, 20)) {
    const { tree, crosses } = crossesOf(page);
    const sequential = new PageComparer(words);
    const { bits } = compareInBuckets(sequential.reader.read(tree), crosses, sequential);
    const parts = crosses.map((cross) => {
      const worker = new PageComparer(words);
      const placed = worker.reader.read(tree);
      const classes = new Uint8Array(placed.tokenCount);
      addClasses(classes, placed, cross, worker);
      return classes;
    });
    const merged = new Uint8Array(bits.length);
    // from the last to the first, and in pairs
    const half = parts.splice(0, parts.length >> 1);
    for (const group of [parts.reverse(), half]) {
      const together = new Uint8Array(bits.length);
      for (const part of group) for (let i = 0; i < part.length; i++) together[i] |= part[i];
      for (let i = 0; i < together.length; i++) merged[i] |= together[i];
    }
    expect(merged).toEqual(bits);
  }
});

test('a class of all crosses is the label, and contradictions are decided', () => {
  for (const page of pages.slice(0, 10)) {
    const { tree, crosses } = crossesOf(page);
    const ranges = detector.label(parsePage(page), model);
    expect(ranges.at(-1)?.end).toBe(page.source.length);
    if (crosses.length === 0) continue;
    const comparer = new PageComparer(words);
    const placed = comparer.reader.read(tree);
    const { bits } = compareInBuckets(placed, crosses, comparer);
    const at = bits.findIndex((said, i) => said === SAID_CONTENT && placed.textEnd[i] > placed.textStart[i]);
    const start = tree.start[placed.tokenNode[at]];
    const end = tree.end[placed.tokenNode[at]];
    const over = ranges.filter((range) => range.start < end && range.end > start);
    expect(over.some(({ label }) => label === 'content')).toBe(true);
  }
});

test('a page without a shared bucket is kept and reported; T007 has no buckets', () => {
  const codes: string[] = [];
  const source = Buffer.from(`<table>${'<tr><td><b>a</b></td></tr>'.repeat(40)}</table>`);
  const odd = { ...pages[0], url: 'http://en.example/odd', source };
  const ranges = detector.label(parsePage(odd), model, { report: (code) => codes.push(code) });
  expect(ranges.map(({ label }) => label)).toEqual(['unsure']);
  expect(codes).toEqual(['no-similar-page']);
  expect(() => crossDetector({ buckets: true })).toThrow('buckets must be false for T007');
});
