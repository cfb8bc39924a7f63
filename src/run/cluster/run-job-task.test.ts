import { expect, test } from 'vitest';
import type { Attempt } from '../../store/job-folder.ts';
import { suspectsOf } from './run-job-task.ts';

const attempt = (startedMs: number, lastSignMs: number, page: number, isAlive = false): Attempt => ({
  task: 'label-00000',
  host: 'node',
  pid: 1,
  startedMs,
  lastSignMs,
  page,
  isAlive,
});

test('a page at which two attempts die, one after the other, is a suspect', () => {
  expect(suspectsOf([attempt(20, 30, 7), attempt(0, 10, 7)])).toEqual({ 7: 'unreadable' });
});

test('attempts that die at one page while they run at the same time count once', () => {
  const atOnce = [attempt(0, 10, 7), attempt(5, 12, 7), attempt(8, 11, 7)];
  expect(suspectsOf(atOnce)).toEqual({});
  expect(suspectsOf([...atOnce, attempt(12, 20, 7)])).toEqual({ 7: 'unreadable' });
});

test('attempts that die at different pages, before the first page, or still run make no suspect', () => {
  expect(suspectsOf([attempt(0, 10, 7), attempt(20, 30, 8)])).toEqual({});
  expect(suspectsOf([attempt(0, 10, 0), attempt(20, 30, 0)])).toEqual({});
  expect(suspectsOf([attempt(0, 10, 7), attempt(20, 30, 7, true)])).toEqual({});
});
