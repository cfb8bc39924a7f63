import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { httpResponse, warcRecord, zipOf } from '../../../test/sample-archives.ts';
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
  expect(() => openArchive(warc, { sites: 'domain' } as object)).toThrow('unknown option "sites"');
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

test('iterations at the same time read all pages, and each has its own counts', async () => {
  // the archive inside is unpacked to a hidden file of several windows of the reader
  const noise = (k: number) =>
    Array.from({ length: 8000 }, (_, n) => createHash('sha256').update(`${k} ${n}`).digest('base64')).join(
      '',
    );
  const records = Array.from({ length: 12 }, (_, k) =>
    warcRecord({ url: `http://example.com/${k}`, block: httpResponse(`<p>page ${k}<!-- ${noise(k)} -->`) }),
  );
  records.push(Buffer.from('neither a record nor its end'));
  const wacz = join(folder, 'pages.wacz');
  const bytes = Buffer.concat(records);
  writeFileSync(wacz, zipOf([{ name: 'archive/pages.warc', bytes, deflate: true }]));
  const archive = openArchive(wacz);
  const alone = await collect(archive);
  expect(alone).toHaveLength(12);
  const { problems } = archive;
  expect(problems).not.toEqual({});

  const [ahead, behind] = [archive[Symbol.asyncIterator](), archive[Symbol.asyncIterator]()];
  const urls: string[] = [];
  urls.push((await behind.next()).value.url);
  for (let step = await ahead.next(); !step.done; step = await ahead.next());
  for (let step = await behind.next(); !step.done; step = await behind.next()) urls.push(step.value.url);
  expect(urls).toEqual(alone);
  expect(archive.problems).toEqual(problems);
});
