/**
 * Small archives whose bytes were chosen to make a reader work for minutes. Each is a kind of attack that a reader of
 * Chaff once fell for; `name` has the extension of its format.
 */
import { deflateRawSync, gzipSync } from 'node:zlib';
import {
  arcHeader,
  arcRecord,
  gzipEach,
  httpResponse,
  type SampleEntry,
  warcRecord,
  zipOf,
} from './sample-archives.ts';

export interface SlowArchive {
  name: string;
  bytes: Uint8Array;
  /** URLs of the captures that must be read, although the rest of the archive is slow. */
  urls: string[];
  /** Codes of the problems that must be reported, each at least once. */
  codes: string[];
}

const GOOD_URL = 'http://good.example/';
const good = warcRecord({ url: GOOD_URL });
const page = '<html><body><p>Hello</p></body></html>';

export function slowArchives(): SlowArchive[] {
  return [
    {
      name: 'folded header lines.warc.gz',
      bytes: gzipEach([warcRecord({ fields: { 'X-Folded': `a\r\n${' b\r\n'.repeat(200_000)} c` } }), good]),
      urls: ['http://example.com/', GOOD_URL],
      codes: [],
    },
    {
      name: 'folded HTTP header lines.warc.gz',
      bytes: gzipEach([
        warcRecord({
          block: httpResponse(
            page,
            `HTTP/1.1 200 OK\r\nContent-Type: text/html;\r\n${' a\r\n'.repeat(60_000)} b`,
          ),
        }),
        good,
      ]),
      urls: ['http://example.com/', GOOD_URL],
      codes: [],
    },
    {
      name: 'blanks after charset in a header.warc.gz',
      bytes: gzipEach([
        warcRecord({
          block: httpResponse(
            page,
            `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=${' '.repeat(250_000)};x`,
          ),
        }),
        good,
      ]),
      urls: ['http://example.com/', GOOD_URL],
      codes: [],
    },
    {
      name: 'blanks after charset in a page.warc.gz',
      bytes: gzipEach([
        ...Array.from({ length: 100 }, (_, k) =>
          warcRecord({
            url: `http://example.com/${k}`,
            block: httpResponse(`<html><meta charset=${' '.repeat(31_000)};>é`, 'HTTP/1.1 200 OK'),
          }),
        ),
        good,
      ]),
      urls: [GOOD_URL],
      codes: [],
    },
    {
      name: 'version lines without a header.warc',
      bytes: Buffer.concat([Buffer.from('WARC/1.0\nA:\n'.repeat(400_000)), Buffer.from('\n'), good]),
      urls: [GOOD_URL],
      codes: ['resynchronised'],
    },
    {
      name: 'version lines within lines.warc',
      bytes: Buffer.concat([Buffer.from('xWARC/1.0\nA:'.repeat(400_000)), Buffer.from('\r\n\r\n'), good]),
      urls: [GOOD_URL],
      codes: ['resynchronised'],
    },
    {
      name: 'version lines that end in a carriage return.warc',
      bytes: Buffer.concat([good, Buffer.from(`x${'WARC/1.0\r'.repeat(400_000)}\nA:\n`), good]),
      urls: [GOOD_URL],
      codes: ['resynchronised'],
    },
    {
      name: 'gzip headers that lead into one bomb.warc.gz',
      bytes: Buffer.concat([
        gzipEach([good]),
        ...Array.from({ length: 64 }, () => headersBefore(bomb(), 170)),
      ]),
      urls: [GOOD_URL],
      codes: ['too-slow'],
    },
    {
      name: 'gzip headers that lead into one damaged record.warc.gz',
      bytes: Buffer.concat([gzipEach([good]), headersBefore(damagedRecord(), 2000)]),
      urls: [GOOD_URL],
      codes: ['too-slow'],
    },
    {
      name: 'records that share one member.warc.gz',
      bytes: Buffer.concat([
        gzipEach([good]),
        gzipSync(Buffer.concat(Array.from({ length: 20_000 }, () => warcRecord()))),
      ]),
      urls: [GOOD_URL],
      codes: ['too-slow'],
    },
    {
      name: 'zstd frames that share their blocks.warc.zst',
      bytes: Buffer.concat([
        zstdFrame(good),
        Buffer.from('junk'),
        zstdHeaders(3000),
        zstdRun(60, { sizeBytes: 128 * 1024 - 1, end: [3, 0, 0, 65] }),
      ]),
      urls: [GOOD_URL],
      codes: ['too-slow'],
    },
    {
      name: 'zstd frames that share many blocks.warc.zst',
      bytes: Buffer.concat([
        zstdFrame(good),
        zstdHeaders(30_000),
        zstdRun(100_000, { sizeBytes: 0, end: [7, 0, 0] }),
      ]),
      urls: [GOOD_URL],
      codes: ['too-slow'],
    },
    {
      name: 'names of one archive.wacz',
      bytes: zipOf(aliases(300, 'archive/data', gzipEach(Array.from({ length: 300 }, () => good)))),
      urls: [GOOD_URL],
      codes: ['bad-zip'],
    },
    {
      name: 'names of one page.zip',
      bytes: zipOf(aliases(2000, 'page', Buffer.from(`<html>${' '.repeat(1_000_000)}</html>`), '.html')),
      urls: [],
      codes: ['bad-zip'],
    },
    {
      name: 'dates in one line.arc',
      bytes: Buffer.concat([
        arcHeader(),
        ...Array.from({ length: 20 }, () => Buffer.from(`a: ${'- 0000 '.repeat(9000)}!\n`)),
        arcRecord(GOOD_URL, httpResponse(page)),
      ]),
      urls: [GOOD_URL],
      codes: ['resynchronised'],
    },
  ];
}

/** Headers of gzip members, each a field longer than the rest of the headers: all lead to the same stream. */
function headersBefore(stream: Buffer, count: number): Buffer {
  const headers = Buffer.alloc(12 * count);
  for (let k = 0; k < count; k++) {
    headers.set([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 3], 12 * k);
    headers.writeUInt16LE(12 * (count - 1 - k), 12 * k + 10);
  }
  return Buffer.concat([headers, stream]);
}

function bomb(): Buffer {
  return deflateRawSync(Buffer.alloc(4_000_000)).subarray(0, 3900);
}

/** A stream that starts like a record, gives 30 MB and never ends. */
function damagedRecord(): Buffer {
  const start = warcRecord({ html: 'x'.repeat(30_000_000) });
  const stream = deflateRawSync(start);
  return Buffer.concat([stream.subarray(0, stream.length - 20), Buffer.alloc(20, 0xff)]);
}

/** One raw block. */
function zstdFrame(bytes: Buffer): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32LE(bytes.length, 5);
  const block = (bytes.length << 3) | 1;
  head.set([block & 255, (block >> 8) & 255, (block >> 16) & 255], 9);
  return Buffer.concat([head, bytes]);
}

/** Headers of frames, each followed by a raw block that holds all headers after it. */
function zstdHeaders(count: number): Buffer {
  const headers = Buffer.alloc(9 * count);
  for (let k = 0; k < count; k++) {
    const rest = Math.min(9 * (count - 1 - k), 100_000 - (100_000 % 9)) << 3;
    headers.set([0x28, 0xb5, 0x2f, 0xfd, 0, 0x70, rest & 255, (rest >> 8) & 255, (rest >> 16) & 255], 9 * k);
  }
  return headers;
}

/** `count` blocks, each of which repeats one byte `sizeBytes` times, and the last block. */
function zstdRun(count: number, { sizeBytes, end }: { sizeBytes: number; end: number[] }): Buffer {
  const block = (sizeBytes << 3) | 2;
  const one = Buffer.from([block & 255, (block >> 8) & 255, (block >> 16) & 255, 65]);
  return Buffer.concat([...Array.from({ length: count }, () => one), Buffer.from(end)]);
}

/** Entries whose names all lead to the first one's bytes. */
function aliases(count: number, name: string, bytes: Buffer, ending = '.warc.gz'): SampleEntry[] {
  return Array.from({ length: count }, (_, k) => ({
    name: `${name}${k}${ending}`,
    bytes: k === 0 ? bytes : Buffer.alloc(0),
    isAlias: k > 0,
  }));
}

/** Gzip of rows that repeat: small, and over a hundred times as large when it is spooled. */
export function spoolBomb(): Uint8Array {
  const row = `${JSON.stringify({ url: GOOD_URL, html: `<p>${'a'.repeat(1000)}` })}\n`;
  return gzipSync(row.repeat(300_000));
}
