import { expect, test } from 'vitest';
import { labelOne, learn, samplePages, testDetector } from '../../../test/detector-contract.ts';
import { linkModel } from '../../../test/link-model.ts';
import { pageDetector } from './page.ts';
import { decodePageModel, encodePageModel } from './page-model.ts';

testDetector(pageDetector({ model: linkModel() }), 'page', /^page-level score \d\.\d\d/, true);

test('a page is judged alike whether its site was learnt or not', () => {
  const detector = pageDetector({ model: linkModel() });
  const pages = samplePages(3);
  const [alone, together] = [learn(detector, []), learn(detector, pages)];
  for (const page of pages)
    expect(labelOne(detector, alone, page)).toEqual(labelOne(detector, together, page));
});

test('a model written and read again is the same text', () => {
  const text = encodePageModel(linkModel());
  expect(encodePageModel(decodePageModel(text))).toBe(text);
});

test('what is no model is refused with what is wrong', () => {
  const model = JSON.parse(encodePageModel(linkModel()));
  expect(() => decodePageModel('')).toThrow('no JSON');
  expect(() => decodePageModel('{}')).toThrow('no version');
  expect(() => decodePageModel(JSON.stringify({ ...model, version: 99 }))).toThrow('version 99');
  expect(() => decodePageModel(JSON.stringify({ ...model, features: ['x'] }))).toThrow('other features');
  expect(() => decodePageModel(JSON.stringify({ ...model, classes: [] }))).toThrow('every class of area');
});
