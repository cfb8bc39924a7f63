/**
 * Runs the fuzz targets on a fixed number of seeded cases each; `npm run fuzz` runs them for any length of time.
 */
import { afterAll, expect, test } from 'vitest';
import { checkCase, makeCase } from '../fuzz/check-case.ts';
import { minimise } from '../fuzz/minimise.ts';
import { TARGETS } from '../fuzz/target-list.ts';

const SEED = 1;
/** Five to ten seconds of CPU time each. */
const CASES: Record<string, number> = {
  readers: 3000,
  http: 14_000,
  rows: 2000,
  parser: 4500,
  inflate: 13_000,
  models: 3800,
  metadata: 1000,
  markdown: 700,
  html: 1000,
  extract: 140,
};
const MAX_SHOWN_BYTES = 3000;
const TIMEOUT_MS = 600_000;

afterAll(() => {
  for (const target of TARGETS) target.close?.();
});

test.each(TARGETS.map((target) => [target.name, target] as const))(
  '%s keeps its promises on any bytes',
  async (name, target) => {
    // by promise, the first case that breaks it
    const broken = new Map<string, string>();
    for (let number = 0; number < CASES[name]; number++) {
      const bytes = makeCase(target, SEED, number);
      const failure = await checkCase(target, bytes);
      if (!failure || broken.has(failure.promise)) continue;
      const isSame = async (smaller: Uint8Array) =>
        (await checkCase(target, smaller))?.promise === failure.promise;
      const smallest = Buffer.from(await minimise(bytes, isSame, { maxChecks: 300, maxMs: 20_000 }));
      const shown =
        smallest.length > MAX_SHOWN_BYTES ? `${smallest.length} bytes` : smallest.toString('base64');
      broken.set(failure.promise, `seed ${SEED}, case ${number}: ${failure.message}\n${shown}`);
    }
    expect([...broken.values()].join('\n\n')).toBe('');
  },
  TIMEOUT_MS,
);
