/**
 * Tests archives of every format: a survey, a sequential reading and a reading at each location must agree.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Capture } from '../../src/model/page.ts';
import { InflateMemory } from '../../src/read/inflate-stream.ts';
import { closeInputs, openInputs } from '../../src/read/open-inputs.ts';
import type { Input, ReadEvent, SurveyEvent } from '../../src/read/raw-record.ts';
import { closeInput, readPageAt, readPages, surveyInput } from '../../src/read/read-captures.ts';
import type { ReadOptions } from '../../src/read/read-options.ts';
import { WrongGuess } from '../../src/read/record-context.ts';
import { promise, type Target } from '../target.ts';
import { archiveCase, INDEXED_NAME } from './archive-cases.ts';

const TIGHT_LIMITS = { pageBytes: 700, recordBytes: 2000 };
const CASE = /^([a-z.]+)(?: (\d+))?( tight)?$/;
const memory = new InflateMemory();
let folder = '';

/** The target `readers`. */
export const readers: Target = {
  name: 'readers',
  extension: 'case',
  generate: archiveCase,

  async check(bytes) {
    const lineEnd = bytes.indexOf(10);
    const head = CASE.exec(Buffer.from(bytes.subarray(0, Math.max(0, lineEnd))).toString('latin1'));
    if (!head) return;
    const [, extension, indexBytes, tight] = head;
    let rest = bytes.subarray(lineEnd + 1);
    const spoolDir = join(workFolder(), 'spool');
    if (indexBytes !== undefined) {
      writeFileSync(join(folder, INDEXED_NAME), rest.subarray(Number(indexBytes)));
      rest = rest.subarray(0, Number(indexBytes));
    }
    const name = join(folder, `case.${extension}`);
    writeFileSync(name, rest);
    const limits = tight === undefined ? {} : TIGHT_LIMITS;
    const { inputs } = await openInputs([name], { spoolDir, limits });
    try {
      for (const input of inputs) checkInput(input, { limits });
    } finally {
      closeInputs(inputs);
      rmSync(name);
    }
    promise('no temporary copy is left', readdirSync(spoolDir).length === 0, () => spoolDir);
  },

  close() {
    if (folder !== '') rmSync(folder, { recursive: true });
    folder = '';
  },
};

function workFolder(): string {
  if (folder === '') {
    folder = mkdtempSync(join(tmpdir(), 'chaff-fuzz-'));
    mkdirSync(join(folder, 'spool'));
  }
  return folder;
}

type CaptureEvent<Event> = Exclude<Event, { kind: 'problem' }>;
const isCapture = <Event extends { kind: string }>(event: Event): event is CaptureEvent<Event> =>
  event.kind !== 'problem';

function checkInput(input: Input, options: ReadOptions): void {
  const read = [...readPages(input, options)];
  closeInput(input);
  const again = [...readPages(input, options)];
  promise(`reading twice gives the same (${input.format})`, isDeepStrictEqual(again, read), () =>
    difference(read, again),
  );

  const surveyed = [...surveyInput(input, options)];
  const captures = read.filter(isCapture);
  const found = surveyed.filter(isCapture);
  promise(
    `a survey finds the same captures as a reading (${input.format})`,
    isDeepStrictEqual(found.map(placeOf), captures.map(placeOf)),
    () => difference(captures, found),
  );
  for (const [k, event] of captures.entries()) checkCapture(input, event, found[k], options);
  checkGuesses(input, surveyed, options);
}

function checkCapture(
  input: Input,
  read: CaptureEvent<ReadEvent>,
  surveyed: CaptureEvent<SurveyEvent>,
  options: ReadOptions,
): void {
  // its body is in another record, which a reading at its location does not search for
  if ('revisit' in surveyed.capture) return;
  if (surveyed.kind === 'skip') {
    const isSame = read.kind === 'skip' && read.code === surveyed.code;
    promise(
      `a record that a survey skips gives no page (${input.format})`,
      isSame,
      () => `${describe(read)}, survey: skip ${surveyed.code}`,
    );
  }
  for (const memoryOption of [{}, { memory }]) {
    const place = placeOf(read);
    const again = readPageAt(input, place, { ...options, ...memoryOption });
    const isSame =
      read.kind === 'page'
        ? again.kind === 'page' && isDeepStrictEqual(again.page, read.page)
        : again.kind === 'skip' && again.code === read.code && isDeepStrictEqual(again.capture, read.capture);
    promise(
      `reading at a location gives the same record as reading in order (${input.format})`,
      isSame,
      () => `${describe(read)}, then ${describe(again)}`,
    );
  }
}

/** Checks that a survey with guesses is right, or found to be wrong when its pages are read. */
function checkGuesses(input: Input, surveyed: SurveyEvent[], options: ReadOptions): void {
  try {
    const guessed = [...surveyInput(input, options, { count: 0 })];
    for (const event of guessed) {
      if (event.kind === 'page') readPageAt({ ...input, guessed: true }, event.capture, options);
    }
    promise(
      `a wrong guess of a survey is detected (${input.format})`,
      isDeepStrictEqual(guessed, surveyed),
      () => difference(surveyed, guessed),
    );
  } catch (error) {
    if (!(error instanceof WrongGuess)) throw error;
  }
}

function captureOf(event: CaptureEvent<ReadEvent | SurveyEvent>): Capture {
  return 'page' in event ? event.page : event.capture;
}

function placeOf(event: CaptureEvent<ReadEvent | SurveyEvent>) {
  const { file, entry, offset, length, url, time } = captureOf(event);
  return { file, entry, offset, length, url, time };
}

function difference(right: (ReadEvent | SurveyEvent)[], other: (ReadEvent | SurveyEvent)[]): string {
  const at = right.findIndex((event, k) => !isDeepStrictEqual(event, other[k]));
  const place = at < 0 ? right.length : at;
  return `${right.length} and ${other.length} events; ${place}: ${describe(right[place])}, then ${describe(other[place])}`;
}

function describe(event: ReadEvent | SurveyEvent | undefined): string {
  if (event === undefined) return 'nothing';
  if (event.kind === 'problem') return `problem ${event.problem.code} at ${event.problem.offset}`;
  const { offset, length, url } = captureOf(event);
  const outcome = event.kind === 'skip' ? `skip ${event.code}` : 'page';
  const size = 'page' in event ? ` of ${event.page.source.length} bytes` : '';
  return `${outcome}${size} at ${offset}+${length} ${url.slice(0, 60)}`;
}
