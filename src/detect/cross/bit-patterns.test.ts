import { expect, test } from 'vitest';
import { classifyBits, DOWN, NEXT, PREVIOUS, patternName, spellBits, UP } from './bit-patterns.ts';

/**
 * Appendix B as printed: bits of the cross, then occurrence bits by class, in the order (current, up, down,
 * previous, next).
 */
const TABLES: [cross: string, content: string[], boilerplate: string[]][] = [
  ['11000', ['10000'], ['11000']],
  ['11100', ['10000'], ['10100', '11000', '11100']],
  ['11001', ['10001'], ['10000', '11000', '11001']],
  ['11010', ['10010'], ['10000', '11000', '11010']],
  ['11011', ['10011'], ['10000', '10001', '10010', '11000', '11001', '11010', '11011']],
  ['11101', ['10001'], ['11101']],
  ['11110', ['10010'], ['11110']],
  ['11111', ['10011'], ['11111']],
];

/** Converts printed bits to ours: the page itself is implied, and up is the lowest bit. */
const bitsOf = (printed: string): number =>
  [...printed].slice(1).reduce((bits, digit, arm) => bits | (Number(digit) << arm), 0);

test('every pattern of tables B.1 to B.5 has its class', () => {
  for (const [cross, content, boilerplate] of TABLES) {
    for (const bits of content) expect(classifyBits(bitsOf(cross), bitsOf(bits)), bits).toBe('content');
    for (const bits of boilerplate) expect(classifyBits(bitsOf(cross), bitsOf(bits)), bits).toBe('template');
  }
});

test('patterns outside all tables are unsure', () => {
  const listed = new Set(
    TABLES.flatMap(([cross, ...classes]) => classes.flat().map((bits) => 16 * bitsOf(cross) + bitsOf(bits))),
  );
  let unsure = 0;
  for (let pattern = 0; pattern < 256; pattern++) {
    if (listed.has(pattern)) continue;
    expect(classifyBits(pattern >> 4, pattern & 15)).toBe('unsure');
    unsure++;
  }
  expect(unsure).toBe(256 - 28);
});

test('pattern names have the table and the bits of the cross and the text, as in the thesis', () => {
  expect(spellBits(UP | PREVIOUS)).toBe('11010');
  expect(patternName(UP, 0)).toBe('B.1 11000/10000');
  expect(patternName(UP | PREVIOUS, PREVIOUS)).toBe('B.3 11010/10010');
  expect(patternName(UP | DOWN | PREVIOUS | NEXT, PREVIOUS | NEXT)).toBe('B.5 11111/10011');
  expect(patternName(UP | DOWN | PREVIOUS | NEXT, 0)).toBe('');
});
