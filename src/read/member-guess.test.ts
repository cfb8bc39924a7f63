import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { FORGED_URL, forgedArchive, HOLDING_URL, longPage } from '../../test/forged-archive.ts';
import { gzipEach, warcRecord, zipOf } from '../../test/sample-archives.ts';
import { seededRandom } from '../../test/seeded-random.ts';
import { memorySource } from './byte-source.ts';
import { guessMemberEnd } from './gzip-members.ts';
import type { Input, SurveyEvent } from './raw-record.ts';
import { closeInput, readPageAt, surveyInput } from './read-captures.ts';
import { WrongGuess } from './record-context.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const pages = [1, 2, 3].map((seed) =>
  warcRecord({ url: `http://a.example/${seed}`, html: longPage(seed, 1000 + 300 * seed) }),
);
const request = warcRecord({ type: 'request', block: 'GET / HTTP/1.1\r\n\r\n' });
const image = warcRecord({
  url: 'http://a.example/image',
  block: `HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n${longPage(9)}`,
});

function inputOf(bytes: Uint8Array, format: Input['format'] = 'warc'): Input {
  const path = join(folder, `input.${format}.gz`);
  writeFileSync(path, bytes);
  return { name: 'input', path, format, sizeBytes: bytes.length, spooled: false };
}

interface Surveyed {
  events: SurveyEvent[];
  guesses: number;
}

function surveyWhole(input: Input): SurveyEvent[] {
  const events = [...surveyInput(input)];
  closeInput(input);
  return events;
}

/** Null if a survey by guesses refuses the file. */
function surveyByGuesses(input: Input): Surveyed | null {
  const guesses = { count: 0 };
  try {
    return { events: [...surveyInput(input, {}, guesses)], guesses: guesses.count };
  } catch (error) {
    if (!(error instanceof WrongGuess)) throw error;
    return null;
  } finally {
    closeInput(input);
  }
}

/** URLs of the pages whose reading finds a wrong guess. */
function wrongGuesses(input: Input, { events }: Surveyed): string[] {
  const guessed = { ...input, guessed: true };
  const wrong: string[] = [];
  for (const event of events) {
    if (event.kind !== 'page') continue;
    try {
      readPageAt(guessed, event.capture);
    } catch (error) {
      if (!(error instanceof WrongGuess)) throw error;
      wrong.push(event.capture.url);
    }
  }
  closeInput(guessed);
  return wrong;
}

test('the end of a member is guessed where its size is followed by the next member or the end of the file', () => {
  const [first, second] = pages.map((page) => gzipSync(page));
  const source = memorySource(Buffer.concat([first, second]));
  expect(guessMemberEnd(source, 100, pages[0].length)).toBe(first.length);
  expect(guessMemberEnd(source, first.length + 100, pages[1].length)).toBe(first.length + second.length);
  expect(guessMemberEnd(source, 100, pages[0].length + 1)).toBe(-1);
});

test('the search for an end stops where a member of that size must have ended', () => {
  const border = Buffer.concat([Buffer.from([50, 0, 0, 0]), gzipSync('next')]);
  const far = (bytes: number) => memorySource(Buffer.concat([Buffer.alloc(bytes), border]));
  expect(guessMemberEnd(far(500), 0, 50)).toBe(504);
  expect(guessMemberEnd(far(5000), 0, 50)).toBe(-1);
});

test('bytes that cannot be the header of a member are not taken for an end', () => {
  const border = Buffer.from([50, 0, 0, 0, 0x1f, 0x8b, 8, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  expect(guessMemberEnd(memorySource(border), 0, 50)).toBe(-1);
});

test('a survey by guesses finds the captures of a full one, and its pages can be read', () => {
  const input = inputOf(gzipEach([request, pages[0], image, request, pages[1], pages[2]]));
  const guessed = surveyByGuesses(input)!;
  expect(guessed.events).toEqual(surveyWhole(input));
  expect(guessed.guesses).toBe(3);
  expect(wrongGuesses(input, guessed)).toEqual([]);
});

test('ends are guessed in the archives of a WACZ, too', () => {
  const entry = { name: 'archive/data.warc.gz', bytes: gzipEach(pages) };
  const input = inputOf(zipOf([entry]), 'wacz');
  const guessed = surveyByGuesses(input)!;
  expect(guessed.events).toEqual(surveyWhole(input));
  expect(guessed.guesses).toBe(3);
  expect(wrongGuesses(input, guessed)).toEqual([]);
});

test('no end is guessed for pages that are short, have long headers or unknown length', () => {
  const short = warcRecord({ url: 'http://a.example/short' });
  const headed = warcRecord({
    url: 'http://a.example/headed',
    block: `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(3000)}\r\n\r\n${longPage(1)}`,
  });
  const input = inputOf(gzipEach([short, headed]));
  const guessed = surveyByGuesses(input)!;
  expect(guessed).toEqual({ events: surveyWhole(input), guesses: 0 });
});

test.each<[string, Buffer]>([
  ['bytes between members', Buffer.concat([gzipSync(pages[0]), Buffer.from('odd'), gzipSync(pages[1])])],
  ['zeros at the end', Buffer.concat([gzipEach(pages), Buffer.alloc(100)])],
  ['a last member that is cut off', gzipEach(pages).subarray(0, -300)],
  ['a last member without its size', gzipEach(pages).subarray(0, -4)],
  ['several records in one member', gzipEach([Buffer.concat([request, pages[0]]), pages[1]])],
  ['several pages in one member', gzipEach([Buffer.concat(pages)])],
  [
    'a record that says too little of its length',
    gzipEach([warcRecord({ html: longPage(1), fields: { 'Content-Length': '5000' } }), pages[1]]),
  ],
  [
    'a record that says too much of its length',
    gzipEach([warcRecord({ html: longPage(1), fields: { 'Content-Length': '90000' } }), pages[1]]),
  ],
  ['a record without its separator', gzipEach([warcRecord({ html: longPage(1), separator: '' }), pages[1]])],
  ['a damaged image', damaged(gzipEach([image, pages[0]]), 1000)],
])('in a file with %s nothing is guessed', (_, bytes) => {
  expect(surveyByGuesses(inputOf(bytes))).toBeNull();
});

test.each([
  ['checksum', (end: number) => end - 8],
  ['body', (end: number) => end - 1500],
])('reading a page with a damaged %s finds the wrong guess', (_, place) => {
  const members = pages.map((page) => gzipSync(page));
  const end = members[0].length + members[1].length;
  const input = inputOf(damaged(Buffer.concat(members), place(end)));
  const guessed = surveyByGuesses(input)!;
  expect(guessed.guesses).toBe(3);
  expect(wrongGuesses(input, guessed)).toEqual(['http://a.example/2']);
});

test('a gzip member inside a page leads to a wrong guess, which reading the page finds', () => {
  const input = inputOf(forgedArchive());
  const urls = (events: SurveyEvent[]) => events.flatMap((e) => (e.kind === 'problem' ? [] : e.capture.url));
  const guessed = surveyByGuesses(input)!;
  expect(urls(guessed.events)).toContain(FORGED_URL);
  expect(wrongGuesses(input, guessed)).toContain(HOLDING_URL);
  expect(urls(surveyWhole(input))).toEqual(['http://a.example/1', HOLDING_URL, 'http://a.example/2']);
});

test('with any byte damaged, a survey by guesses is right or found to be wrong', () => {
  const bytes = gzipEach([request, ...pages, image, request, pages[0]]);
  const random = seededRandom(1);
  const outcomes = { refused: 0, wrong: 0, right: 0 };
  for (let round = 0; round < 200; round++) {
    const input = inputOf(
      damaged(bytes, Math.floor(random() * bytes.length), 1 + Math.floor(random() * 255)),
    );
    const guessed = surveyByGuesses(input);
    if (!guessed) outcomes.refused++;
    else if (wrongGuesses(input, guessed).length > 0) outcomes.wrong++;
    else {
      outcomes.right++;
      expect(guessed.events).toEqual(surveyWhole(input));
    }
  }
  expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(0);
});

function damaged(bytes: Buffer, at: number, mask = 0x55): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] ^= mask;
  return copy;
}
