import { expect, test } from 'vitest';
import { simulateStage } from '../bench/simulate-cluster.ts';

const equal = (count: number) => Array.from({ length: count }, () => 10);

test('equal tasks take their share of the workers, and one more round when they do not divide', () => {
  expect(simulateStage(equal(8), { workers: 1 }).makespanSeconds).toBe(80);
  expect(simulateStage(equal(8), { workers: 4 }).makespanSeconds).toBe(20);
  expect(simulateStage(equal(9), { workers: 4 }).makespanSeconds).toBe(30);
  expect(simulateStage([], { workers: 4 }).makespanSeconds).toBe(0);
});

test('a free worker takes the next task: a long one does not hold back the others', () => {
  expect(simulateStage([30, 10, 10, 10], { workers: 2 }).makespanSeconds).toBe(30);
  expect(simulateStage([10, 10, 10, 30], { workers: 2 }).makespanSeconds).toBe(40);
});

test('a process starts once for a batch', () => {
  const stage = simulateStage(equal(8), { workers: 2, batchTasks: 4, startSeconds: 3 });
  expect(stage).toEqual({ makespanSeconds: 43, busySeconds: 86, lostSeconds: 0, deaths: 0 });
});

test('slowdowns are those that were measured', () => {
  const { busySeconds } = simulateStage(equal(10_000), { workers: 10, slowdowns: [1, 1, 1, 2] });
  expect(busySeconds / 100_000).toBeCloseTo(1.25, 1);
});

test('deaths lose the task at which a worker was, and nothing else', () => {
  const options = { workers: 50, batchTasks: 4, deathsPerHour: 6, replaceSeconds: 30 };
  const stage = simulateStage(equal(20_000), options);
  // every 600 s of work a death, which loses half a task on average
  expect(stage.deaths).toBeGreaterThan(0.8 * (200_000 / 600));
  expect(stage.deaths).toBeLessThan(1.2 * (200_000 / 600));
  expect(stage.lostSeconds / stage.deaths).toBeCloseTo(5, 0);
  expect(stage.busySeconds).toBeCloseTo(200_000 + stage.lostSeconds, 3);
  expect(stage.makespanSeconds).toBeGreaterThan(stage.busySeconds / 50);
  expect(simulateStage(equal(20_000), options)).toEqual(stage);
});
