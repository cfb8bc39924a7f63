import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { commitTask, committedFolder } from './task-parts.ts';

const root = mkdtempSync(join(tmpdir(), 'chaff-parts-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let runs = 0;
function newPlace() {
  const folder = join(root, `run-${runs++}`);
  mkdirSync(join(folder, 'done'), { recursive: true });
  return { folder, name: 'label-00000' };
}

const writing = (text: string) => async (draft: string) => writeFileSync(join(draft, 'rows'), text);

test('a task has no folder before it is committed, and the files that it wrote after', async () => {
  const place = newPlace();
  expect(committedFolder(place)).toBeUndefined();
  expect(await commitTask(place, writing('x'))).toBe(true);
  expect(readFileSync(join(committedFolder(place)!, 'rows'), 'utf8')).toBe('x');
});

test('an attempt that fails leaves nothing behind', async () => {
  const place = newPlace();
  const failing = commitTask(place, async (draft) => {
    writeFileSync(join(draft, 'half'), '');
    throw new Error('out of paper');
  });
  await expect(failing).rejects.toThrow('out of paper');
  expect(committedFolder(place)).toBeUndefined();
  expect(readdirSync(join(place.folder, 'parts'))).toEqual([]);
});

test('of two attempts the first to end is kept, and the other removes its files', async () => {
  const place = newPlace();
  let endFirst!: () => void;
  const first = commitTask(place, async (draft) => {
    await new Promise<void>((resolve) => (endFirst = resolve));
    await writing('late')(draft);
  });
  expect(await commitTask(place, writing('early'))).toBe(true);
  endFirst();
  expect(await first).toBe(false);
  expect(readFileSync(join(committedFolder(place)!, 'rows'), 'utf8')).toBe('early');
  expect(readdirSync(join(place.folder, 'parts'))).toHaveLength(1);
  expect(readdirSync(join(place.folder, 'done'))).toEqual(['label-00000.json']);
});

test('an attempt that outlives the run leaves nothing behind', async () => {
  const place = newPlace();
  const orphan = commitTask(place, async (draft) => {
    rmSync(place.folder, { recursive: true });
    await writing('late')(draft);
  });
  await expect(orphan).rejects.toThrow('ENOENT');
  await expect(commitTask(place, writing('later'))).rejects.toThrow('the run has ended');
  expect(existsSync(place.folder)).toBe(false);
});
