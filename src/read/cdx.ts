/**
 * A CDX or CDXJ index as an input: each line names an archive and an offset in it, and the capture is read
 * there. Archives are looked for beside the index, and in `archive/` beside its folder, where pywb keeps
 * them: by the name in the line as a relative path, then by its last part. A name never leads out of there.
 */
import { statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { countOf } from '../model/count-of.ts';
import type { Problem } from '../model/problem.ts';
import { type ByteSource, closeFile, type Line, openSource, readLines } from './byte-source.ts';
import { timeFromDigits } from './capture-time.ts';
import type { Container, RawEvent, RawRecord } from './raw-record.ts';
import { failedAt, problemAt, type RecordContext } from './record-context.ts';
import { type ArchiveFileOptions, archiveFile } from './record-file.ts';

/** A CDX or CDXJ file, and where its archives are. */
export interface CdxOptions {
  path: string;
  /** As the user knows it: archives are looked for beside it, not beside a temporary copy. */
  name: string;
  /** Archives that lie elsewhere, by the name in the index. */
  archives?: Record<string, FoundArchive>;
  /** Where archives are looked for. @default the folder of the index */
  archiveFolder?: string;
}

interface FoundArchive {
  path: string;
  sizeBytes: number;
}

/** Archive and bytes of the capture that a line names. */
export interface CdxLine {
  file: string;
  offset: number;
  /** 0 when unsaid. */
  length: number;
}

/** The facts that a line gives about its capture; empty texts and status 0 where it gives none. */
export interface CdxCapture extends CdxLine {
  url: string;
  time: string;
  status: number;
  mime: string;
  digest: string;
}

const NO_CAPTURE = 'a line names no archive and offset';
const MAX_LINE_BYTES = 1024 * 1024;
const MAX_OPEN_ARCHIVES = 64;
/** Maximum number of missing archives that are reported by name. */
const MAX_MISSING_NAMES = 10_000;
/** Maximum bytes that the lines of an index may have read from an archive, as a multiple of its size. */
const MAX_READINGS = 4;
/** The fields of lines without a header, by their number, in the letters of the CDX legend. */
const USUAL_FIELDS: Record<number, string> = { 9: 'NbamskrVg', 10: 'NbamskrMVg', 11: 'NbamskrMSVg' };

/** Whether this is the first line of an index. */
export function startsLikeCdx(text: string): boolean {
  const line = text.split('\n', 1)[0];
  if (/^ ?CDX( [A-Za-z]){3,}\s*$/.test(line)) return true;
  return (
    /^!\S*CDXJ/i.test(line) ||
    /^\S+ \d{4,17} \{.*\}\s*$/.test(line) ||
    /^\S+ \d{14} \S+( \S+){6,8}\s*$/.test(line)
  );
}

/** The archives that an index names and that do not lie beside it, with the lines that name them. */
export function linesElsewhere({ path, ...options }: CdxOptions): Map<string, CdxLine[]> {
  const archives = new NamedArchives(options);
  const elsewhere = new Map<string, CdxLine[]>();
  for (const { line, fields } of cdxLines(openSource(path))) {
    const parsed = parseCdxLine(line, fields);
    if (parsed === null) continue;
    const known = elsewhere.get(parsed.file);
    if (known) known.push(parsed);
    else if (elsewhere.size < MAX_MISSING_NAMES && archives.locate(parsed.file) === null)
      elsewhere.set(parsed.file, [parsed]);
  }
  return elsewhere;
}

/** Paths of the archives beside an index that its lines name. */
export function archivesBeside({ path, ...options }: CdxOptions): Set<string> {
  const archives = new NamedArchives(options);
  const files = new Set<string>();
  for (const { line, fields } of cdxLines(openSource(path))) {
    const parsed = parseCdxLine(line, fields);
    if (parsed !== null) files.add(parsed.file);
  }
  return new Set([...files].map((file) => archives.locate(file)?.path).filter((at) => at !== undefined));
}

/** The captures of an index as its lines describe them, and lines that describe none. No archive is opened. */
export function* captureLines(
  path: string,
  context: RecordContext,
): Generator<CdxCapture | { kind: 'problem'; problem: Problem }> {
  let before: CdxLine | null = null;
  for (const { line, fields } of cdxLines(openSource(path))) {
    const capture = parseCapture(line, fields);
    if (capture === null) {
      yield { kind: 'problem', problem: problemAt(context, 'bad-row', line.offset, NO_CAPTURE) };
    } else if (before?.file !== capture.file || before.offset !== capture.offset) {
      yield capture;
      before = capture;
    }
  }
}

/** Returns the captures that the lines of an index name, read from their archives by random access. */
export function cdxFile({ path, ...options }: CdxOptions): Container {
  const archives = new NamedArchives(options);

  return {
    *records(context) {
      const index = openSource(path);
      const missing = new Set<string>();
      const readBytes = new Map<string, number>(); // by path
      let unreadLines = 0;
      let missingLines = 0;
      let before: CdxLine | null = null;
      for (const { line, fields } of cdxLines(index)) {
        const parsed = parseCdxLine(line, fields);
        if (parsed === null) {
          yield problem(context, 'bad-row', line.offset, NO_CAPTURE);
          continue;
        }
        // a record that is listed twice is one record
        if (before?.file === parsed.file && before.offset === parsed.offset) continue;
        before = parsed;
        const { file, offset } = parsed;
        const archive = archives.find(file);
        if (archive === null) {
          if (missing.has(file)) continue;
          if (missing.size === MAX_MISSING_NAMES) {
            missingLines++;
            continue;
          }
          missing.add(file);
          const message = `${file}, which the index names, is not beside it`;
          yield problem(context, 'missing-file', line.offset, message);
          continue;
        }
        // records lie one after the other: lines that name more than the file holds name some of it again and again
        const soFar = readBytes.get(archive.path) ?? 0;
        if (soFar > MAX_READINGS * archive.sizeBytes) {
          unreadLines++;
          continue;
        }
        let record: RawRecord | null;
        try {
          record = archives.read(parsed, context);
        } catch (error) {
          yield { kind: 'problem', problem: failedAt({ ...context, file }, offset, error) };
          continue;
        }
        const costBytes = record?.length ?? Math.min(parsed.length, archive.sizeBytes);
        readBytes.set(archive.path, soFar + costBytes);
        yield record ??
          problem({ ...context, file }, 'bad-record', offset, 'no capture lies where the index says');
      }
      if (missingLines > 0) {
        const message = `${countOf(missingLines, 'more line')} ${missingLines === 1 ? 'names' : 'name'} files that are not beside the index`;
        yield problem(context, 'missing-file', index.sizeBytes, message);
      }
      if (unreadLines > 0) {
        const message = `left out ${countOf(unreadLines, 'line')} of parts of archives that other lines name too`;
        yield problem(context, 'too-slow', index.sizeBytes, message);
      }
    },
    recordAt: ({ file = '', offset, length }, context) => archives.read({ file, offset, length }, context),
    close() {
      archives.close();
      closeFile(path);
    },
  };
}

interface NamedArchive {
  container: Container;
  path: string;
  sizeBytes: number;
}

/** The archives that an index names, of which a few are kept open. */
class NamedArchives {
  readonly #folder: string;
  /** Where pywb keeps archives; empty when there is no such folder. */
  readonly #archiveFolder: string;
  readonly #elsewhere: Record<string, FoundArchive>;
  readonly #open = new Map<string, NamedArchive>(); // last is newest

  constructor({ name, archives = {}, archiveFolder = dirname(resolve(name)) }: Omit<CdxOptions, 'path'>) {
    this.#folder = archiveFolder;
    this.#elsewhere = archives;
    const beside = join(dirname(archiveFolder), 'archive');
    this.#archiveFolder = statSync(beside, { throwIfNoEntry: false })?.isDirectory() ? beside : '';
  }

  /** Null when no such archive lies beside the index. */
  find(file: string): NamedArchive | null {
    let found = this.#open.get(file);
    if (found) {
      this.#open.delete(file);
    } else {
      const at = this.locate(file);
      const format = /\.arc(\.gz|\.zst)?$/i.test(file) ? 'arc' : 'warc';
      const container = at === null ? null : openArchive({ ...at, format, name: file, windowBytes: 4096 });
      if (at === null || container === null) return null;
      found = { container, ...at };
      for (const [oldest, { container }] of this.#open) {
        if (this.#open.size < MAX_OPEN_ARCHIVES) break;
        this.#open.delete(oldest);
        container.close();
      }
    }
    this.#open.set(file, found);
    return found;
  }

  read({ file, offset, length }: CdxLine, context: RecordContext): RawRecord | null {
    const record = this.find(file)?.container.recordAt({ offset, length }, { ...context, file }) ?? null;
    if (record) record.file = file;
    return record;
  }

  /** Where such a file lies beside the index; null if there is no such file. */
  locate(file: string): FoundArchive | null {
    if (Object.hasOwn(this.#elsewhere, file)) return this.#elsewhere[file];
    const inside = !isAbsolute(file) && !file.split(/[\\/]/).includes('..') && !file.includes('\0');
    const last = basename(file.replaceAll('\\', '/'));
    if (last === '' || last === '..' || last === '.' || last.includes('\0')) return null;
    const candidates = [join(this.#folder, last)];
    if (inside && file !== last) candidates.unshift(join(this.#folder, file));
    if (this.#archiveFolder !== '') candidates.push(join(this.#archiveFolder, last));
    for (const path of candidates) {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found?.isFile()) return { path, sizeBytes: found.size };
    }
    return null;
  }

  close(): void {
    for (const { container } of this.#open.values()) container.close();
    this.#open.clear();
  }
}

function openArchive(options: ArchiveFileOptions): Container | null {
  try {
    return archiveFile(options);
  } catch {
    return null; // there, but not to be opened
  }
}

function problem(
  context: RecordContext,
  code: 'bad-row' | 'missing-file' | 'bad-record' | 'too-slow',
  offset: number,
  message: string,
): RawEvent {
  return { kind: 'problem', problem: problemAt(context, code, offset, message) };
}

/** Lines with the legend that holds for them; legends, comments and empty lines left out. */
function* cdxLines(source: ByteSource): Generator<{ line: Line; fields: string }> {
  let fields = '';
  for (const line of readLines(source, MAX_LINE_BYTES)) {
    const text = textOf(line, 200);
    const legend = /^ ?CDX((?: [A-Za-z])+)\s*$/.exec(text);
    if (legend) fields = legend[1].replaceAll(' ', '');
    else if (text.trim() !== '' && !text.startsWith('!')) yield { line, fields };
  }
}

function parseCdxLine(line: Line, fields: string): CdxLine | null {
  const text = textOf(line);
  const brace = text.indexOf(' {');
  return brace >= 0 && text.trimEnd().endsWith('}')
    ? parseJsonLine(text.slice(brace + 1))
    : parsePlainLine(text, fields);
}

/** The same with what else the line says. */
function parseCapture(line: Line, fields: string): CdxCapture | null {
  const place = parseCdxLine(line, fields);
  if (place === null) return null;
  const text = textOf(line).trim();
  const brace = text.indexOf(' {');
  const isJson = brace >= 0 && text.endsWith('}');
  const record = isJson
    ? (JSON.parse(text.slice(brace + 1)) as Record<string, unknown>)
    : plainFields(text, fields);
  const { url, timestamp = text.split(' ', 2)[1], status, mime, digest } = record;
  const textOr = (value: unknown) => (typeof value === 'string' && value !== '-' ? value.toWellFormed() : '');
  return {
    ...place,
    url: textOr(url),
    time: timeFromDigits(textOr(timestamp)),
    status: numberOf(status) || 0,
    mime: textOr(mime).toLowerCase(),
    digest: textOr(digest),
  };
}

/** The letters of the CDX legend that say more than where a capture lies. */
const LETTERS = { url: 'a', timestamp: 'b', mime: 'm', status: 's', digest: 'k' };

function plainFields(text: string, fields: string): Record<string, unknown> {
  const values = text.split(' ');
  const legend = fields === '' ? USUAL_FIELDS[values.length] : fields;
  return Object.fromEntries(
    Object.entries(LETTERS).map(([name, letter]) => [name, values[legend.indexOf(letter)]]),
  );
}

function parseJsonLine(text: string): CdxLine | null {
  try {
    const { filename, offset, length } = JSON.parse(text) as Record<string, unknown>;
    return typeof filename === 'string' ? checked(filename.toWellFormed(), offset, length) : null;
  } catch {
    return null;
  }
}

function parsePlainLine(text: string, fields: string): CdxLine | null {
  const values = text.trim().split(' ');
  const legend = fields === '' ? USUAL_FIELDS[values.length] : fields;
  if (legend === undefined || values.length < legend.length) return null;
  const value = (letter: string) => (legend.includes(letter) ? values[legend.indexOf(letter)] : undefined);
  return checked(value('g') ?? '', value('V') ?? value('v'), value('S') ?? 0);
}

function checked(file: string, offset: unknown, length: unknown): CdxLine | null {
  const offsetBytes = numberOf(offset);
  const lengthBytes = numberOf(length);
  if (file === '' || !Number.isSafeInteger(offsetBytes) || offsetBytes < 0) return null;
  return {
    file,
    offset: offsetBytes,
    length: Number.isSafeInteger(lengthBytes) && lengthBytes > 0 ? lengthBytes : 0,
  };
}

/** NaN for anything but a number or its digits. */
function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
}

function textOf({ bytes }: Line, maxBytes = MAX_LINE_BYTES): string {
  return bytes
    ? Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, maxBytes)).toString('utf8')
    : '';
}
