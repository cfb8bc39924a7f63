import { expect, test } from 'vitest';
import { labelOne, learn, samplePages, testDetector } from '../../test/detector-contract.ts';
import { DETECTOR_NAMES, makeDetector } from './index.ts';
import { noneDetector } from './none-detector.ts';

testDetector(noneDetector());

test('every byte is content', () => {
  const pages = samplePages(24);
  const ranges = labelOne(noneDetector(), learn(noneDetector(), pages), pages[0]);
  expect(ranges).toMatchObject([{ start: 0, end: pages[0].source.length, label: 'content' }]);
});

test('detectors are made by name, and unknown names are refused with the list of names', () => {
  for (const name of DETECTOR_NAMES) expect(makeDetector(name).name).toBe(name);
  expect(() => makeDetector('toString')).toThrow(
    'detector must be one of joint, dom, text, cross, page, none, not "toString"',
  );
  expect(() => makeDetector('dom', { lowerShare: -1 })).toThrow('lowerShare');
});
