import { expect, test } from 'vitest';
import { countClasses, toClassFigures } from './overlap.ts';

test('the four fields add up to the words of the page', () => {
  const counts = countClasses({ rightWords: 80, keptWords: 100, goldWords: 90, wholeWords: 300 });
  expect(counts).toEqual({ contentKept: 80, contentLost: 10, boilerplateKept: 20, boilerplateGone: 190 });
});

test('gold words that are not on the page are lost, and no field is negative', () => {
  const counts = countClasses({ rightWords: 10, keptWords: 10, goldWords: 50, wholeWords: 12 });
  expect(counts).toEqual({ contentKept: 10, contentLost: 40, boilerplateKept: 0, boilerplateGone: 0 });
});

test('figures are of the words of all pages together', () => {
  const figures = toClassFigures([
    { contentKept: 90, contentLost: 10, boilerplateKept: 10, boilerplateGone: 90 },
    { contentKept: 0, contentLost: 0, boilerplateKept: 50, boilerplateGone: 150 },
  ])!;
  expect(figures.accuracy).toBeCloseTo(330 / 400);
  expect(figures.content.precision).toBeCloseTo(90 / 150);
  expect(figures.content.recall).toBeCloseTo(0.9);
  expect(figures.boilerplate.precision).toBeCloseTo(240 / 250);
  expect(figures.boilerplate.recall).toBeCloseTo(240 / 300);
});

test('no page, no figures', () => {
  expect(toClassFigures([])).toBeUndefined();
});
