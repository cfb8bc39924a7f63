/** One name per file: a name in an import, a stack trace or a sentence means one file. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SOURCES = fileURLToPath(new URL('../src', import.meta.url));
/** The library's exports, the list of detectors and the kernel's entry point. */
const ENTRY_POINT = 'index.ts';

test('no two source files have the same name', () => {
  const foldersOf = new Map<string, string[]>();
  for (const { name, parentPath } of readdirSync(SOURCES, { recursive: true, withFileTypes: true })) {
    if (!name.endsWith('.ts') || name === ENTRY_POINT) continue;
    const folder = parentPath.slice(SOURCES.length + 1);
    foldersOf.set(name, [...(foldersOf.get(name) ?? []), folder]);
  }
  const repeated = [...foldersOf].filter(([, folders]) => folders.length > 1);
  expect(repeated).toEqual([]);
});
