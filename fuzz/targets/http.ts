/**
 * Tests HTTP heads, transfer and content encodings, and charset labels: from the block of a record to a page.
 */
import { isUtf8 } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import { makePage, surveyRecord } from '../../src/read/make-page.ts';
import type { Input, RawRecord, ReadEvent } from '../../src/read/raw-record.ts';
import { mutate } from '../mutate.ts';
import { promise, type Random, type Target } from '../target.ts';
import { CHARSET_LABELS, httpBlock } from './http-blocks.ts';

const TOKENS = [
  'Content-Type: text/html; charset=',
  'charset=',
  '; ',
  ',',
  '"',
  ' ',
  '\r\n ',
  '\r\n\r\n',
  'Content-Encoding: gzip\r\n',
  'Content-Encoding: gzip,',
  'Transfer-Encoding: chunked\r\n',
  '<meta charset=',
  '<meta http-equiv=content-type content="text/html; charset=',
  '<!--',
  '-->',
  '<a b=c ',
  '0\r\n',
  'ffffffff\r\n',
  '1;a=b\r\n',
  '\u001b$B',
  ...CHARSET_LABELS,
];
const INPUT: Input = { name: 'case', path: 'case', format: 'warc', sizeBytes: 0, spooled: false };

/** The target `http`. */
export const http: Target = {
  name: 'http',
  extension: 'http',

  generate(random: Random) {
    const block = httpBlock(random);
    return random(8) ? mutate(block, random, { tokens: TOKENS, other: httpBlock(random) }) : block;
  },

  check(bytes) {
    const read = makePage(INPUT, recordOf(bytes));
    const again = makePage(INPUT, recordOf(bytes));
    promise('reading twice gives the same', isDeepStrictEqual(read, again), () => describe(again));
    promise('a record gives a page or a skip', read.kind !== 'problem', () => describe(read));
    const surveyed = surveyRecord(INPUT, recordOf(bytes));
    if (surveyed.kind === 'skip') {
      const isSame = read.kind === 'skip' && read.code === surveyed.code;
      promise(
        'a record that a survey skips gives no page',
        isSame,
        () => `${surveyed.code}, ${describe(read)}`,
      );
    }
    if (read.kind === 'skip') return;
    promise('a source is UTF-8', isUtf8(read.page.source), () => describe(read));
    const texts = [read.page.mime, read.page.charset, ...read.problems.map(({ message }) => message)];
    promise(
      'texts are well-formed',
      texts.every((text) => text.isWellFormed()),
      () => JSON.stringify(texts),
    );
  },
};

function recordOf(block: Uint8Array): RawRecord {
  return {
    offset: 0,
    length: block.length,
    kind: 'response',
    url: 'http://a.example/',
    time: '2020-01-02T03:04:05Z',
    recordId: '',
    payloadDigest: '',
    http: true,
    mime: '',
    block: Uint8Array.from(block),
    truncated: false,
    problems: [],
  };
}

function describe(event: ReadEvent): string {
  if (event.kind === 'skip') return `skip ${event.code}`;
  return event.kind === 'page' ? `page of ${event.page.source.length} bytes` : event.problem.message;
}
