/** One name per file and per exported symbol: a name in an import, a stack trace or a sentence means one thing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** Replacements in `chaff/core` have the names of what they replace, and its `extract` is that of the library. */
const TWICE = ['extract', 'packagedJointModel', 'threadKernel'];

test('no two source files export functions, classes or types of the same name', () => {
  const filesOf = new Map<string, string[]>();
  for (const { name, parentPath } of readdirSync(SOURCES, { recursive: true, withFileTypes: true })) {
    const path = join(parentPath, name);
    // the kernel has twins of the host's functions, and the explorer's page is a program of its own
    if (!/(?<!\.test)\.ts$/.test(name) || /kernel.assembly|explore.ui/.test(path)) continue;
    const exported = /^export (?:async )?(?:function\*?|class|interface|type) (\w+)/gm;
    for (const [, symbol] of readFileSync(path, 'utf8').matchAll(exported)) {
      if (TWICE.includes(symbol)) continue;
      filesOf.set(symbol, [...(filesOf.get(symbol) ?? []), path.slice(SOURCES.length + 1)]);
    }
  }
  expect(filesOf.size).toBeGreaterThan(1000);
  expect([...filesOf].filter(([, files]) => files.length > 1)).toEqual([]);
});
