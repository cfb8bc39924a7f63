/**
 * Reads inputs of any format: all pages in order, a survey of all captures, or the page at one location.
 * Every response, resource and revisit of an archive gives exactly one page or skip event. Reading is
 * synchronous, because that is many times faster and a worker has nothing else to do.
 */
import type { Capture, Location } from '../model/page.ts';
import { ORDINARY_SKIP_CODES, type Problem, type SkipCode } from '../model/problem.ts';
import { openSource, readLines } from './byte-source.ts';
import { captureLines, cdxFile } from './cdx.ts';
import { htmlFile, htmlFolder } from './folder.ts';
import { InflateMemory } from './inflate-stream.ts';
import { jsonlFile } from './jsonl.ts';
import { makePage, surveyListed, surveyRecord, surveyStart } from './make-page.ts';
import {
  type Container,
  INPUT_FORMATS,
  type Input,
  type RawEvent,
  type RawRecord,
  type ReadEvent,
  type RecordLocation,
  type SurveyEvent,
} from './raw-record.ts';
import { type CheckedReadOptions, checkReadOptions, type ReadOptions } from './read-options.ts';
import { failedAt, type RecordContext } from './record-context.ts';
import { archiveFile } from './record-file.ts';
import { RevisitOriginals } from './revisit-originals.ts';
import { waczFile } from './wacz.ts';
import { zipHtmlFile } from './zip-html.ts';

/** By input, not by path: another reader of the same file has a container of its own, and closes only that. */
const containers = new WeakMap<Input, Container>();

/**
 * Reads every capture with its body decoded. A revisit gets the body of its original if that came earlier, in
 * this input or in another one read with the same `originals`.
 */
export function* readPages(
  input: Input,
  options: ReadOptions = {},
  originals = new RevisitOriginals(),
): Generator<ReadEvent> {
  const checked = checkReadOptions(options);
  const context = contextOf(input, checked, false);
  const container = openContainer(input);
  if ('code' in container) {
    yield { kind: 'problem', problem: container };
    return;
  }
  for (const record of recordsOf(input, container, context)) {
    if (record.kind === 'problem') {
      yield record;
      continue;
    }
    const event = pageOf(input, record, checked);
    // a filtered original may still hold the body of a revisit that is not filtered
    if (event.kind === 'page') originals.add(input, event.page);
    else if (event.kind === 'skip' && record.kind !== 'revisit') {
      originals.add(input, event.capture, event.code === 'filtered' ? undefined : event.code);
    }
    yield resolveRevisit(record, event, originals, checked) ?? event;
  }
}

/** Makes a survey guess the ends of the gzip members of pages, and counts the guesses. */
export interface SurveyGuesses {
  /** Number of guessed ends so far. */
  count: number;
}

/**
 * Yields every capture with its location; bodies are neither decoded nor kept. With `guesses`, most pages are
 * not inflated either. They must then all be read from an input marked as `guessed`, which throws a
 * `WrongGuess` if a guess was wrong.
 */
export function* surveyInput(
  input: Input,
  options: ReadOptions = {},
  guesses?: SurveyGuesses,
): Generator<SurveyEvent> {
  const checked = checkReadOptions(options);
  if (input.web) {
    yield* surveyIndex(input, checked);
    return;
  }
  const container = openContainer(input);
  if ('code' in container) {
    yield { kind: 'problem', problem: container };
    return;
  }
  const memory = new InflateMemory();
  const context = contextOf(input, checked, true, memory);
  let start: { record: RawRecord; event: SurveyEvent & { kind: 'page' } } | undefined;
  if (guesses) {
    context.isPage = (record) => {
      const event = surveyStart(input, record, checked);
      start = event?.kind === 'page' && record.kind !== 'revisit' ? { record, event } : undefined;
      return start !== undefined;
    };
  }
  try {
    for (const record of recordsOf(input, container, context)) {
      if (record.kind === 'problem') yield record;
      else if (record !== start?.record) yield surveyOf(input, record, checked);
      else {
        guesses!.count++;
        // the length was not known when the event was made
        start.event.capture.length = record.length;
        yield start.event;
      }
    }
  } finally {
    memory.release();
  }
}

/** A digest as indexes write it, without the name of its kind. */
const BARE_SHA1 = /^[A-Z2-7]{32}$/;

/** The captures of an index, as its lines describe them. */
function* surveyIndex(input: Input, checked: CheckedReadOptions): Generator<SurveyEvent> {
  for (const line of captureLines(input.path, contextOf(input, checked, true))) {
    if ('kind' in line) {
      yield line;
      continue;
    }
    const { digest, status, ...rest } = line;
    // a response without a status line counts as 200 here as in archives
    const payloadDigest = BARE_SHA1.test(digest) ? `sha1:${digest}` : digest;
    const capture = { ...rest, status: status || 200, recordId: '', payloadDigest };
    yield surveyListed(capture, checked);
  }
}

/**
 * Reads the capture at a location that `readPages` or `surveyInput` returned. With `as`, the page gets the
 * identity of that capture: a revisit whose original is at the location.
 */
export function readPageAt(input: Input, location: RecordLocation, options: ReadOptions = {}): ReadEvent {
  const checked = checkReadOptions(options);
  const container = openContainer(input);
  if ('code' in container) return { kind: 'problem', problem: container };
  const record = container.recordAt(location, contextOf(input, checked, false, checked.memory));
  if (record) return pageOf(input, record, checked);
  const { entry, offset } = location;
  const problem: Problem = {
    code: 'bad-record',
    message: 'there is no capture at this location',
    file: location.file ?? input.name,
    offset,
  };
  return { kind: 'problem', problem: entry === undefined ? problem : { ...problem, entry } };
}

/** Reads the revisit at a location again, once more originals are known. */
function readRevisitAt(
  input: Input,
  location: Location,
  options: ReadOptions,
  originals: RevisitOriginals,
): ReadEvent {
  const checked = checkReadOptions(options);
  const record = recordAt(input, location, checked);
  if (!record) {
    const { length: _, ...at } = location;
    const problem: Problem = { code: 'unreadable', message: 'could not be read again; skipped', ...at };
    return {
      kind: 'skip',
      capture: { ...UNKNOWN_CAPTURE, ...location },
      code: 'unreadable',
      problems: [problem],
    };
  }
  const event = pageOf(input, record, checked);
  return resolveRevisit(record, event, originals, checked) ?? event;
}

/** The fields of a capture of which only the location is known. */
export const UNKNOWN_CAPTURE = { url: '', time: '', status: 0, mime: '', recordId: '', payloadDigest: '' };

/** Returns the record at a location, not decoded, whatever it holds; null if it is not found. */
export function recordAt(input: Input, location: RecordLocation, options: RecordOptions): RawRecord | null {
  const container = openContainer(input);
  return 'code' in container ? null : container.recordAt(location, contextOf(input, options, false));
}

/** Closes the files of an input; reading the input opens them again. */
export function closeInput(input: Input): void {
  containers.get(input)?.close();
  containers.delete(input);
}

/**
 * Yields the records of a container. If the reader fails, a problem reports which part of the input is lost.
 */
function* recordsOf(input: Input, container: Container, context: RecordContext): Generator<RawEvent> {
  let readTo = 0;
  try {
    for (const event of container.records(context)) {
      if (event.kind !== 'problem') readTo = event.offset + event.length;
      yield event;
    }
  } catch (error) {
    const { code, message, ...where } = failedAt(context, readTo, error);
    yield {
      kind: 'problem',
      problem: { code, message: `${message}; ${lostAfter(input, readTo)}`, ...where },
    };
  }
}

/** Describes how much of an input is lost, as far as that can be counted. */
function lostAfter({ path, format, sizeBytes }: Input, readTo: number): string {
  if (format === 'jsonl' || format === 'cdx') {
    const rows = countRows(path, readTo);
    if (rows > 0) return `at least ${rows} rows after byte ${readTo} are lost`;
  }
  return sizeBytes > 0
    ? `everything after byte ${readTo} of ${sizeBytes} is lost`
    : 'everything after it is lost';
}

function countRows(path: string, from: number): number {
  try {
    let count = 0;
    for (const { offset, length } of readLines(openSource(path), 1))
      if (offset >= from && length > 0) count++;
    return count;
  } catch {
    return 0; // the file cannot be read at all
  }
}

/** Calls `makePage`; a record on which it fails is skipped. */
export function pageOf(input: Input, record: RawRecord, options: CheckedReadOptions): ReadEvent {
  try {
    return makePage(input, record, options);
  } catch (error) {
    return unreadable(input, record, error);
  }
}

/** Calls `surveyRecord`; a record on which it fails is skipped. */
function surveyOf(input: Input, record: RawRecord, options: CheckedReadOptions): SurveyEvent {
  try {
    return surveyRecord(input, record, options);
  } catch (error) {
    return unreadable(input, record, error);
  }
}

function unreadable(input: Input, record: RawRecord, error: unknown): Extract<ReadEvent, { kind: 'skip' }> {
  const { entry, file = input.name, offset, length, url, time } = record;
  const problem = failedAt({ file, entry } as RecordContext, offset, error);
  const capture: Capture = { ...UNKNOWN_CAPTURE, file, offset, length, url, time };
  if (entry !== undefined) capture.entry = entry;
  return { kind: 'skip', capture, code: 'unreadable', problems: [...record.problems, { ...problem, url }] };
}

/** The options that the reader of a record needs. */
type RecordOptions = Pick<CheckedReadOptions, 'limits'> & Pick<ReadOptions, 'waczPages' | 'as'>;

function contextOf(
  { name, guessed }: Input,
  { limits, waczPages, as }: RecordOptions,
  survey: boolean,
  memory?: InflateMemory,
): RecordContext {
  return { file: name, limits, survey, memory, guessed, listedOnly: waczPages === 'listed', as };
}

function openContainer(input: Input): Container | Problem {
  const known = containers.get(input);
  if (known) return known;
  try {
    const container = makeContainer(input);
    containers.set(input, container);
    return container;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { code: 'missing-file', message: `cannot be opened: ${error.code}`, file: input.name };
  }
}

function makeContainer(input: Input): Container {
  switch (input.format) {
    case 'warc':
    case 'arc':
      return archiveFile({
        path: input.path,
        format: input.format,
        name: input.spooled && !input.remote ? '' : input.name,
        checked: input.checked,
      });
    case 'wacz':
      return waczFile(input);
    case 'zip':
      return zipHtmlFile(input);
    case 'folder':
      return htmlFolder(input.path);
    case 'html':
      return htmlFile(input);
    case 'jsonl':
      return jsonlFile(input.path);
    case 'cdx':
      return cdxFile(input);
    default:
      throw new RangeError(`input format must be one of ${INPUT_FORMATS.join(', ')}, not "${input.format}"`);
  }
}

/**
 * Returns the page of a revisit with the body of its original; null for other captures and without an
 * original.
 */
function resolveRevisit(
  record: RawRecord,
  event: ReadEvent,
  originals: RevisitOriginals,
  options: CheckedReadOptions,
): ReadEvent | null {
  if (event.kind !== 'skip' || event.code !== 'revisit-unresolved') return null;
  const location = originals.find(record);
  if (location?.code) return skipLike(location.code, event, record);
  const original = location && recordAt(location.input, location, options);
  if (!original) return null;
  const resolved = pageOf(location.input, original, { ...options, as: event.capture });
  if (resolved.kind === 'page') {
    // extra keys of the original, as from a list of pages, do not apply to the revisit
    if (record.extra) resolved.page.extra = record.extra;
    else delete resolved.page.extra;
  }
  return resolved.kind === 'page'
    ? { ...resolved, problems: [...record.problems, ...resolved.problems] }
    : null;
}

/** Skips a revisit with the code of its original, which gave no page. */
function skipLike(code: SkipCode, { capture }: { capture: Capture }, { problems }: RawRecord): ReadEvent {
  const ordinary = (ORDINARY_SKIP_CODES as readonly string[]).includes(code);
  if (ordinary) return { kind: 'skip', capture, code, problems };
  const { file, entry, offset, url } = capture;
  const problem = {
    code,
    message: 'the original capture of this revisit was skipped for the same reason',
    file,
    entry,
    offset,
    url,
  } as Problem;
  return { kind: 'skip', capture, code, problems: [...problems, problem] };
}

function isSystemError(error: unknown): error is { code: string } {
  return (
    error instanceof Error && typeof (error as { code?: unknown }).code === 'string' && 'syscall' in error
  );
}

/** A revisit whose original has not been read yet. */
interface WaitingRevisit {
  input: Input;
  location: Location;
  /** Problems that reading it again may not find; the last one reports the missing original. */
  problems?: Problem[];
}

/**
 * Reads all pages of several inputs in order. A revisit gets the body of its original from any input: at once
 * if the original came before, otherwise after all inputs are read.
 */
export function* readInputs(inputs: readonly Input[], options: ReadOptions = {}): Generator<ReadEvent> {
  const originals = new RevisitOriginals();
  const waiting: WaitingRevisit[] = [];
  for (const input of inputs) {
    for (const event of readPages(input, options, originals)) {
      if (event.kind !== 'skip' || event.code !== 'revisit-unresolved') {
        yield event;
        continue;
      }
      const { file, entry, offset, length } = event.capture;
      const problems = event.problems.length > 1 ? event.problems : undefined;
      waiting.push({ input, location: { file, entry, offset, length }, problems });
    }
  }
  for (const { input, location, problems } of waiting) {
    const event = readRevisitAt(input, location, options, originals);
    if (problems && event.kind === 'page') event.problems = [...problems.slice(0, -1), ...event.problems];
    else if (problems && event.kind === 'skip' && event.code === 'revisit-unresolved')
      event.problems = problems;
    yield event;
  }
}
