// Loads the module of a thread when Chaff runs from its TypeScript sources. Tests use the bundle that their setup has
// built (scripts/test-setup.mjs). Otherwise Node 20 needs a loader of TypeScript, which a worker does not inherit from its
// parent. Never part of the build.
import { workerData } from 'node:worker_threads';

const { module } = workerData;
if (process.env.VITEST) {
  await import(`../../../dist/${module}.js`);
} else {
  const { register } = await import('tsx/esm/api');
  register();
  await import(`../../${module}.ts`);
}
