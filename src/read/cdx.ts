/**
 * A CDX or CDXJ index as an input: each line names an archive and an offset in it, and the capture is read
 * there. Archives are looked for beside the index, and in `archive/` beside its folder, where pywb keeps
 * them: by the name in the line as a relative path, then by its last part. A name never leads out of there.
 */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { type ArchiveFileOptions, archiveFile } from './archive-file.ts';
import { type ByteSource, fileSource } from './byte-source.ts';
import type { Container } from './container.ts';
import { type Line, readLines } from './lines.ts';
import { closeFile, openFile } from './open-files.ts';
import type { RawEvent, RawRecord } from './raw-record.ts';
import { problemAt, type RecordContext } from './record-context.ts';

export interface CdxOptions {
  path: string;
  /** As the user knows it: archives are looked for beside it, not beside a temporary copy. */
  name: string;
}

export interface CdxLine {
  file: string;
  offset: number;
  /** 0 when unsaid. */
  length: number;
}

const MAX_LINE_BYTES = 1024 * 1024;
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

export function cdxFile({ path, name }: CdxOptions): Container {
  const { sizeBytes } = openFile(path);
  const index = fileSource(() => openFile(path).fd, { end: sizeBytes });
  const folder = dirname(resolve(name));
  const archives = new Map<string, Container | null>();

  function archive(file: string): Container | null {
    let found = archives.get(file);
    if (found === undefined) {
      const at = findArchive(folder, file);
      const format = /\.arc(\.gz|\.zst)?$/i.test(file) ? 'arc' : 'warc';
      found = at === null ? null : openArchive({ path: at, format, name: file, windowBytes: 4096 });
      archives.set(file, found);
    }
    return found;
  }

  function read({ file, offset, length }: CdxLine, context: RecordContext): RawRecord | null {
    const record = archive(file)?.recordAt({ offset, length }, { ...context, file }) ?? null;
    if (record) record.file = file;
    return record;
  }

  return {
    *records(context) {
      const missing = new Set<string>();
      for (const { line, fields } of cdxLines(index)) {
        const parsed = parseCdxLine(line, fields);
        if (parsed === null) {
          yield problem(context, 'bad-row', line.offset, 'a line names no archive and offset');
        } else if (archive(parsed.file) === null) {
          if (missing.has(parsed.file)) continue;
          missing.add(parsed.file);
          yield problem(
            context,
            'missing-file',
            line.offset,
            `${parsed.file}, which the index names, is not beside it`,
          );
        } else {
          yield read(parsed, context) ??
            problem(
              { ...context, file: parsed.file },
              'bad-record',
              parsed.offset,
              'no capture lies where the index says',
            );
        }
      }
    },
    recordAt: ({ file = '', offset, length }, context) => read({ file, offset, length }, context),
    close() {
      for (const container of archives.values()) container?.close();
      archives.clear();
      closeFile(path);
    },
  };
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
  code: 'bad-row' | 'missing-file' | 'bad-record',
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

function parseJsonLine(text: string): CdxLine | null {
  try {
    const { filename, offset, length } = JSON.parse(text) as Record<string, unknown>;
    return checked(String(filename ?? ''), offset, length);
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
  const offsetBytes = offset === undefined || offset === null || offset === '' ? Number.NaN : Number(offset);
  const lengthBytes = Number(length ?? 0);
  if (file === '' || !Number.isSafeInteger(offsetBytes) || offsetBytes < 0) return null;
  return {
    file,
    offset: offsetBytes,
    length: Number.isSafeInteger(lengthBytes) && lengthBytes > 0 ? lengthBytes : 0,
  };
}

function textOf({ bytes }: Line, maxBytes = MAX_LINE_BYTES): string {
  return bytes
    ? Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, maxBytes)).toString('utf8')
    : '';
}

function findArchive(folder: string, file: string): string | null {
  const inside = !isAbsolute(file) && !file.split(/[\\/]/).includes('..') && !file.includes('\0');
  const last = basename(file.replaceAll('\\', '/'));
  if (last === '' || last === '..' || last === '.' || last.includes('\0')) return null;
  const candidates = [
    inside ? join(folder, file) : '',
    join(folder, last),
    join(dirname(folder), 'archive', last),
  ];
  return candidates.find((path) => path !== '' && existsSync(path) && statSync(path).isFile()) ?? null;
}
