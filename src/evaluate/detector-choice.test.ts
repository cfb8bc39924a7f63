import { expect, test } from 'vitest';
import { CHOICE_NAMES, detectorChoice } from './detector-choice.ts';

test('a detector keeps the options that are its own', () => {
  expect(detectorChoice('dom', { dom: { lowerShare: 0.2 }, text: { density: 3 } })).toEqual({
    name: 'dom',
    options: { lowerShare: 0.2 },
  });
});

test('a variant is its detector under a name of its own', () => {
  expect(detectorChoice('T006', { cross: { a: 1 } })).toEqual({
    name: 'cross',
    label: 'T006',
    options: { a: 1, variant: 'T006' },
  });
  expect(detectorChoice('page-basic', { page: { threshold: 0.4 } })).toEqual({
    name: 'page',
    label: 'page-basic',
    options: { threshold: 0.4, smoothing: 'none', levelling: false },
  });
  expect(detectorChoice('page-merge').options).toEqual({ smoothing: 'merge', levelling: false });
  expect(detectorChoice('page-smooth').options).toEqual({ smoothing: 'isotonic', levelling: false });
});

test('every name has a label of its own, and others are refused with the list', () => {
  const labels = CHOICE_NAMES.map((name) => detectorChoice(name)).map(({ name, label = name }) => label);
  expect(new Set(labels).size).toBe(CHOICE_NAMES.length);
  expect(() => detectorChoice('pages')).toThrow(/one of .*page-basic.*, not "pages"/);
});
