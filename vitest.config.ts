import { defineConfig } from 'vitest/config';

/** Tests that start browsers, servers or many processes: `npm run test:slow`; `npm run test:quick` runs the others. */
const SLOW = ['src/browse/**/*.test.ts', 'test/end-to-end/**/*.test.ts'];
/** Tests that change the process (signals, environment, memory), run commands or start many threads: each file gets a process. */
const ISOLATED = ['src/{cli,explore,run}/**/*.test.ts', 'test/**/*.test.ts'];

/** File for the results as JSON, from which .ci/run lists the skipped tests. */
const report = process.env.CHAFF_TEST_REPORT;

export default defineConfig({
  test: {
    globalSetup: 'scripts/test-setup.mjs',
    reporters: report === undefined ? ['default'] : ['default', 'json'],
    outputFile: report,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // vitest leaves one core idle, which is half of a machine with two
    maxWorkers: '100%',
    // a test without an assertion, for example a loop over an empty list, fails
    expect: { requireAssertions: true },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // the kernel is compiled from its sources, workers run a bundle, and the page of the explorer runs in a browser
      exclude: [
        'src/**/*.test.ts',
        'src/cli/bin.ts',
        'src/kernel/assembly/**',
        'src/explore/{page,ui}/**',
        'src/explore/page-worker.ts',
        'src/run/executors/{serve,worker}.ts',
        'src/run/pages/answer-worker.ts',
      ],
      // measured: lines 98.1, statements 97.2, functions 97.8, branches 92.8
      thresholds: { lines: 97, statements: 96, functions: 97, branches: 91 },
    },
    projects: [
      // all other files share processes: importing the modules again for each file takes as long as the tests
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['{src,fuzz}/**/*.test.ts'],
          exclude: [...ISOLATED, ...SLOW],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED, exclude: SLOW } },
      { extends: true, test: { name: 'slow', include: SLOW } },
    ],
  },
});
