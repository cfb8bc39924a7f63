import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'fuzz/**/*.test.ts'],
    globalSetup: 'scripts/test-setup.mjs',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // a test that comes to no assertion, a loop over nothing say, fails
    expect: { requireAssertions: true },
    coverage: { provider: 'v8', include: ['src/**/*.ts'], exclude: ['src/**/*.test.ts', 'src/cli/bin.ts'] },
  },
});
