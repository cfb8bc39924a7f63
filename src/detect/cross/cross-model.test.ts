import { expect, test } from 'vitest';
import { learn, samplePages } from '../../../test/detector-contract.ts';
import { ModelFormatError } from '../model-bytes.ts';
import { crossDetector } from './cross-detector.ts';
import { type CrossModel, decodeCrossModel, encodeCrossModel } from './cross-model.ts';

const sample = (): CrossModel => learn(crossDetector(), samplePages(3));

test('a model truncated anywhere is refused', () => {
  const bytes = encodeCrossModel(sample());
  for (let length = 0; length < bytes.length; length += 97) {
    expect(() => decodeCrossModel(bytes.subarray(0, length))).toThrow(ModelFormatError);
  }
});

test('a model can be read at any alignment of its bytes', () => {
  const model = sample();
  const bytes = encodeCrossModel(model);
  for (let shift = 0; shift < 4; shift++) {
    const shifted = new Uint8Array(bytes.length + shift);
    shifted.set(bytes, shift);
    expect(decodeCrossModel(shifted.subarray(shift))).toEqual(model);
  }
});

test('a subtree beyond its page is refused, even if it would overflow its column', () => {
  for (const end of [1e6, 2 ** 31 - 1]) {
    const model = sample();
    model.pages[0].endToken[0] = end;
    expect(() => decodeCrossModel(encodeCrossModel(model))).toThrow('ends beyond its page');
  }
  const model = sample();
  model.pages[0].wordCount[0] = model.pages[0].tokens.length + 1;
  expect(() => decodeCrossModel(encodeCrossModel(model))).toThrow(ModelFormatError);
});

test('the kept pages have the smallest URL hashes, whatever their order', () => {
  const pages = samplePages(12);
  const all = learn(crossDetector(), pages).pages.map(({ url }) => url);
  const few = crossDetector({ neighbourPages: 4 });
  expect(learn(few, pages).pages.map(({ url }) => url)).toEqual(all.slice(0, 4));
  expect(learn(few, [...pages].reverse()).pages.map(({ url }) => url)).toEqual(all.slice(0, 4));
});
