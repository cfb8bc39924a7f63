import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { warcRecord } from '../../../test/sample-archives.ts';
import type { Page } from '../../model/page.ts';
import { openArchive } from './open-archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
const missing = join(folder, 'missing.warc');
const warc = join(folder, 'one.warc');
writeFileSync(warc, warcRecord());
afterAll(() => rmSync(folder, { recursive: true }));

async function collect(pages: AsyncIterable<Page>): Promise<string[]> {
  const urls: string[] = [];
  for await (const { url } of pages) urls.push(url);
  return urls;
}

test('an unknown option is refused by its name', () => {
  expect(() => openArchive(warc, { sites: 'domain' } as object)).toThrow('not "sites"');
});

test('an archive that cannot be opened throws unless the caller listens for problems', async () => {
  await expect(collect(openArchive(missing))).rejects.toThrow(`${missing}: no such file or folder`);
  const codes: string[] = [];
  expect(await collect(openArchive(missing, { onProblem: ({ code }) => codes.push(code) }))).toEqual([]);
  expect(codes).toEqual(['missing-file']);
});

test('inputs that cannot be read are reported, with and without a listener, each time', async () => {
  const empty = join(folder, 'empty.warc');
  writeFileSync(empty, '');
  for (const onProblem of [undefined, () => {}]) {
    const archive = openArchive([missing, warc, empty], { onProblem });
    for (let round = 0; round < 2; round++) {
      expect(await collect(archive)).toEqual(['http://example.com/']);
      expect(archive.problems).toEqual({ 'missing-file': 1, 'not-an-archive': 1 });
      expect(archive.unread.map(({ code, file }) => [code, file])).toEqual([
        ['missing-file', missing],
        ['not-an-archive', empty],
      ]);
    }
  }
  const sound = openArchive(warc);
  await collect(sound);
  expect([sound.problems, sound.unread]).toEqual([{}, []]);
});
