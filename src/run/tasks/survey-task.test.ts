import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { gzipEach, warcRecord } from '../../../test/sample-archives.ts';
import { PageArena } from '../../parse/page-arena.ts';
import type { Input } from '../../read/raw-record.ts';
import { closeInput, readPageAt, surveyInput } from '../../read/read-captures.ts';
import { checkJob } from '../job.ts';
import { surveyCaptures } from './survey-task.ts';
import type { TaskCounts } from './task.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const context = { arena: new PageArena(), onPage: () => {}, pause: async () => {} };
const members = ['1', '2', '3'].map((name) =>
  gzipEach([warcRecord({ url: `http://a.example/${name}`, html: `<p>${name}</p>` })]),
);

/** A file of three members; of the second, `size` or `crc` may be wrong. */
function archive(name: string, wrong?: 'size' | 'crc'): Input {
  const bytes = Buffer.concat(members);
  const trailer = members[0].length + members[1].length - 8;
  if (wrong) bytes[trailer + (wrong === 'size' ? 4 : 0)] ^= 1;
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return { name, path, format: 'warc', sizeBytes: bytes.length, spooled: false };
}

async function survey(input: Input): Promise<TaskCounts> {
  const work = join(folder, `${input.name}.survey`);
  mkdirSync(join(work, 'done'), { recursive: true });
  const task = { name: input.name, folder: work, input: 0 };
  return surveyCaptures({ kind: 'survey', ...task, job: checkJob({}), inputs: { 0: input } }, context);
}

/** Codes of the problems of the second capture. */
function codesOf(input: Input): string[] {
  const event = [...surveyInput(input)].flatMap((event) => (event.kind === 'page' ? [event] : []))[1];
  closeInput(input);
  const read = readPageAt(input, event.capture);
  closeInput(input);
  return read.kind === 'page' ? read.problems.map(({ code }) => code) : [read.kind];
}

test('a survey vouches for a file as it was, unless one of its checksums is wrong', async () => {
  const good = archive('good.warc.gz');
  const { size, mtimeMs } = statSync(good.path);
  expect((await survey(good)).checked).toEqual({ sizeBytes: size, modifiedMs: mtimeMs });
  expect((await survey(archive('bad.warc.gz', 'crc'))).checked).toBeUndefined();
});

test('checksums are taken again of a file that nobody vouches for or that was changed since', () => {
  const input = archive('wrong.warc.gz', 'crc');
  const { size, mtimeMs } = statSync(input.path);
  expect(codesOf(input)).toEqual(['bad-gzip']);
  const vouched = { ...input, checked: { sizeBytes: size, modifiedMs: mtimeMs } };
  expect(codesOf(vouched)).toEqual([]);
  utimesSync(input.path, new Date(), new Date(mtimeMs + 5000));
  expect(codesOf(vouched)).toEqual(['bad-gzip']);
});

test('the size of a member is always compared', () => {
  const input = archive('short.warc.gz', 'size');
  const { size, mtimeMs } = statSync(input.path);
  expect(codesOf({ ...input, checked: { sizeBytes: size, modifiedMs: mtimeMs } })).toEqual(['bad-gzip']);
});
