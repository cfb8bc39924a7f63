import { expect, test } from 'vitest';
import { CLASS_NAMES, classBounds, classOf, DARK_PALETTE, LIGHT_PALETTE } from './frequency-classes.ts';

test('the class of a template is by the share of the pages that hold it', () => {
  const bounds = classBounds(200);
  expect(
    [1, 19, 20, 49, 50, 99, 100, 149, 150, 189, 190, 200].map((pages) => classOf(pages, bounds)),
  ).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
  expect(CLASS_NAMES).toHaveLength(6);
});

test('on a site of any size a template on all pages has the last class', () => {
  for (let pages = 1; pages <= 200_000; pages += Math.ceil(pages / 200)) {
    const bounds = classBounds(pages);
    expect(classOf(pages, bounds)).toBe(5);
    expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
    if (pages > 1) expect(classOf(1, bounds)).toBeLessThan(5);
  }
});

test('shades go in one direction from the paper', () => {
  for (const { classes, content } of [LIGHT_PALETTE, DARK_PALETTE]) {
    const lightness = [content, ...classes].map((colour) => toLab(toLinear(colour))[0]);
    const sorted = lightness.toSorted((a, b) => a - b);
    expect([sorted, sorted.toReversed()]).toContainEqual(lightness);
  }
});

/** Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB. */
const VISION = {
  full: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

test('all colours differ visibly, also for the colour-blind', () => {
  for (const { classes, content } of [LIGHT_PALETTE, DARK_PALETTE]) {
    for (const matrix of Object.values(VISION)) {
      const seen = [...classes, content].map((colour) => toLab(see(toLinear(colour), matrix)));
      for (let a = 0; a < seen.length; a++) {
        for (let b = a + 1; b < seen.length; b++) {
          expect(Math.hypot(...seen[a].map((value, at) => value - seen[b][at]))).toBeGreaterThan(8);
        }
      }
    }
  }
});

function toLinear(hex: string): number[] {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

function see(rgb: number[], matrix: number[]): number[] {
  return [0, 3, 6].map((row) =>
    Math.min(1, Math.max(0, matrix[row] * rgb[0] + matrix[row + 1] * rgb[1] + matrix[row + 2] * rgb[2])),
  );
}

function toLab([r, g, b]: number[]): number[] {
  const root = (value: number): number => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  const x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
