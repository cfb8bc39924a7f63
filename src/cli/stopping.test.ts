/** How a command ends when it is asked to stop, or when nobody listens any more. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { chaff } from '../../test/command-line.ts';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';
import { main } from './main.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-stopping-'));
const at = (name: string) => join(folder, name);
let archive = '';

beforeAll(async () => {
  archive = (await writeSampleArchive(folder, { sites: 1, pagesPerSite: 20, languages: ['en'] })).warc;
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s stops a command that waits for its input, and leaves nothing', async (signal, code) => {
  const scratch = mkdtempSync(join(folder, 'scratch-'));
  vi.stubEnv('TMPDIR', scratch);
  const stdin = new PassThrough(); // never ends
  stdin.write('WARC/1.0\r\n');
  const stderr = new PassThrough();
  const before = process.listeners(signal);
  const ended = main(['strip', '-', '-o', join(scratch, 'o.jsonl'), '--workers', '0'], {
    stdin,
    stdout: new PassThrough(),
    stderr,
  });
  const hasBegun = () => expect(readdirSync(scratch).some((name) => name.startsWith('chaff-'))).toBe(true);
  await vi.waitFor(hasBegun, { timeout: 30_000 }); // its code is loaded first
  for (const listener of process.listeners(signal)) if (!before.includes(listener)) listener(signal);
  expect(await ended).toBe(code);
  expect(readdirSync(scratch)).toEqual([]);
  expect(String(stderr.read())).toMatch(/chaff: stopped\n$/); // a file cannot be gone on with
});

test('an index hears a signal while it reads, whether or not a line comes of that', async () => {
  for (const flags of [[], ['--no-sort'], ['--include', 'nothing']]) {
    const output = at('stopped.cdxj');
    const before = process.listeners('SIGTERM');
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
    const ended = main(['index', archive, '-o', output, ...flags], streams);
    for (const listener of process.listeners('SIGTERM')) if (!before.includes(listener)) listener('SIGTERM');
    expect(await ended).toBe(143);
    expect(readdirSync(folder).filter((name) => name.startsWith('stopped'))).toEqual([]);
  }
});

test('a run goes on to its end when nobody reads its notes', async () => {
  const output = at('clean.jsonl');
  const args = ['strip', archive, '-v', '--workers', '0', '-o', output];
  expect(await main(args, { stdin: new PassThrough(), stdout: new PassThrough(), stderr: vanished() })).toBe(
    0,
  );
  expect(existsSync(output)).toBe(true);
  expect(await main([], { stdin: new PassThrough(), stdout: new PassThrough(), stderr: vanished() })).toBe(2);
});

test('report lists its problems with -v', async () => {
  const args = ['report', archive, at('missing.warc'), '-o', at('a.chaff'), '--workers', '0'];
  const { code, stderr } = await chaff([...args, '-v', '-q']);
  expect(code).toBe(3);
  expect(stderr).toContain(`no such file or folder (${at('missing.warc')})`);
});

test.each(['strip', 'label', 'report', 'index', 'groups'])(
  '%s names inputs that are missing',
  async (command) => {
    const output = command === 'report' ? ['-o', at('b.chaff'), '--workers', '0'] : [];
    const { code, stderr } = await chaff([command, at('missing.warc'), at('none-*.warc'), ...output]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${at('missing.warc')}: no such file or folder`);
    expect(stderr).toContain(`${at('none-*.warc')}: no file matches`);
    expect(stderr).not.toContain('-v says why');
  },
);

function vanished(): Writable {
  return new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    },
  });
}
