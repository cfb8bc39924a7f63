/** Sites and pages that could break comparisons with neighbours. */
import { expect, test } from 'vitest';
import { labelOne, learn, makePage, parsePage, samplePages } from '../../../test/detector-contract.ts';
import { crossDetector } from './cross-detector.ts';

const VARIANTS = ['T001', 'T006', 'T007'] as const;
const FIVE_MEGABYTES = 5_000_000;

test('a site of one page is kept whole and reports that it has no other page', () => {
  const [page] = samplePages(1);
  for (const variant of VARIANTS) {
    const detector = crossDetector({ variant });
    const codes: string[] = [];
    const model = learn(detector, [page]);
    const ranges = detector.label(parsePage(page), model, { report: (code) => codes.push(code) });
    expect(ranges.map(({ start, end, label }) => [start, end, label])).toEqual([
      [0, page.source.length, 'unsure'],
    ]);
    expect(codes).toEqual(['no-similar-page']);
  }
});

test('identical pages under different URLs are all template', () => {
  const pages = [1, 2, 3, 4].map((number) =>
    makePage('<div><p>The same words on every page.</p></div>', number),
  );
  for (const variant of VARIANTS) {
    const detector = crossDetector({ variant });
    const labels = labelOne(detector, learn(detector, pages), pages[0]).filter(
      ({ label }) => label !== 'content',
    );
    expect(labels).toHaveLength(1);
    expect(labels[0]).toMatchObject({ label: 'template', score: 1 });
  }
});

test('captures of a URL with the same time are neither before nor after each other', () => {
  const pages = samplePages(6);
  const twin = { ...pages[2], source: Buffer.from(`${pages[2].source}<p>one line more</p>`) };
  for (const variant of VARIANTS) {
    const detector = crossDetector({ variant });
    const reasons = labelOne(detector, learn(detector, pages.with(2, twin)), pages[2]).map(
      ({ reason }) => reason,
    );
    expect(reasons.join()).not.toContain('other captures');
  }
});

test('pages of 5 MB without repeated words are labelled in bounded time', () => {
  const page = (number: number) => {
    let text = '';
    for (let i = 0; text.length < FIVE_MEGABYTES; i++) text += `w${number}x${i.toString(36)} `;
    return makePage(`<ul><li>Home</li></ul><div><p>${text}</p></div>`, number);
  };
  const pages = [page(11), page(12)];
  const detector = crossDetector();
  const small = samplePages(3);
  const before = process.cpuUsage();
  const model = learn(detector, [...pages, ...small]);
  const ranges = labelOne(detector, model, pages[0]);
  const { user } = process.cpuUsage(before);
  expect(ranges.at(-1)?.end).toBe(pages[0].source.length);
  // a page with that many tokens is not kept as a neighbour
  expect(model.pages).toHaveLength(small.length);
  expect(user / 1e6).toBeLessThan(30);
});

test('the model of a site keeps as many pages of 5,000 as of 150', () => {
  const detector = crossDetector({ neighbourPages: 20 });
  const [sample] = samplePages(1);
  const many = function* (count: number) {
    const parsed = parsePage(sample);
    for (let i = 0; i < count; i++) {
      yield { ...parsed, page: { ...parsed.page, url: `http://a.example/${i}` } };
    }
  };
  expect(detector.learn('a.example', many(150)).pages).toHaveLength(20);
  const model = detector.learn('a.example', many(5000));
  expect(model.pages).toHaveLength(20);
  expect(model.pagesLearnt).toBe(5000);
});
