// The worker when Chaff runs from its TypeScript sources, as tests do: Node 20 needs a loader for them, and a
// worker does not inherit the one of its parent. Never part of the build.
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
