/**
 * Rows of JSON, one a line, with at least `url` and `html`; a time may stand in `time`, `timestamp` or
 * `date`, as ISO 8601 or as 14 digits. JSON is UTF-8, so that the HTML is too, whatever it declares.
 */
import type { Problem } from '../model/problem.ts';
import { type ByteSource, fileSource, takeBytes } from './byte-source.ts';
import { timeFromDigits, timeFromIso } from './capture-time.ts';
import type { Container } from './container.ts';
import { type Line, readLines } from './lines.ts';
import { closeFile, openFile } from './open-files.ts';
import type { RawEvent, RawRecord } from './raw-record.ts';
import { maxBlockBytes, problemAt, type RecordContext, SURVEY_BLOCK_BYTES } from './record-context.ts';

export function jsonlFile(path: string): Container {
  const { sizeBytes } = openFile(path);
  const openFd = () => openFile(path).fd;
  const through = fileSource(openFd, { end: sizeBytes });
  const here = fileSource(openFd, { end: sizeBytes, windowBytes: 4096 });
  return {
    records: (context) => readJsonl(through, context),
    recordAt({ offset, length }, context) {
      const event = readRow({ offset, length, bytes: takeBytes(here, offset, length) }, context);
      return event.kind === 'problem' ? null : event;
    },
    close: () => closeFile(path),
  };
}

function* readJsonl(source: ByteSource, context: RecordContext): Generator<RawEvent> {
  // characters may be escaped, up to six bytes for one
  for (const line of readLines(source, 2 * maxBlockBytes(context.limits))) {
    if (line.bytes === undefined || line.bytes.some((byte) => byte > 32)) yield readRow(line, context);
  }
}

export function readRow({ offset, length, bytes }: Line, context: RecordContext): RawEvent {
  const bad = (message: string): RawEvent => ({
    kind: 'problem',
    problem: problemAt(context, 'bad-row', offset, message),
  });
  if (bytes === undefined) return bad(`a row of ${length} bytes is longer than the limits allow`);
  let row: Record<string, unknown>;
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    row = JSON.parse(offset === 0 ? text.replace(/^\uFEFF/, '') : text);
  } catch {
    return bad('a row is not JSON');
  }
  if (typeof row !== 'object' || row === null) return bad('a row is not an object');
  const { url, html } = row;
  if (typeof url !== 'string' || url === '') return bad('a row has no url');
  if (typeof html !== 'string') return bad('a row has no html');
  const problems: Problem[] = [];
  const said = row.time ?? row.timestamp ?? row.date ?? '';
  const time = timeOf(String(said));
  if (said !== '' && time === '') {
    problems.push(
      problemAt(
        context,
        'bad-date',
        offset,
        `a row has the time "${String(said).slice(0, 40)}", which is none`,
      ),
    );
  }
  const whole = Buffer.from(html, 'utf8');
  const tooLarge = whole.length > maxBlockBytes(context.limits);
  const keptBytes = context.survey || tooLarge ? Math.min(whole.length, SURVEY_BLOCK_BYTES) : whole.length;
  const record: RawRecord = {
    offset,
    length,
    kind: 'resource',
    url,
    time,
    recordId: '',
    payloadDigest: '',
    http: false,
    mime: 'text/html; charset=utf-8',
    block: new Uint8Array(whole.buffer, whole.byteOffset, keptBytes),
    truncated: false,
    problems,
  };
  if (tooLarge) record.exceeded = 'too-large';
  return record;
}

function timeOf(text: string): string {
  if (/^\d+$/.test(text)) return timeFromDigits(text);
  return timeFromIso(text);
}
