import { expect, test } from 'vitest';
import type { Attempt } from '../../store/job-folder.ts';
import { suspectsOf } from './run-job-task.ts';

const attempt = (name: string, page: number, after: string[] = [], isAlive = false): Attempt => ({
  ...{ name, page, after, isAlive },
  ...{ task: 'label-00000', host: 'node', pid: 1, startedMs: 0, lastSignMs: 0, isRemote: false },
});

test('a page at which two attempts die, one after the other, is a suspect', () => {
  expect(suspectsOf([attempt('b', 7, ['a']), attempt('a', 7)])).toEqual({ 7: 'unreadable' });
});

test('attempts that die at one page while they run at the same time count once', () => {
  const atOnce = [attempt('a', 7), attempt('b', 7), attempt('c', 7)];
  expect(suspectsOf(atOnce)).toEqual({});
  expect(suspectsOf([...atOnce, attempt('d', 7, ['a', 'b', 'c'])])).toEqual({ 7: 'unreadable' });
});

test('attempts that die at different pages, before the first page, or still run make no suspect', () => {
  expect(suspectsOf([attempt('a', 7), attempt('b', 8, ['a'])])).toEqual({});
  expect(suspectsOf([attempt('a', 0), attempt('b', 0, ['a'])])).toEqual({});
  expect(suspectsOf([attempt('a', 7), attempt('b', 7, ['a'], true)])).toEqual({});
  // a copy of the task died in between at another page
  expect(suspectsOf([attempt('a', 7), attempt('b', 8, ['a']), attempt('c', 7, ['a', 'b'])])).toEqual({
    7: 'unreadable',
  });
});
