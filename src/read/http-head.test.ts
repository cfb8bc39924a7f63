import fc from 'fast-check';
import { expect, test } from 'vitest';
import { charsetParameterOf, type HttpHead, mediaTypeOf, parseHttpHead } from './http-head.ts';

function parse(text: string): (HttpHead & { body: string }) | null {
  const block = Buffer.from(text, 'latin1');
  const head = parseHttpHead(block);
  return head && { ...head, body: block.toString('latin1', head.bodyStart) };
}

test('status, headers and body are separated', () => {
  const head = parse('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX: y\r\n\r\n\r\nbody');
  expect(head).toMatchObject({
    status: 200,
    stated: true,
    contentType: 'text/html',
    complete: true,
    body: '\r\nbody',
  });
});

test('lines may end in CRLF, in LF, or in both', () => {
  expect(parse('HTTP/1.0 404 No\nContent-Type: text/html\n\nbody')).toMatchObject({
    status: 404,
    body: 'body',
  });
  expect(parse('HTTP/1.0 200 OK\r\nContent-Type: a/b\n\r\nbody')).toMatchObject({
    contentType: 'a/b',
    body: 'body',
  });
});

test('the status line may be short, old, of HTTP/2 or missing', () => {
  expect(parse('HTTP/2 204\r\n\r\n')).toMatchObject({ status: 204 });
  expect(parse('HTTP 200 OK\r\n\r\n')).toMatchObject({ status: 200 });
  expect(parse('ICY 200 OK\r\n\r\n')).toMatchObject({ status: 200 });
  expect(parse(':status: 301\r\nlocation: /x\r\n\r\n')).toMatchObject({
    status: 301,
    stated: true,
  });
  expect(parse('Content-Type: text/html\r\n\r\n<p>')).toMatchObject({
    status: 0,
    stated: false,
    body: '<p>',
  });
  expect(parse('Status: 404 Not Found\r\n\r\n')).toMatchObject({ status: 404 });
  expect(parse('HTTP/1.1 200 OK\r\nStatus: 404\r\n\r\n')).toMatchObject({ status: 200 });
  expect(parse('HTTP/1.1 OK\r\nContent-Type: a/b\r\n\r\n')).toMatchObject({ status: 0, contentType: 'a/b' });
  expect(parse('\r\n\r\nHTTP/1.1 200 OK\r\n\r\nx')).toMatchObject({ status: 200, body: 'x' });
});

test('a folded line continues the header before it', () => {
  expect(parse('HTTP/1.1 200 OK\r\nContent-Type: text/html;\r\n  charset=utf-8\r\n\r\n')).toMatchObject({
    contentType: 'text/html; charset=utf-8',
  });
});

test('the last content type counts, and all content encodings', () => {
  const text =
    'HTTP/1.1 200 OK\r\nContent-Type: a/b\r\ncontent-type : c/d\r\nContent-Type:\r\nContent-Encoding: gzip\r\nCONTENT-ENCODING: br\r\n\r\n';
  expect(parse(text)).toMatchObject({ contentType: 'c/d', contentEncoding: 'gzip, br' });
});

test('an interim response is skipped', () => {
  const text = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: a/b\r\n\r\nbody';
  expect(parse(text)).toMatchObject({ status: 200, contentType: 'a/b', body: 'body' });
  expect(parse(`HTTP/1.0 200 Connection established\r\n\r\n${text}`)).toMatchObject({
    status: 200,
    body: 'body',
  });
});

test('noise between headers is skipped, a tag starts the body', () => {
  expect(parse('HTTP/1.1 200 OK\r\n???\r\nContent-Type: a/b\r\n\r\nx')).toMatchObject({
    contentType: 'a/b',
    body: 'x',
  });
  expect(parse('HTTP/1.1 200 OK\r\nContent-Type: a/b\r\n<html>\r\n\r\nx')).toMatchObject({
    body: '<html>\r\n\r\nx',
  });
});

test('headers without an end have no body', () => {
  expect(parse('HTTP/1.1 200 OK\r\nContent-Type: a/b')).toMatchObject({
    contentType: 'a/b',
    complete: false,
    body: '',
  });
});

test('a block that does not start with a head gives null', () => {
  expect(parse('<html>')).toBeNull();
  expect(parse('')).toBeNull();
  expect(parse('\r\n')).toBeNull();
  expect(parse('\x00\x01')).toBeNull();
});

test('a media type has no parameters', () => {
  expect(mediaTypeOf('Text/HTML; charset=UTF-8')).toBe('text/html');
  expect(mediaTypeOf('text/html,text/html')).toBe('text/html');
  expect(mediaTypeOf(' text/html charset=utf-8')).toBe('text/html');
  expect(charsetParameterOf('text/html; Charset = "UTF-8"; x=y')).toBe('UTF-8');
  expect(charsetParameterOf("text/html;charset='koi8-r'")).toBe('koi8-r');
  expect(charsetParameterOf('text/html')).toBe('');
});

test('no input makes it throw, and the body lies within the block', () => {
  const line = fc.constantFrom(
    'HTTP/1.1 200 OK',
    'HTTP/1.1 100',
    'a: b',
    ' c',
    '',
    '<',
    'Content-Type: x',
    '\x00',
    ':',
  );
  const text = fc
    .array(fc.tuple(line, fc.constantFrom('\r\n', '\n', '\r', '')))
    .map((lines) => lines.flat().join(''));
  const bytes = fc.oneof(
    fc.uint8Array(),
    text.map((value) => Uint8Array.from(Buffer.from(value, 'latin1'))),
  );
  fc.assert(
    fc.property(bytes, (block) => {
      const head = parseHttpHead(block);
      if (head) expect(head.bodyStart).toBeLessThanOrEqual(block.length);
    }),
    { numRuns: 2000 },
  );
});

test('a megabyte of header lines is read in linear time', () => {
  const block = Buffer.from(`HTTP/1.1 200 OK\r\n${' x\r\n'.repeat(300_000)}`);
  expect(parseHttpHead(block)).toMatchObject({ status: 200, complete: false });
});

test('a status line is read in the same way whatever follows the number', () => {
  const status = (line: string) => parseHttpHead(Buffer.from(`${line}\r\nServer: x\r\n\r\n`))?.status;
  for (const end of ['', ' ', ' OK', ` ${'long '.repeat(20)}`])
    expect(status(`HTTP/1.1 203${end}`)).toBe(203);
  for (const line of ['HTTP/1.1  203 x', 'HTTP/1 203 x', 'http/1.1 203 x', 'HTTP/1.1\t203']) {
    expect(status(line), line).toBe(203);
  }
  expect(status('HTTP/1.1 2034')).toBe(0);
});
