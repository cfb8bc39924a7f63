import { expect, test } from 'vitest';
import { httpResponse, type SampleRecord, warcRecord } from '../../test/sample-archives.ts';
import { DEFAULT_LIMITS } from '../model/limits.ts';
import { memorySource } from './byte-source.ts';
import type { RawRecord } from './raw-record.ts';
import type { RecordsOptions } from './record-context.ts';
import { readWarc } from './warc.ts';

function read(bytes: Uint8Array, options?: RecordsOptions) {
  const context = { file: 'sample.warc', limits: DEFAULT_LIMITS, survey: false };
  const events = [...readWarc(memorySource(bytes), context, options)];
  const records = events.filter((event): event is RawRecord => event.kind !== 'problem');
  const problems = events.flatMap((event) => (event.kind === 'problem' ? [event.problem] : event.problems));
  return {
    records,
    codes: problems.map(({ code }) => code),
    problems,
    texts: records.map(({ block }) => Buffer.from(block).toString()),
  };
}

const html = '<p>Grüße</p>';
const after = { url: 'http://a.example/after', html: '<p>after</p>' };

function withAfter(record: SampleRecord): Buffer {
  return Buffer.concat([warcRecord({ html, ...record }), warcRecord(after)]);
}

test('a response gives its URL, time, id, digest and block', () => {
  const { records, codes } = read(warcRecord({ html, fields: { 'WARC-Payload-Digest': 'sha1:ABC' } }));
  expect(codes).toEqual([]);
  expect(records[0]).toMatchObject({
    kind: 'response',
    url: 'http://example.com/',
    time: '2020-01-02T03:04:05Z',
    payloadDigest: 'sha1:ABC',
    http: true,
    truncated: false,
  });
  expect(records[0].recordId).toMatch(/^urn:uuid:/);
});

test.each(['WARC/0.9', 'WARC/0.17', 'WARC/0.18', 'WARC/1.0', 'WARC/1.1'])('%s is read', (version) => {
  const { records, codes } = read(withAfter({ version }));
  expect(records.length).toBe(2);
  expect(codes).toEqual([]);
});

test.each([
  ['\n', '\n\n'],
  ['\r\r\n', '\r\n\r\n'],
  ['\n', '\r\n\r\n'],
  ['\r\n', '\r\n\r\n\r\n\r\n'],
  ['\r\n', ''],
])('lines that end in %j and separators like %j are read', (eol, separator) => {
  const { texts, codes } = read(withAfter({ eol, separator }));
  expect(texts).toEqual([httpResponse(html), httpResponse(after.html)]);
  expect(codes).toEqual([]);
});

test('folded fields, odd case and brackets around the URL are understood', () => {
  const { records } = read(
    warcRecord({
      fields: { 'WARC-Target-URI': '<http://a.example/\r\n  x>', 'warc-payload-digest': 'sha1:X' },
    }),
  );
  expect(records[0].url).toBe('http://a.example/ x');
  expect(records[0].payloadDigest).toBe('sha1:X');
});

test('requests, metadata and similar records are not captures', () => {
  const types = ['warcinfo', 'request', 'metadata', 'conversion', 'continuation', 'something'];
  expect(read(Buffer.concat(types.map((type) => warcRecord({ type }))))).toMatchObject({
    records: [],
    codes: [],
  });
});

test.each([
  ['9223372036854775804', 'bad-length'],
  ['-1', 'bad-length'],
  ['many', 'bad-length'],
  ['', 'bad-length'],
  ['3', 'bad-length'],
  ['100', 'bad-length'],
  ['400', 'bad-length'],
])('a Content-Length of %j is corrected and reported', (length, code) => {
  const { texts, codes, problems } = read(withAfter({ fields: { 'Content-Length': length } }));
  expect(texts).toEqual([httpResponse(html), httpResponse(after.html)]);
  expect(codes).toEqual([code]);
  expect(problems[0]).toMatchObject({ file: 'sample.warc', offset: 0 });
});

test('an impossible length of the last record takes the rest of the file; a possible one means that the file is cut', () => {
  const absurd = read(warcRecord({ html, fields: { 'Content-Length': '9223372036854775804' } }));
  expect(absurd).toMatchObject({ texts: [httpResponse(html)], codes: ['bad-length'] });
  expect(absurd.records[0].truncated).toBe(false);
  const cut = read(warcRecord({ html }).subarray(0, -20));
  expect(cut.codes).toEqual(['truncated-file']);
  expect(cut.records[0].truncated).toBe(true);
  // but a complete gzip member ends with its record
  expect(
    read(warcRecord({ html, fields: { 'Content-Length': '5000' } }), { inMember: true }).records[0].truncated,
  ).toBe(false);
});

test('records inside a payload that is an archive are not captures', () => {
  const inner = Buffer.concat([warcRecord({ url: 'http://inner.example/' }), warcRecord(after)]);
  const { records, codes } = read(Buffer.concat([warcRecord({ block: inner }), warcRecord(after)]));
  expect(records.map(({ url }) => url)).toEqual(['http://example.com/', after.url]);
  expect(codes).toEqual([]);
});

test.each(['2009-03-65T00:00:00Z', '2009-02-30T10:00:00Z', '20090301', 'yesterday', ''])(
  'the date %j does not exist',
  (time) => {
    const { records, codes } = read(warcRecord({ time }));
    expect(records[0].time).toBe('');
    expect(codes).toEqual(['bad-date']);
  },
);

test.each([
  ['2009-03-05T01:02:03.456789Z', '2009-03-05T01:02:03Z'],
  ['2009-03-05T01:02:03-07:00', '2009-03-05T08:02:03Z'],
  ['2009-03-05T01:02:03+0530', '2009-03-04T19:32:03Z'],
  ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59Z'],
])('the date %s becomes %s', (time, expected) => {
  expect(read(warcRecord({ time })).records[0].time).toBe(expected);
});

test('a revisit has the reference to its original', () => {
  const fields = {
    'WARC-Payload-Digest': 'sha1:ABC',
    'WARC-Refers-To-Target-URI': 'http://b.example/',
    'WARC-Refers-To-Date': '2019-01-01T00:00:00Z',
  };
  expect(read(warcRecord({ type: 'revisit', fields })).records[0].refersTo).toEqual({
    payloadDigest: 'sha1:ABC',
    url: 'http://b.example/',
    time: '2019-01-01T00:00:00Z',
  });
});

test('a capture that the crawler cut is kept, with a note', () => {
  const { records, codes } = read(warcRecord({ fields: { 'WARC-Truncated': 'length' } }));
  expect(records.length).toBe(1);
  expect(codes).toEqual(['cut-by-crawler']);
});

test('the first segment of a capture is kept, and the loss of the others is noted', () => {
  const first = warcRecord({ fields: { 'WARC-Segment-Number': '1' } });
  const second = warcRecord({ type: 'continuation', fields: { 'WARC-Segment-Number': '2' } });
  const { records, codes } = read(Buffer.concat([first, second]));
  expect(records.length).toBe(1);
  expect(codes).toEqual(['cut-by-crawler']);
});

test('garbage between records is skipped and reported with its offset', () => {
  const first = warcRecord({ html });
  const { records, problems } = read(
    Buffer.concat([first, Buffer.from('garbage, WARC/1.0 even\r\n'), warcRecord(after)]),
  );
  expect(records.length).toBe(2);
  expect(problems).toMatchObject([{ code: 'resynchronised', offset: first.length }]);
});
