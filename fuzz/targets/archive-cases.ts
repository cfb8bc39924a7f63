/**
 * Cases of the target `readers`: small archives of every format, damaged inside their compression, outside
 * it, or both. The first line of a case is the extension of the file. For a CDXJ index it also has the length
 * of the index, and the archive that the index names follows the index. The word `tight` requests low limits.
 */
import { gzipSync } from 'node:zlib';
import { cdxjLine } from '../../src/read/cdxj.ts';
import { loadZstd } from '../../src/read/zstd.ts';
import { forgedArchive, longPage } from '../../test/forged-archive.ts';
import {
  arcHeader,
  arcRecord,
  gzipEach,
  httpResponse,
  type SampleEntry,
  samplePages,
  warcRecord,
  zipOf,
} from '../../test/sample-archives.ts';
import { mutate, pick } from '../mutate.ts';
import type { Random } from '../target.ts';
import { httpBlock } from './http-blocks.ts';

/** Name of the archive that an index refers to. */
export const INDEXED_NAME = 'indexed.warc.gz';

const TOKENS = [
  'WARC/1.0\r\n',
  'WARC/1.1\n',
  'WARC/1.0\nA:\n',
  'WARC-Type: response\r\n',
  'WARC-Type: revisit\r\n',
  'WARC-Target-URI: http://b.example/\r\n',
  'Content-Length: 5\r\n',
  'Content-Length: 100000\r\n',
  'Transfer-Encoding: chunked\r\n',
  ' a\n',
  '\r\n\r\n',
  '\n\n',
  '\0',
  'http://a.example/ 1.2.3.4 20050102030405 text/html 50\n',
  ' - 0000',
  'HTTP/1.1 200 OK\r\n\r\n',
  'PK\u0003\u0004',
  'PK\u0001\u0002',
  '{"url":"http://c.example/","html":"<p>c"}\n',
  '"offset":"0"',
  'ÿ',
];
const MAGIC = [
  Buffer.from('1f8b0800', 'hex'),
  Buffer.from('28b52ffd', 'hex'),
  Buffer.from('504b0506', 'hex'),
];

/** Returns a random case. */
export function archiveCase(random: Random): Uint8Array {
  const [extension, make] = pick(random, KINDS);
  const { bytes, head = '' } = make(random);
  const damaged = random(3) ? damage(random, bytes) : bytes;
  return Buffer.concat([
    Buffer.from(`${extension}${head}${random(6) ? '' : ' tight'}\n`),
    head === '' ? damaged : bytes,
  ]);
}

interface Made {
  bytes: Buffer;
  head?: string;
}

const { compress } = loadZstd();

const KINDS: [extension: string, make: (random: Random) => Made][] = [
  ['warc', (random) => ({ bytes: Buffer.concat(warcRecords(random)) })],
  ['warc.gz', (random) => ({ bytes: random(20) ? gzipSome(random, warcRecords(random)) : forgedArchive() })],
  ['warc.gz', (random) => ({ bytes: gzipSync(Buffer.concat(warcRecords(random))) })],
  ['warc.zst', (random) => ({ bytes: Buffer.concat(warcRecords(random).map((one) => compress(one, 3))) })],
  ['arc', (random) => ({ bytes: Buffer.concat(arcRecords(random)) })],
  ['arc.gz', (random) => ({ bytes: gzipSome(random, arcRecords(random)) })],
  ['wacz', (random) => ({ bytes: zipOf(waczEntries(random)) })],
  ['zip', (random) => ({ bytes: zipOf(htmlEntries(random)) })],
  ['jsonl', (random) => ({ bytes: rows(random) })],
  ['jsonl.gz', (random) => ({ bytes: gzipSync(rows(random)) })],
  ['cdxj', indexed],
];

function damage(random: Random, bytes: Uint8Array): Buffer {
  if (random(8) > 0) return mutate(bytes, random, { tokens: TOKENS });
  const at = random(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), pick(random, MAGIC), bytes.subarray(at)]);
}

/** Damages some records before compression, so that the checksum around them is right. */
function damageSome(random: Random, records: Buffer[]): Buffer[] {
  if (random(3) === 0) return records;
  return records.map((record) => (random(records.length) ? record : damage(random, record)));
}

function warcRecords(random: Random): Buffer[] {
  const records = samplePages(1 + random(4)).flatMap(({ url, html }): Buffer[] => {
    const time = random(5)
      ? '2020-01-02T03:04:05Z'
      : pick(random, ['2020', '', '20200102', '2020-13-40T99:00:00Z']);
    const eol = random(6) ? '\r\n' : '\n';
    switch (random(9)) {
      case 0:
        return [warcRecord({ type: 'request', url, block: 'GET / HTTP/1.1\r\n\r\n' })];
      case 1:
        return [warcRecord({ type: 'resource', url, block: html, eol })];
      case 2: // a page and a revisit that found it unchanged
        return ['response', 'revisit'].map((type) =>
          warcRecord({
            type,
            url,
            block: httpResponse(type === 'revisit' ? '' : html),
            fields: { 'WARC-Payload-Digest': 'sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
          }),
        );
      case 3: // long enough for the survey to guess where it ends
        return [warcRecord({ url, html: longPage(random(100)), time })];
      case 4:
        return [warcRecord({ url, block: httpBlock(random) })];
      case 5:
        return [warcRecord({ url, html, fields: { 'Content-Length': String(random(1000)) } })];
      default:
        return [
          warcRecord({ url, html, time, eol, separator: pick(random, ['\r\n\r\n', '\n\n', '\r\n', '']) }),
        ];
    }
  });
  return damageSome(random, records);
}

function arcRecords(random: Random): Buffer[] {
  const records = samplePages(1 + random(4)).map(({ url, html }) => {
    const block = random(4) ? httpResponse(html) : httpBlock(random);
    const length = random(4) ? '' : String(Math.max(0, block.length + random(200) - 100));
    return arcRecord(url, block, { length });
  });
  return damageSome(random, random(8) ? [arcHeader(), ...records] : records);
}

/** Compresses each record as a member, sometimes two together. */
function gzipSome(random: Random, records: Buffer[]): Buffer {
  const members: Buffer[] = [];
  for (let k = 0; k < records.length; ) {
    const count = random(8) ? 1 : 2;
    members.push(Buffer.concat(records.slice(k, k + count)));
    k += count;
  }
  return gzipEach(members);
}

function waczEntries(random: Random): SampleEntry[] {
  const entries: SampleEntry[] = [
    { name: 'datapackage.json', bytes: Buffer.from('{"profile":"data-package"}') },
  ];
  for (let rest = 1 + random(2); rest > 0; rest--) {
    const records = warcRecords(random);
    const packed = random(4) ? gzipEach(records) : Buffer.concat(records);
    const name = `archive/${random(8) ? rest : 1}.warc${random(4) ? '.gz' : ''}`;
    entries.push({ name, bytes: random(4) ? packed : damage(random, packed), deflate: random(3) === 0 });
  }
  return entries;
}

function htmlEntries(random: Random): SampleEntry[] {
  return samplePages(1 + random(4)).map(({ html }, k) => ({
    name: pick(random, [`${k}.html`, 'same.html', `a.example/${k}/index.htm`, `../${k}.html`, `${k}.css`]),
    bytes: random(3) ? Buffer.from(html) : damage(random, Buffer.from(html)),
    deflate: random(2) === 0,
  }));
}

function rows(random: Random): Buffer {
  const lines = samplePages(1 + random(5)).map((page) => {
    const line = Buffer.from(`${JSON.stringify({ ...page, time: '2020-01-02' })}\n`);
    return random(4) ? line : mutate(line, random, { tokens: TOKENS, times: 2 });
  });
  return Buffer.concat(lines);
}

function indexed(random: Random): Made {
  const records = warcRecords(random);
  let offset = 0;
  const lines = records.map((record, k) => {
    const { length } = gzipSync(record);
    const capture = {
      url: `http://a.example/${k}`,
      time: '2020-01-02T03:04:05Z',
      status: 200,
      mime: 'text/html',
    };
    const line = cdxjLine({
      ...capture,
      file: INDEXED_NAME,
      offset,
      length,
      recordId: '',
      payloadDigest: '',
    });
    offset += length;
    return `${line}\n`;
  });
  const index = random(3) ? Buffer.from(lines.join('')) : damage(random, Buffer.from(lines.join('')));
  const archive = random(3) ? gzipEach(records) : damage(random, gzipEach(records));
  return { bytes: Buffer.concat([index, archive]), head: ` ${index.length}` };
}
