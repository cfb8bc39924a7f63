import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { closeInputs, openInputs } from '../src/read/open-inputs.ts';
import { readPages, surveyInput } from '../src/read/read-captures.ts';
import { gzipEach, warcRecord } from './sample-archives.ts';
import { slowArchives, spoolBomb } from './slow-archives.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Several times what any of them takes on a busy machine, and a fraction of what they took before they were bounded. */
const SECONDS_30 = { timeout: 30_000 };

async function read(name: string, bytes: Uint8Array) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const { inputs, problems } = await openInputs([path], { spoolDir: folder });
  const spooledBytes = inputs.reduce(
    (sum, { spooled, path }) => sum + (spooled ? statSync(path).size : 0),
    0,
  );
  const surveyed = inputs.flatMap((input) => [...surveyInput(input)]);
  const events = inputs.flatMap((input) => [...readPages(input)]);
  closeInputs(inputs);
  const codes = events.flatMap((event) => (event.kind === 'problem' ? [event.problem] : event.problems));
  return {
    spooledBytes,
    captures: surveyed.filter(({ kind }) => kind !== 'problem').length,
    urls: events.flatMap((event) => (event.kind === 'page' ? [event.page.url] : [])),
    captureCount: events.filter(({ kind }) => kind !== 'problem').length,
    problems: [...problems, ...codes],
  };
}

for (const { name, bytes, urls, codes } of slowArchives()) {
  test(`${name}: read in linear time, losses are reported`, SECONDS_30, async () => {
    const result = await read(name, bytes);
    for (const url of urls) expect(result.urls).toContain(url);
    for (const code of codes) expect(result.problems.map((problem) => problem.code)).toContain(code);
    expect(result.captureCount).toBe(result.captures);
    for (const { offset } of result.problems) expect(offset).toBeTypeOf('number');
  });
}

test(
  'a small file does not become a large temporary copy, and says what is left out',
  SECONDS_30,
  async () => {
    const bytes = spoolBomb();
    const { spooledBytes, urls, problems } = await read('bomb.jsonl.gz', bytes);
    expect(spooledBytes).toBeGreaterThan(0);
    expect(spooledBytes).toBeLessThanOrEqual(Math.max(64 * 1024 * 1024, 100 * bytes.length));
    expect(urls.length).toBeGreaterThan(1000);
    expect(problems.map(({ code }) => code)).toContain('ratio-exceeded');
  },
);

const record = gzipEach([warcRecord()]);
const line = (file: string, offset: number, length: number) =>
  `com,example)/ 20200102030405 ${JSON.stringify({ filename: file, offset, length })}\n`;

test(
  'an index of files that are missing is read in bounded memory, and the lines are counted',
  SECONDS_30,
  async () => {
    const lines = Array.from({ length: 40_000 }, (_, k) => line(`missing-${k}.warc.gz`, 0, 100));
    const { problems } = await read('missing.cdxj', Buffer.from(lines.join('')));
    expect(problems.length).toBe(10_001);
    expect(problems.at(-1)).toMatchObject({
      code: 'missing-file',
      message: expect.stringContaining('30,000 more lines name'),
    });
  },
);

test('a record that an index lists again and again is one record', SECONDS_30, async () => {
  writeFileSync(join(folder, 'one.warc.gz'), record);
  const { urls, problems } = await read('equal.cdxj', Buffer.from(line('one.warc.gz', 0, 0).repeat(40_000)));
  expect(urls).toEqual(['http://example.com/']);
  expect(problems).toEqual([]);
});

test(
  'an index that names the same bytes in turns is stopped, and the lines are counted',
  SECONDS_30,
  async () => {
    writeFileSync(join(folder, 'two.warc.gz'), Buffer.concat([record, record]));
    const both = line('two.warc.gz', 0, record.length) + line('two.warc.gz', record.length, record.length);
    const { urls, problems } = await read('turns.cdxj', Buffer.from(both.repeat(50_000)));
    expect(urls.length).toBeGreaterThanOrEqual(8);
    expect(urls.length).toBeLessThan(20);
    expect(problems).toMatchObject([{ code: 'too-slow', message: expect.stringContaining('lines') }]);
  },
);
