import { expect, test } from 'vitest';
import { learn, parsePage, samplePages } from '../../test/detector-contract.ts';
import { threadKernel } from '../kernel/thread-kernel.ts';
import type { Detector } from './detector.ts';
import { domDetector } from './dom-detector.ts';
import { jointDetector } from './joint/joint-detector.ts';
import { LabellerCache } from './labeller-cache.ts';
import { textDetector } from './text-detector.ts';

const detectors: [string, Detector][] = [
  ['dom', domDetector() as Detector],
  ['dom by content', domDetector({ evidence: 'content' }) as Detector],
  ['text', textDetector() as Detector],
  ['text with D > 0', textDetector({ density: 8 }) as Detector],
  ['text by occurrences', textDetector({ count: 'occurrences' }) as Detector],
  ['joint', jointDetector() as Detector],
];

test.each(detectors)('learning releases the memory that it allocated: %s', (_, detector) => {
  const { heap } = threadKernel();
  const pages = samplePages(24);
  learn(detector, pages); // the scratch memory of the thread is allocated once
  const before = heap.usedBytes;
  for (let i = 0; i < 3; i++) learn(detector, pages);
  expect(heap.usedBytes).toBe(before);
});

test.each(detectors)('labelling with many models holds tables of a few models: %s', (_, detector) => {
  const { heap } = threadKernel();
  const pages = samplePages(24);
  const model = learn(detector, pages);
  const page = parsePage(pages[0]);
  const labelWithCopies = (count: number) => {
    for (let i = 0; i < count; i++) detector.label(page, { ...model });
    return heap.usedBytes;
  };
  const full = labelWithCopies(40);
  expect(labelWithCopies(40)).toBe(full);
});

test.each(detectors)('a released detector holds no memory, and can label again: %s', (_, detector) => {
  const { heap } = threadKernel();
  const pages = samplePages(24);
  const use = () => {
    const ranges = detector.label(parsePage(pages[0]), learn(detector, pages));
    detector.release!();
    return ranges;
  };
  const ranges = use();
  const before = heap.usedBytes;
  expect(use()).toEqual(ranges);
  expect(heap.usedBytes).toBe(before);
});

test('the least recently used model is released first', () => {
  const released: number[] = [];
  const cache = new LabellerCache(({ id }: { id: number }) => ({ release: () => released.push(id) }));
  const models = Array.from({ length: 34 }, (_, id) => ({ id }));
  for (const model of models.slice(0, 32)) cache.get(model);
  const first = cache.get(models[0]);
  cache.get(models[32]);
  cache.get(models[33]);
  expect(released).toEqual([1, 2]);
  expect(cache.get(models[0])).toBe(first);
});
