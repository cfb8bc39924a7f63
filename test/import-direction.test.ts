import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/**
 * The pipeline, read downwards: a folder may import from itself and from folders above it. `research/thesis` holds
 * variants of the cross detector, so it shares the level of `detect`.
 */
const FOLDERS = [
  'model',
  'kernel',
  'read',
  'parse',
  'analysis',
  'layout',
  'learn',
  'metadata',
  'detect',
  'view',
  'study',
  'fragments',
  'browse',
  'research/generated-sites',
  'store',
  'run',
  'evaluate',
  'report',
  'explore',
  'cli',
];
/** Parsing and detecting work on any page, wherever it was read from. */
const NEVER: Record<string, string[]> = {
  parse: ['read'],
  analysis: ['read'],
  layout: ['read'],
  metadata: ['read'],
  detect: ['read'],
};

/** Folders that share a level with another one. */
const SAME_LEVEL: Record<string, string> = { 'research/thesis': 'detect' };

/** The library, and the part of it that needs nothing of Node. */
const ENTRY_POINTS = ['index.ts', 'core.ts', 'core-platform.ts'];

const src = join(dirname(fileURLToPath(import.meta.url)), '../src');

test('imports point up the list of folders only', () => {
  const wrong: string[] = [];
  for (const [file, target] of importsOfAllSources()) {
    const from = folderOf(file);
    const to = folderOf(target);
    if (from === to || ENTRY_POINTS.includes(from)) continue;
    if (
      ENTRY_POINTS.includes(to) ||
      FOLDERS.indexOf(to) > FOLDERS.indexOf(from) ||
      NEVER[from]?.includes(to)
    ) {
      wrong.push(`${file} imports ${target}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('every folder of src is on the list', () => {
  const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const research = readdirSync(join(src, 'research')).map((name) => folderOf(`research/${name}/`));
  const names = [...folders.map((entry) => entry.name).filter((name) => name !== 'research'), ...research];
  expect(names.filter((name) => !FOLDERS.includes(name))).toEqual([]);
});

test('only the command line prints', () => {
  const printing = sources()
    .filter((file) => folderOf(file) !== 'cli' && !file.endsWith('.js'))
    .filter((file) =>
      /\bconsole\.\w+\(|process\.(stdout|stderr)/.test(readFileSync(join(src, file), 'utf8')),
    );
  expect(printing).toEqual([]);
});

function* importsOfAllSources(): Iterable<[file: string, target: string]> {
  for (const file of sources()) {
    const code = readFileSync(join(src, file), 'utf8');
    for (const [, path] of code.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      yield [file, relative(src, resolve(src, dirname(file), path))];
    }
  }
}

function sources(): string[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
}

function folderOf(file: string): string {
  const [folder, subfolder] = file.split('/');
  if (folder !== 'research') return folder;
  return SAME_LEVEL[`${folder}/${subfolder}`] ?? `${folder}/${subfolder}`;
}
