import { EventEmitter, once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff } from '../../test/command-line.ts';
import { exploreFolder } from '../../test/explore-folder.ts';
import type { FolderAnswer } from '../explore/api/folder-routes.ts';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';
import { Database, quote } from '../store/database.ts';
import { main } from './main.ts';

const scratch = mkdtempSync(join(tmpdir(), 'chaff-explore-command-'));
let warc: string;

beforeAll(async () => {
  ({ warc } = await writeSampleArchive(scratch, { sites: 1, pagesPerSite: 8 }));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs the command until the folder is open, and returns the messages that the page gets. */
async function explore(input: string): Promise<{ answer: FolderAnswer; code: number }> {
  const signals = new EventEmitter();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const ended = main(
    ['explore', input, '--no-open', '--workers', '0'],
    { stdin: new PassThrough(), stdout, stderr },
    { signals },
  );
  const [url] = (await once(stdout, 'data')).map(String);
  const opened = await fetch(url.trim());
  const headers = { cookie: opened.headers.getSetCookie()[0] };
  let answer: FolderAnswer;
  do {
    answer = (await (await fetch(new URL('/api/folder', url), { headers })).json()) as FolderAnswer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  } while (answer.state === 'running');
  signals.emit('SIGINT', 'SIGINT');
  return { answer, code: await ended };
}

test('an archive is reported on first, beside it; the folder is taken as it is the next time', async () => {
  const first = await explore(warc);
  expect(first.answer).toMatchObject({ state: 'ready', facts: { name: 'sample.chaff' } });
  expect(first.code).toBe(0);
  expect(existsSync(join(scratch, 'sample.chaff/run.json'))).toBe(true);
  for (const input of [warc, join(scratch, 'sample.chaff')]) {
    expect((await explore(input)).answer).toMatchObject({ state: 'ready' });
  }
});

test('a port that is taken is named', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const refused = await chaff([
    'explore',
    join(scratch, 'sample.chaff'),
    '--no-open',
    '--port',
    String(port),
  ]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`--port ${port} is in use`)]);
  taken.close();
});

test('a folder of another version says so where it lacks something', async () => {
  const older = join(scratch, 'older.chaff');
  cpSync(join(scratch, 'sample.chaff'), older, { recursive: true });
  const run = JSON.parse(readFileSync(join(older, 'run.json'), 'utf8'));
  writeFileSync(join(older, 'run.json'), JSON.stringify({ ...run, version: '0.0.1' }));
  const database = await Database.open({ memoryMb: 256, threads: 1, spillFolder: join(scratch, 'spill') });
  const path = join(older, 'study/schemas.parquet');
  await database.run(`CREATE TABLE s AS SELECT * EXCLUDE (pattern) FROM read_parquet(${quote(path)})`);
  await database.run(`COPY s TO ${quote(path)} (FORMAT parquet)`);
  database.close();
  const explored = await exploreFolder(older);
  const answer = await explored.ask('/api/schemas?site=en1.example');
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { error: expect.stringMatching(/from Chaff 0\.0\.1, and this is .*run the report again/) },
  ]);
  await explored.close();
});

test('an input that is not there is said at once, and one that cannot be read on the page', async () => {
  const missing = await chaff(['explore', join(scratch, 'nothing.chaff'), '--no-open']);
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain('does not exist');
  const folder = join(scratch, 'bare.chaff');
  mkdirSync(folder);
  for (const [run, message] of [
    ['no JSON', 'run.json is damaged'],
    ['{}', 'names no inputs'],
    [JSON.stringify({ counts: {}, inputs: [], options: {}, version: '0.0.1' }), 'has no table of pages'],
  ]) {
    writeFileSync(join(folder, 'run.json'), run);
    const failed = await chaff(['explore', folder, '--no-open']);
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(failed.stdout).toBe('');
  }
  const broken = join(scratch, 'broken.warc.gz');
  writeFileSync(broken, 'this is not an archive');
  const { answer } = await explore(broken);
  expect(answer.state === 'failed' || (answer.state === 'ready' && answer.facts?.pages === 0)).toBe(true);
});
