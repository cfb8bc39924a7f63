/**
 * What every run that writes a folder promises, tested once for all: the same folder for inputs in any order,
 * for any number of workers, and for a run that was stopped and goes on.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Progress } from '../src/run/stages/run-stage.ts';
import { folderDigest } from './folder-digest.ts';

interface RunOptions {
  output: string;
  workers: number;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

export interface ResumableRun {
  /** Runs over the three archives of the test, in the order given by their numbers. */
  run: (order: readonly number[], options: RunOptions) => Promise<{ resumed: boolean }>;
  /** A folder that is not there yet. */
  newOutput: () => string;
  /** Digest of what a run in the caller's thread has written. */
  expected: () => string;
  /** Stages to stop at, and with how many workers. */
  stages: readonly (readonly [stage: Progress['stage'], workers: number])[];
}

const ORDER = [0, 1, 2];

export function testResumableRun({ run, newOutput, expected, stages }: ResumableRun): void {
  test('shuffled inputs give the same folder', async () => {
    const output = newOutput();
    await run([2, 0, 1], { output, workers: 0 });
    expect(folderDigest(output)).toBe(expected());
  });

  test('worker threads give the same folder', async () => {
    const output = newOutput();
    await run(ORDER, { output, workers: 2 });
    expect(folderDigest(output)).toBe(expected());
  });

  for (const [stage, workers] of stages) {
    test(`a run stopped while at ${stage} with ${workers} workers goes on to the same folder`, async () => {
      const output = newOutput();
      const stop = new AbortController();
      const onProgress = (progress: Progress) => {
        if (progress.stage === stage && progress.done === 1) stop.abort();
      };
      const first = run(ORDER, { output, workers, signal: stop.signal, onProgress });
      await expect(first).rejects.toMatchObject({ name: 'AbortError' });
      expect(existsSync(join(output, 'run.json'))).toBe(false);
      const { resumed } = await run(ORDER, { output, workers: 0 });
      expect(resumed).toBe(true);
      expect(folderDigest(output)).toBe(expected());
    });
  }
}
