import { expect, test } from 'vitest';
import { originalUrl, stripWayback } from './wayback.ts';

const strip = (html: string) => Buffer.from(stripWayback(Buffer.from(html))).toString();

const INCLUDE =
  '<script src="//archive.org/includes/athena.js"></script>\n<script>__wm.init("https://web.archive.org/web");</script>' +
  '<link rel="stylesheet" href="/_static/css/banner-styles.css">\n<!-- End Wayback Rewrite JS Include -->';
const TOOLBAR =
  '<!-- BEGIN WAYBACK TOOLBAR INSERT --><div id="wm-ipp-base">Grüße</div><!-- END WAYBACK TOOLBAR INSERT -->';
const NOTES =
  '<!--\n     FILE ARCHIVED ON 12:00:00 Apr 01, 2009 AND RETRIEVED FROM THE\n     INTERNET ARCHIVE ON 01:02:03.\n-->\n<!--\nplayback timings (ms):\n  x: 1\n-->';

test('the inserts of the Wayback Machine are removed', () => {
  const html = `<html><head profile="x">${INCLUDE}\n<title>T</title></head><body>${TOOLBAR}<p>ä</body></html>\n${NOTES}`;
  expect(strip(html)).toBe('<html><head profile="x">\n<title>T</title></head><body><p>ä</body></html>\n\n');
});

test('each insert is removed without the others', () => {
  expect(strip(`<body>${TOOLBAR}<p>a`)).toBe('<body><p>a');
  expect(strip(`<head>${INCLUDE}<title>`)).toBe('<head><title>');
  expect(strip(`<p>first${INCLUDE}<p>a`)).toBe('<p>first<p>a');
});

test('a page without inserts is not copied', () => {
  const page = Buffer.from(`<head><title>How to cite web.archive.org</title></head><p>x ${NOTES}`);
  expect(stripWayback(page)).toBe(page);
});

test('a toolbar without an end is kept', () => {
  const html = '<p>a<!-- BEGIN WAYBACK TOOLBAR INSERT --><p>b';
  expect(strip(html)).toBe(html);
});

test('a similar comment on a page from elsewhere is kept', () => {
  const html = '<head><script>own()</script><!-- End Wayback Rewrite JS Include --><p>';
  expect(strip(html)).toBe(html);
});

test('a replay URL is mapped to the URL that it replays', () => {
  expect(originalUrl('https://web.archive.org/web/20090401120000/http://example.com/a?b')).toBe(
    'http://example.com/a?b',
  );
  expect(originalUrl('http://web.archive.org/web/2009id_/https://example.com/')).toBe('https://example.com/');
  expect(originalUrl('https://web.archive.org/about')).toBe('https://web.archive.org/about');
  expect(originalUrl('http://example.com/http://web.archive.org/')).toBe(
    'http://example.com/http://web.archive.org/',
  );
});
