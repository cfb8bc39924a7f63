import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OutputFolderError, RunFolder } from './run-folder.ts';
import { commitTask } from './task-parts.ts';

const newPath = () => join(mkdtempSync(join(tmpdir(), 'chaff-test-')), 'out');

async function commit(folder: RunFolder, name: string, text: string): Promise<void> {
  await commitTask({ folder: folder.workPath, name }, async (draft) => {
    mkdirSync(join(draft, 'pages'));
    writeFileSync(join(draft, 'pages', `${name}.parquet`), text);
  });
}

test('a run with the same fingerprint resumes with the committed tasks', async () => {
  const path = newPath();
  const first = RunFolder.open(path, { fingerprint: 'a' });
  expect(first.resumed).toBe(false);
  await commit(first, 'label-0', 'x');
  const again = RunFolder.open(path, { fingerprint: 'a' });
  expect([again.resumed, again.finished, again.isCommitted('label-0'), again.isCommitted('label-1')]).toEqual(
    [true, false, true, false],
  );
});

test('a run that starts again has no committed tasks, and the run that resumes it knows', async () => {
  const path = newPath();
  const first = RunFolder.open(path, { fingerprint: 'a' });
  await commit(first, 'label-0', 'x');
  writeFileSync(first.work('plan', 'plan.parquet'), 'x');
  first.startAgain();
  expect([first.startedAgain, first.isCommitted('label-0')]).toEqual([true, false]);
  expect(readdirSync(join(path, '.work')).sort()).toEqual(['done', 'fingerprint.json']);
  await commit(first, 'label-0', 'y');
  const again = RunFolder.open(path, { fingerprint: 'a' });
  expect([again.resumed, again.startedAgain, again.isCommitted('label-0')]).toEqual([true, true, true]);
});

test('a folder of another run is refused, and overwritten only on request', async () => {
  const path = newPath();
  await commit(RunFolder.open(path, { fingerprint: 'a' }), 'label-0', 'x');
  expect(() => RunFolder.open(path, { fingerprint: 'b' })).toThrow(OutputFolderError);
  const fresh = RunFolder.open(path, { fingerprint: 'b', overwrite: true });
  expect(fresh.isCommitted('label-0')).toBe(false);
});

test('a folder with other files is never changed', () => {
  const path = newPath();
  mkdirSync(path);
  writeFileSync(join(path, 'thesis.doc'), '');
  for (const overwrite of [false, true]) {
    expect(() => RunFolder.open(path, { fingerprint: 'a', overwrite })).toThrow(/not an output folder/);
  }
  expect(readdirSync(path)).toEqual(['thesis.doc']);
});

test('publishing can stop half-way and be repeated', async () => {
  const folder = RunFolder.open(newPath(), { fingerprint: 'a' });
  await commit(folder, 'label-0', 'x');
  await commit(folder, 'label-1', 'y');
  folder.publish(['label-0']);
  const again = RunFolder.open(folder.path, { fingerprint: 'a' });
  expect(again.isCommitted('label-0')).toBe(true);
  again.publish(['label-0', 'label-1']);
  expect(readdirSync(join(folder.path, 'pages'))).toEqual(['label-0.parquet', 'label-1.parquet']);
});

test('a finished folder holds no scratch files and says that it is finished', () => {
  const folder = RunFolder.open(newPath(), { fingerprint: 'a' });
  folder.finish({ fingerprint: 'a' });
  expect(existsSync(join(folder.path, '.work'))).toBe(false);
  expect(RunFolder.open(folder.path, { fingerprint: 'a' }).finished).toBe(true);
});

test('drafts of a killed run are removed from the finished folder and the folders in it', () => {
  const path = newPath();
  const folder = RunFolder.open(path, { fingerprint: 'a' });
  mkdirSync(join(path, 'figures'));
  writeFileSync(join(path, 'report.html.draft-12'), 'half');
  writeFileSync(join(path, 'figures', 'table-01.csv.draft-12'), 'half');
  writeFileSync(join(path, 'figures', 'table-01.csv'), 'whole');
  folder.finish({ fingerprint: 'a' });
  expect(readdirSync(path, { recursive: true }).sort()).toEqual([
    'figures',
    join('figures', 'table-01.csv'),
    'run.json',
  ]);
});
