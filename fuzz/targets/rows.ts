/** Tests JSONL rows with odd types in every field: a bad row costs only itself, in a file and in a pipe. */
import { isUtf8 } from 'node:buffer';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../../src/model/problem.ts';
import { readJsonlStream } from '../../src/read/jsonl.ts';
import type { Input, ReadEvent } from '../../src/read/raw-record.ts';
import { closeInput, readPages, surveyInput } from '../../src/read/read-captures.ts';
import { mutate, pick } from '../mutate.ts';
import { promise, type Random, type Target } from '../target.ts';

const GOOD_URL = 'http://good.example/';
const GOOD_ROW = Buffer.from(`${JSON.stringify({ url: GOOD_URL, html: '<p>good</p>' })}\n`);
const LF = 10;
/** Each line is also read from its own file, unless there are more than this. */
const MAX_LINES = 40;
let folder = '';

/** The target `rows`. */
export const rows: Target = {
  name: 'rows',
  extension: 'jsonl',

  generate(random) {
    const lines = Array.from({ length: 1 + random(6) }, () => {
      const line = random(5) ? Buffer.from(`${oddRow(random)}\n`) : GOOD_ROW;
      return random(5) ? line : mutate(line, random, { tokens: VALUES, times: 2 });
    });
    return Buffer.concat(lines);
  },

  async check(bytes) {
    // a good row is read, whatever precedes it
    const file = Buffer.concat([bytes, Buffer.from('\n'), GOOD_ROW]);
    const events = readFile(file);
    const last = events.at(-1);
    const isThere = last?.kind === 'page' && last.page.url === GOOD_URL;
    promise('a good row at the end is read', isThere, () => `${events.length} events`);

    const lines = linesOf(file);
    if (lines.length <= MAX_LINES) {
      // a byte order mark counts only at the start of a file
      const before = (k: number) => Buffer.from(k === 0 ? '' : '\n');
      const alone = lines.flatMap((line, k) => readFile(Buffer.concat([before(k), line])));
      promise(
        'a row gives the same events alone and among others',
        isDeepStrictEqual(events.map(outcome), alone.map(outcome)),
        () => JSON.stringify([events.map(outcome), alone.map(outcome)]).slice(0, 300),
      );
    }

    const streamed: ReadEvent[] = [];
    for await (const event of readJsonlStream(Readable.from([file]))) streamed.push(event);
    promise(
      'a pipe gives the same events as a file',
      isDeepStrictEqual(streamed.map(outcome), events.map(outcome)),
      () => JSON.stringify(streamed.map(outcome)).slice(0, 300),
    );
    for (const event of events) checkTexts(event);
  },

  close() {
    if (folder !== '') rmSync(folder, { recursive: true });
    folder = '';
  },
};

function checkTexts(event: ReadEvent): void {
  const problems = event.kind === 'problem' ? [event.problem] : event.problems;
  const texts = problems.flatMap((problem: Problem) => Object.values(problem).map(String));
  if (event.kind === 'page') {
    const { url, time, site, source } = event.page;
    texts.push(url, time, site);
    promise('a source is UTF-8', isUtf8(source), () => url);
  } else if (event.kind === 'skip') texts.push(event.capture.url, event.capture.time);
  const bad = texts.find((text) => !text.isWellFormed());
  promise('texts are well-formed', bad === undefined, () => JSON.stringify(bad?.slice(0, 100)));
}

/** Returns the result of a row, independent of its position. */
function outcome(event: ReadEvent): unknown {
  if (event.kind === 'problem') return [event.problem.code, event.problem.message];
  const codes = event.problems.map(({ code }) => code);
  if (event.kind === 'skip') return [event.code, event.capture.url, event.capture.time, codes];
  const { url, time, site, source } = event.page;
  return [url, time, site, Buffer.from(source).toString('latin1'), codes];
}

function readFile(bytes: Uint8Array): ReadEvent[] {
  if (folder === '') folder = mkdtempSync(join(tmpdir(), 'chaff-fuzz-'));
  const path = join(folder, 'rows.jsonl');
  writeFileSync(path, bytes);
  const input: Input = { name: 'rows.jsonl', path, format: 'jsonl', sizeBytes: bytes.length, spooled: false };
  try {
    const events = [...readPages(input)];
    const surveyed = [...surveyInput(input)];
    promise(
      'a survey finds the same captures as a reading',
      surveyed.length === events.length,
      () => `${surveyed.length}`,
    );
    return events;
  } finally {
    closeInput(input);
  }
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(LF, at);
    lines.push(bytes.subarray(at, end < 0 ? bytes.length : end));
    at = end < 0 ? bytes.length : end + 1;
  }
  return lines;
}

/** JSON values that no field should have. */
const VALUES = [
  '{}',
  '[]',
  'null',
  'true',
  '0',
  '-0',
  '1e999',
  '123456789012345678901234567890',
  '20200102030405',
  '""',
  '" "',
  '"\\ud800"',
  '"x\\udc00y"',
  '"\\u0000"',
  '"\\u001b[31m"',
  '"\\u2028"',
  '"\\ufeff"',
  '"2020-01-02T03:04:05Z"',
  '"2020-99-99"',
  '"http://a.example/\\ud83d"',
  '"http://\\ud800.example/"',
  '"http://a.example/\\ude00?\\ud83d#"',
  '"//no-scheme"',
  '"http://["',
  '"<p>text \\udfff</p>"',
  '"<p>\\u0000</p>"',
  '{"toString":null}',
  '{"toString":1,"valueOf":2}',
  '{"__proto__":null}',
  '{"then":{}}',
  '{"toJSON":"x"}',
  '[{"toString":null}]',
];
const KEYS = [
  'url',
  'html',
  'time',
  'timestamp',
  'date',
  '__proto__',
  'constructor',
  'toString',
  'site',
  '\\u0075rl',
];

function oddRow(random: Random): string {
  const fields = ['"url":"http://a.example/"', '"html":"<p>text</p>"'];
  for (let rest = 1 + random(3); rest > 0; rest--) fields.push(`"${pick(random, KEYS)}":${oddValue(random)}`);
  // the last field with a name counts
  if (random(3) === 0) fields.reverse();
  return `{${fields.join(',')}}`;
}

function oddValue(random: Random): string {
  if (random(10)) return pick(random, VALUES);
  const depth = pick(random, [3, 300, 12_000]);
  return random(2) ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}
