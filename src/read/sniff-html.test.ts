import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isHtml, judgeMime, startsWithMarkup } from './sniff-html.ts';

const is = (body: string | Uint8Array, mime: string) =>
  isHtml(typeof body === 'string' ? Buffer.from(body, 'latin1') : body, mime);

test('a declared type is HTML, vague, or something else', () => {
  for (const mime of ['text/html', 'application/xhtml+xml']) expect(judgeMime(mime)).toBe('html');
  for (const mime of ['', 'application/octet-stream', 'text/plain', 'unknown', 'text/xml'])
    expect(judgeMime(mime)).toBe('maybe');
  for (const mime of ['image/png', 'application/json', 'text/css', 'application/rss+xml'])
    expect(judgeMime(mime)).toBe('no');
});

test.each([
  '<!DOCTYPE html><p>',
  '<html>',
  '\n\n <HTML lang=en>',
  '<p>text',
  'only text',
  '\xef\xbb\xbf<html>',
  '<!-- c --><html>',
  '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML"><html>',
  '<?xml version="1.0"?>\n<html xmlns="">',
  '<?php x ?><p>',
  '[home] <p>text',
  '{{ title }}<p>',
  '<custom-element>',
  '<!doctype html>\0\0',
  '(function(){})()<p>x',
])('declared HTML that starts with %j is HTML', (body) => {
  expect(is(body, 'text/html')).toBe(true);
});

test.each([
  '%PDF-1.4 x',
  '\x89PNG\r\n\x1a\n',
  'GIF89a',
  '\xff\xd8\xff\xe0',
  'PK\x03\x04',
  '\x1f\x8b\x08',
  '{"a": 1}',
  ' [{"a": 1}]\n',
  '[]',
  '{}',
  'callback({"a": 1});',
  '<rss version="2.0">',
  '<?xml version="1.0"?><rss>',
  '<?xml version="1.0"?><!-- c --><feed xmlns="">',
  '<?xml version="1.0"?><urlset>',
  '<?xml version="1.0"?><anything/>',
  '<svg xmlns="">',
  '<!DOCTYPE svg PUBLIC "">',
  'a\0\x01\x02\x03\x04\x05\x06',
])('declared HTML that starts with %j is not', (body) => {
  expect(is(body, 'text/html')).toBe(false);
});

test('compressed bytes are not HTML, whatever is declared', () => {
  const noise = deflateSync(Buffer.from(Array.from({ length: 3000 }, (_, i) => Math.sin(i)).join()));
  expect(is(noise, 'text/html')).toBe(false);
});

test('a body without a declared type must start like HTML', () => {
  for (const mime of ['', 'application/octet-stream', 'charset=utf-8']) {
    expect(is('<!doctype html>', mime)).toBe(true);
    expect(is(' <table border=1>', mime)).toBe(true);
    expect(is('<!-- long comment', mime)).toBe(true);
    expect(is('text', mime)).toBe(false);
    expect(is('<rss>', mime)).toBe(false);
    expect(is('<paragraph>', mime)).toBe(false);
  }
});

test('plain text and XML must have the root of a page to be HTML', () => {
  for (const mime of ['text/plain', 'text/xml', 'application/xml']) {
    expect(is('<!DOCTYPE HTML PUBLIC "x"><p>', mime)).toBe(true);
    expect(is('<?xml version="1.0"?><html>', mime)).toBe(true);
    expect(is('<p>an example of a tag', mime)).toBe(false);
    expect(is('<?xml version="1.0"?><feed>', mime)).toBe(false);
  }
});

test('UTF-16 is text, not binary', () => {
  expect(is(Buffer.from('\ufeff<!doctype html><p>x', 'utf16le'), 'text/html')).toBe(true);
  expect(is(Buffer.from('<html><p>x', 'utf16le').swap16(), '')).toBe(true);
  expect(is(Buffer.from('\ufeff<rss>x', 'utf16le'), 'text/html')).toBe(false);
});

test('markup is distinguished from compressed bytes', () => {
  for (const body of ['<p>', ' \n<!doctype', '<?xml', '\xef\xbb\xbf<html>'])
    expect(startsWithMarkup(Buffer.from(body, 'latin1'))).toBe(true);
  for (const body of ['', 'text', '< p', '<\xff\xff\xff', '<a\x80'])
    expect(startsWithMarkup(Buffer.from(body, 'latin1'))).toBe(false);
});

test('a thousand comments before the first tag are read in linear time', () => {
  expect(is(`${'<!---->'.repeat(1000)}<rss>`, '')).toBe(true);
  expect(is('<!--'.repeat(1000), 'text/html')).toBe(true);
  expect(is('<?'.repeat(1000), 'text/html')).toBe(true);
});

test('no input makes detection throw', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.constantFrom('', 'text/html', 'text/plain'), (body, mime) => {
      expect(isHtml(body, mime)).toBeTypeOf('boolean');
    }),
    { numRuns: 2000 },
  );
});

test('control characters are counted at any position within words of four bytes', () => {
  for (let before = 0; before < 8; before++) {
    const page = (controls: number) =>
      `<html>${'a'.repeat(before)}${'\x01ä\n'.repeat(controls)}`.padEnd(101, 'b');
    expect(is(page(5), 'text/html'), `${before}`).toBe(true);
    expect(is(page(6), 'text/html'), `${before}`).toBe(false);
  }
});
