import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FAULT_SKIP_CODES } from '../model/problem.ts';
import { makePage, surveyRecord } from './make-page.ts';
import type { Input, RawRecord } from './raw-record.ts';
import type { ReadOptions } from './read-options.ts';

const INPUT: Input = { name: 'crawl.warc', path: 'crawl.warc', format: 'warc', sizeBytes: 0, spooled: false };
const HTML = '<!doctype html><title>Grüße</title><p>Hello';

/** A record in the form that a WARC reader yields. */
function record(head: string, body: string | Uint8Array = HTML, changes: Partial<RawRecord> = {}): RawRecord {
  return {
    offset: 100,
    length: 200,
    kind: 'response',
    url: 'http://www.example.com/a',
    time: '2009-04-01T12:00:00Z',
    recordId: 'urn:uuid:1',
    payloadDigest: '',
    http: true,
    mime: '',
    block: Buffer.concat([Buffer.from(head, 'latin1'), typeof body === 'string' ? Buffer.from(body) : body]),
    truncated: false,
    problems: [],
    ...changes,
  };
}

const ok = (headers = ''): string => `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${headers}\r\n`;

function sourceOf(raw: RawRecord, options?: ReadOptions): string {
  const event = makePage(INPUT, raw, options);
  if (event.kind !== 'page') throw new Error(JSON.stringify(event));
  return Buffer.from(event.page.source).toString();
}

function codeOf(raw: RawRecord, options?: ReadOptions): string {
  const event = makePage(INPUT, raw, options);
  return event.kind === 'skip' ? event.code : event.kind;
}

function notesOf(raw: RawRecord, options?: ReadOptions): string[] {
  const event = makePage(INPUT, raw, options);
  return event.kind === 'problem' ? [] : event.problems.map(({ code }) => code);
}

test('an HTML response is a page with its location and identifiers', () => {
  const event = makePage(INPUT, record(ok()));
  expect(event).toMatchObject({
    kind: 'page',
    problems: [],
    page: {
      file: 'crawl.warc',
      offset: 100,
      length: 200,
      url: 'http://www.example.com/a',
      site: 'example.com',
      time: '2009-04-01T12:00:00Z',
      status: 200,
      mime: 'text/html',
      charset: 'UTF-8',
      recordId: 'urn:uuid:1',
    },
  });
  expect(sourceOf(record(ok()))).toBe(HTML);
});

test('the source is a plain Uint8Array, whatever it was decoded from', () => {
  const bodies: [string, string | Uint8Array][] = [
    ['', HTML],
    ['Content-Encoding: gzip\r\n', gzipSync(HTML)],
    ['', Buffer.from('<meta charset=windows-1252><p>\xe9t\xe9', 'latin1')],
  ];
  for (const [headers, body] of bodies) {
    const event = makePage(INPUT, record(ok(headers), body));
    expect(event.kind === 'page' && event.page.source.constructor).toBe(Uint8Array);
  }
});

test('only a 2xx response is a page', () => {
  expect(codeOf(record('HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n'))).toBe('http-status');
  expect(codeOf(record('HTTP/1.1 302 Found\r\nContent-Type: text/html\r\n\r\n'))).toBe('http-status');
  expect(codeOf(record('HTTP/2 203\r\ncontent-type: text/html\r\n\r\n'))).toBe('page');
});

test('with statuses "all" any status makes a page', () => {
  for (const status of ['404 Not Found', '302 Found', '500 Oops']) {
    const error = record(`HTTP/1.1 ${status}\r\nContent-Type: text/html\r\n\r\n`);
    expect(makePage(INPUT, error, { statuses: 'all' }).kind).toBe('page');
  }
  expect(() => makePage(INPUT, record(ok()), { statuses: '3xx' as never })).toThrow('2xx or all');
});

test('only HTML is a page', () => {
  expect(codeOf(record('HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n', '\x89PNG'))).toBe('not-html');
  expect(codeOf(record(ok(), '%PDF-1.4'))).toBe('not-html');
  expect(codeOf(record('HTTP/1.1 200 OK\r\n\r\n'))).toBe('page');
  expect(codeOf(record('HTTP/1.1 200 OK\r\n\r\n', 'just text'))).toBe('not-html');
});

test('a body is decoded from every encoding that a header may name', () => {
  const plain = Buffer.from(HTML);
  expect(sourceOf(record(ok('Content-Encoding: gzip\r\n'), gzipSync(plain)))).toBe(HTML);
  expect(sourceOf(record(ok('Content-Encoding: x-gzip\r\n'), gzipSync(plain)))).toBe(HTML);
  expect(sourceOf(record(ok('Content-Encoding: deflate\r\n'), deflateSync(plain)))).toBe(HTML);
  expect(sourceOf(record(ok('Content-Encoding: deflate\r\n'), deflateRawSync(plain)))).toBe(HTML);
  expect(sourceOf(record(ok('Content-Encoding: br\r\n'), brotliCompressSync(plain)))).toBe(HTML);
  expect(
    sourceOf(record(ok('Content-Encoding: deflate, br\r\n'), brotliCompressSync(deflateSync(plain)))),
  ).toBe(HTML);
});

test('a body stored decoded is kept, whatever its header declares', () => {
  for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'gzip, br', 'utf-8']) {
    expect(sourceOf(record(ok(`Content-Encoding: ${encoding}\r\n`)))).toBe(HTML);
  }
  expect(sourceOf(record(ok('Transfer-Encoding: chunked\r\n')))).toBe(HTML);
});

test('a compressed body without an encoding header is decoded', () => {
  expect(sourceOf(record(ok(), gzipSync(Buffer.from(HTML))))).toBe(HTML);
});

test('the chunked coding is removed before encodings', () => {
  const zipped = gzipSync(Buffer.from(HTML));
  const size = zipped.length.toString(16);
  const body = Buffer.concat([Buffer.from(`${size}\r\n`), zipped, Buffer.from('\r\n0\r\n\r\n')]);
  expect(sourceOf(record(ok('Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n'), body))).toBe(HTML);
  expect(sourceOf(record(ok('Transfer-Encoding: gzip, chunked\r\n'), body))).toBe(HTML);
  // also if the header was lost
  expect(sourceOf(record(ok('Content-Encoding: gzip\r\n'), body))).toBe(HTML);
});

test.each([...'123456789abcdefABCDEF'])(
  'chunks without a header are found when the size of the first begins with %s',
  (digit) => {
    const [first, rest] = [HTML.slice(0, 1), HTML.slice(1)];
    const length = Number.parseInt(digit, 16);
    const body = `${digit}\r\n${first.padEnd(length)}\r\n${Buffer.byteLength(rest).toString(16)}\r\n${rest}\r\n0\r\n\r\n`;
    expect(sourceOf(record(ok(), body))).toBe(first.padEnd(length) + rest);
  },
);

test('broken chunks give a note, not a skip', () => {
  const raw = record(ok('Transfer-Encoding: chunked\r\n'), '14\r\n<p>a chunk cut');
  expect(sourceOf(raw)).toBe('<p>a chunk cut');
  expect(notesOf(raw)).toEqual(['bad-chunking']);
});

test('a filtered URL is skipped before any other check', () => {
  expect(codeOf(record(ok()), { include: [/\/b$/] })).toBe('filtered');
  expect(codeOf(record(ok()), { include: [/\/a$/] })).toBe('page');
  expect(codeOf(record(ok()), { include: [/./], exclude: [/example/] })).toBe('filtered');
});

test('a global pattern gives the same answer every time', () => {
  const options = { include: [/example/g] };
  expect([1, 2, 3].map(() => codeOf(record(ok()), options))).toEqual(['page', 'page', 'page']);
});

test('a page over the limit is skipped with a problem', () => {
  const limits = { pageBytes: 20 };
  expect(codeOf(record(ok()), { limits })).toBe('too-large');
  expect(codeOf(record(ok('Content-Encoding: gzip\r\n'), gzipSync(Buffer.from(HTML))), { limits })).toBe(
    'too-large',
  );
  expect(notesOf(record(ok()), { limits })).toEqual(['too-large']);
});

test('a record cut by a limit is skipped with its code, unless it would not be a page anyway', () => {
  expect(codeOf(record(ok(), '<p>', { exceeded: 'too-large' }))).toBe('too-large');
  const video = record('HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n', '', { exceeded: 'too-large' });
  expect(codeOf(video)).toBe('not-html');
});

test('a truncated record keeps its bytes and is reported', () => {
  expect(notesOf(record(ok(), '<p>half a', { truncated: true }))).toEqual(['truncated']);
  expect(codeOf(record(ok(), '<p>half a', { truncated: true }))).toBe('page');
  expect(codeOf(record(ok(), '', { truncated: true }))).toBe('truncated');
  expect(codeOf(record(ok(), ''))).toBe('empty');
  expect(codeOf(record(ok(), ' \r\n '))).toBe('empty');
});

test('a truncated gzip body keeps the bytes that decode', () => {
  const long = HTML + Array.from({ length: 2000 }, (_, i) => `<p>${Math.sin(i)}`).join('');
  const zipped = gzipSync(Buffer.from(long));
  const raw = record(ok('Content-Encoding: gzip\r\n'), zipped.subarray(0, zipped.length >> 1));
  const source = sourceOf(raw);
  expect(source.length).toBeGreaterThan(long.length / 4);
  expect(long.startsWith(source.slice(0, -4))).toBe(true);
  expect(notesOf(raw)).toEqual(['truncated']);
});

test('a response without headers is kept if it is HTML', () => {
  expect(codeOf(record(''))).toBe('page');
  expect(codeOf(record('', HTML, { mime: 'application/http' }))).toBe('page');
  expect(notesOf(record(''))).toEqual(['bad-http']);
  expect(codeOf(record('', '\x00\x01\x02 junk'))).toBe('bad-http');
});

test('a resource record needs no HTTP headers', () => {
  const raw = record('', HTML, { kind: 'resource', http: false, mime: 'text/html; charset=utf-8' });
  expect(codeOf(raw)).toBe('page');
  expect(notesOf(raw)).toEqual([]);
});

test('the body as served comes with a page on request, and only if its source differs', () => {
  const bodyOf = (body: Uint8Array, options?: ReadOptions) => {
    const event = makePage(
      INPUT,
      record('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n', body),
      options,
    );
    return event.kind === 'page' ? event.page.body : null;
  };
  const legacy = Buffer.from('<meta charset=windows-1252><p>Gr\xfc\xdfe', 'latin1');
  const marked = Buffer.from(`\ufeff${HTML}`);
  expect(bodyOf(legacy)).toBeUndefined();
  expect(bodyOf(legacy, { bodies: true })).toEqual(legacy);
  expect(bodyOf(marked, { bodies: true })).toEqual(marked);
  expect(bodyOf(Buffer.from(HTML), { bodies: true })).toBeUndefined();
});

test('a record without a URL, or whose URL has no host, is skipped', () => {
  expect(codeOf(record(ok(), HTML, { url: '' }))).toBe('bad-url');
  for (const url of [
    'http:///',
    'not a url',
    'data:text/html,x',
    'urn:pageinfo:http://a.example/',
    'file:///a.html',
  ])
    expect(codeOf(record(ok(), HTML, { url }))).toBe('bad-url');
  expect(codeOf(record(ok(), HTML, { url: 'file://folder/a.html' }))).not.toBe('bad-url');
  expect(codeOf(record(ok(), HTML, { url: 'http://example.com/a b' }))).toBe('page');
});

test('a log in the archive is skipped as not HTML, not as a fault of its URL', () => {
  const log = { url: 'urn:X-wpull:log', http: false, mime: 'text/plain' };
  expect(codeOf(record('', 'INFO Fetching pages', log))).toBe('not-html');
});

test('a revisit is surveyed with the reference to its original, and unresolved if read alone', () => {
  const refersTo = {
    payloadDigest: 'sha1:AAA',
    url: 'http://www.example.com/a',
    time: '2008-01-01T00:00:00Z',
  };
  const raw = record(ok(), '', { kind: 'revisit', refersTo });
  expect(surveyRecord(INPUT, raw)).toMatchObject({
    kind: 'page',
    capture: { revisit: refersTo, site: 'example.com' },
  });
  expect(codeOf(raw)).toBe('revisit-unresolved');
  const unchanged = record('HTTP/1.1 304 Not Modified\r\n\r\n', '', { kind: 'revisit', refersTo });
  expect(surveyRecord(INPUT, unchanged).kind).toBe('page');
  const image = record('HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\n\r\n', '', {
    kind: 'revisit',
    refersTo,
  });
  expect(surveyRecord(INPUT, image)).toMatchObject({ kind: 'skip', code: 'not-html' });
  const bare = record('', '', { kind: 'revisit', refersTo, http: false });
  expect(surveyRecord(INPUT, bare).kind).toBe('page');
});

test('a body read for a revisit gets the identity of the revisit', () => {
  const as = {
    ...captureOf(record(ok())),
    url: 'http://b.example/x',
    time: '2010-01-01T00:00:00Z',
    offset: 7,
    mime: '',
  };
  const event = makePage(INPUT, record(ok()), { as });
  expect(event).toMatchObject({
    kind: 'page',
    page: {
      url: 'http://b.example/x',
      site: 'b.example',
      offset: 7,
      time: '2010-01-01T00:00:00Z',
      mime: 'text/html',
    },
  });
});

function captureOf(raw: RawRecord) {
  const event = surveyRecord(INPUT, raw);
  if (event.kind !== 'page') throw new Error('expected a page');
  return event.capture;
}

test('digests are computed and compared on request', () => {
  const digests = true;
  const event = makePage(INPUT, record(ok(), '<p>a'), { digests });
  // printf '<p>a' | openssl sha1 -binary | base32
  expect(event).toMatchObject({ page: { payloadDigest: 'sha1:CFOGPAY55CXZY3KEUHG3V5BKMHMZCX7R' } });
  const right = record(ok(), '<p>a', { payloadDigest: 'sha1:CFOGPAY55CXZY3KEUHG3V5BKMHMZCX7R' });
  expect(notesOf(right, { digests })).toEqual([]);
  const wrong = record(ok(), '<p>b', { payloadDigest: 'sha1:CFOGPAY55CXZY3KEUHG3V5BKMHMZCX7R' });
  expect(notesOf(wrong, { digests })).toEqual(['bad-digest']);
  expect(notesOf(wrong)).toEqual([]);
});

test('an unknown or wrong option is refused by name', () => {
  expect(() => makePage(INPUT, record(ok()), { limits: { pageBytes: 0 } })).toThrow(
    'pageBytes must be a number from 1, not 0',
  );
  expect(() => makePage(INPUT, record(ok()), { limits: { bytes: 3 } as object })).toThrow(
    'unknown option "bytes"',
  );
  expect(() => makePage(INPUT, record(ok()), { site: 'path:0' })).toThrow('site rule');
});

const pieces = fc.constantFrom(
  'HTTP/1.1 200 OK\r\n',
  'HTTP/1.1 404 X\n',
  'Content-Type: text/html\r\n',
  'Content-Type: text/plain\r\n',
  'Content-Encoding: gzip, br\r\n',
  'Content-Encoding: deflate\r\n',
  'Transfer-Encoding: chunked\r\n',
  '\r\n',
  '\r\n\r\n',
  '5\r\n',
  '0\r\n\r\n',
  '<!doctype html>',
  '<p>é',
  '{"a":1}',
  '\x1f\x8b\x08',
  '\xff\xfe<\0p\0',
  '<meta charset="gbk">',
  '<?xml?>',
);
const blocks = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .array(
      fc.oneof(
        pieces.map((text) => Buffer.from(text, 'latin1')),
        fc.uint8Array({ maxLength: 20 }),
      ),
      { maxLength: 12 },
    )
    .map((parts) => Uint8Array.from(Buffer.concat(parts))),
);
const kinds = fc.constantFrom<RawRecord['kind']>('response', 'revisit', 'resource');

test('no input makes it throw, a page is valid UTF-8, a fault skip has its problem, a survey skips no page', () => {
  fc.assert(
    fc.property(
      blocks,
      kinds,
      fc.boolean(),
      fc.constantFrom('', 'text/html', 'image/gif'),
      fc.boolean(),
      (block, kind, http, mime, truncated) => {
        const raw = { ...record(''), block, kind, http, mime, truncated };
        const event = makePage(INPUT, raw);
        const survey = surveyRecord(INPUT, raw);
        if (event.kind === 'page') {
          expect(survey.kind).toBe('page');
          expect(() => new TextDecoder('utf-8', { fatal: true }).decode(event.page.source)).not.toThrow();
        }
        if (survey.kind === 'skip') expect(event).toMatchObject({ kind: 'skip', code: survey.code });
        if (event.kind === 'skip' && (FAULT_SKIP_CODES as readonly string[]).includes(event.code)) {
          expect(event.problems.map(({ code }) => code)).toContain(event.code);
        }
      },
    ),
    { numRuns: 3000 },
  );
});
