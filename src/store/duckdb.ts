/**
 * The database's package, loaded when it is first needed and as the CommonJS module it is: an `import` of it makes
 * Node search the text of its fifty files for names first, a fifth of a second for every thread.
 */
import { createRequire } from 'node:module';

type DuckDb = typeof import('@duckdb/node-api');

let loaded: DuckDb | undefined;

export function duckDb(): DuckDb {
  loaded ??= createRequire(import.meta.url)('@duckdb/node-api') as DuckDb;
  return loaded;
}

/** Loads it when the thread has nothing else to do, for who will need it and waits for other threads till then. */
export function loadDuckDbSoon(): void {
  setImmediate(() => {
    try {
      duckDb();
    } catch {
      // whoever needs it hears of it
    }
  });
}
