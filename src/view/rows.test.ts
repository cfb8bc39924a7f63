import { expect, test } from 'vitest';
import { csvCell, dolmaRow, textRow, timestampOf } from './rows.ts';

const PAGE = {
  url: 'http://example.org/',
  time: '2009-04-01T12:00:00Z',
  site: 'example.org',
  status: 200,
  mime: 'text/html',
  charset: 'UTF-8',
  file: 'a.warc.gz',
  offset: 12,
  length: 34,
  recordId: '',
  payloadDigest: 'sha1:X',
};

test('a row gives the location and the capture time of its page', () => {
  expect(textRow(PAGE, { title: 'T', text: 'x' })).toEqual({
    url: 'http://example.org/',
    time: '2009-04-01T12:00:00Z',
    timestamp: '20090401120000',
    site: 'example.org',
    title: 'T',
    text: 'x',
    file: 'a.warc.gz',
    offset: 12,
    length: 34,
    recordId: '',
    payloadDigest: 'sha1:X',
    mime: 'text/html',
    charset: 'UTF-8',
  });
  expect(Object.keys(textRow({ ...PAGE, entry: 'e' }, { title: '', text: '', markdown: 'm' }))).toContain(
    'entry',
  );
});

test('a row for dolma has id, text, source and metadata', () => {
  const row = dolmaRow(textRow(PAGE, { title: 'T', text: 'x' }), 'crawl');
  expect(row).toMatchObject({ id: 'a.warc.gz#12', text: 'x', source: 'crawl', created: PAGE.time });
  expect(row.metadata).toMatchObject({ url: PAGE.url, title: 'T' });
  expect(row.metadata).not.toHaveProperty('text');
});

test('a time becomes fourteen digits, a missing time stays empty', () => {
  expect(timestampOf('2009-04-01T12:00:00Z')).toBe('20090401120000');
  expect(timestampOf('')).toBe('');
});

test('a CSV cell is quoted where needed and never a formula', () => {
  expect(['=1+1', '+1', '-1', '@x', '\tx'].map(csvCell)).toEqual(["'=1+1", "'+1", "'-1", "'@x", "'\tx"]);
  expect(csvCell('a,"b"\nc')).toBe('"a,""b""\nc"');
  expect(csvCell(-1)).toBe('-1');
  expect(csvCell(null)).toBe('');
});
