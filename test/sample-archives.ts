/** Small archives built by hand, so that tests can corrupt any byte of them. */
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

export interface SampleRecord {
  type?: string;
  url?: string;
  time?: string;
  /** The block; by default an HTTP response with `html`. */
  block?: string | Buffer;
  html?: string;
  /** Further header lines, or ones that replace those above. */
  fields?: Record<string, string>;
  version?: string;
  /** Line end of the headers. */
  eol?: string;
  separator?: string;
}

export function httpResponse(
  html: string,
  head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8',
): string {
  return `${head}\r\n\r\n${html}`;
}

export function warcRecord({
  type = 'response',
  url = 'http://example.com/',
  time = '2020-01-02T03:04:05Z',
  html = '<html><body><p>Hello</p></body></html>',
  block = httpResponse(html),
  fields = {},
  version = 'WARC/1.0',
  eol = '\r\n',
  separator = '\r\n\r\n',
}: SampleRecord = {}): Buffer {
  const body = Buffer.isBuffer(block) ? block : Buffer.from(block);
  const all: Record<string, string> = {
    'WARC-Type': type,
    'WARC-Record-ID': `<urn:uuid:00000000-0000-4000-8000-${String(crc32(`${url}${time}`)).padStart(12, '0')}>`,
    'WARC-Date': time,
    'WARC-Target-URI': url,
    'Content-Type': type === 'resource' ? 'text/html' : 'application/http; msgtype=response',
    'Content-Length': String(body.length),
    ...fields,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}${eol}`);
  return Buffer.concat([
    Buffer.from(`${version}${eol}${lines.join('')}${eol}`),
    body,
    Buffer.from(separator),
  ]);
}

export function arcRecord(
  url: string,
  block: string | Buffer,
  { date = '20050102030405', length = '' } = {},
): Buffer {
  const body = Buffer.from(block);
  const line = `${url} 10.0.0.1 ${date} text/html ${length === '' ? body.length : length}\n`;
  return Buffer.concat([Buffer.from(line), body, Buffer.from('\n')]);
}

export function arcHeader(): Buffer {
  const text = '1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n';
  return Buffer.from(`filedesc://sample.arc 0.0.0.0 20050102030405 text/plain ${text.length}\n${text}\n`);
}

/** A site of pages with enough text to compress like pages do. */
export function samplePages(count: number): { url: string; html: string }[] {
  return Array.from({ length: count }, (_, i) => {
    const words = Array.from(
      { length: 60 + ((i * 37) % 90) },
      (_, w) => `word${(i * 7919 + w * w * 31) % 997}`,
    );
    const html = `<!doctype html><html><head><title>Page ${i}</title></head><body><p>${words.join(' ')}</p></body></html>`;
    return { url: `http://site.example.com/page/${i}`, html };
  });
}

export function sampleRecords(count: number): Buffer[] {
  return [
    warcRecord({ type: 'warcinfo', url: '', block: 'software: sample\r\n' }),
    ...samplePages(count).flatMap((page) => [
      warcRecord({ ...page, type: 'request', block: 'GET / HTTP/1.1\r\n\r\n' }),
      warcRecord(page),
    ]),
  ];
}

export function gzipEach(records: readonly Uint8Array[]): Buffer {
  return Buffer.concat(records.map((record) => gzipSync(record)));
}

export interface SampleEntry {
  name: string;
  bytes: Uint8Array;
  deflate?: boolean;
  /** Whether it is another name for the bytes of the first entry. */
  isAlias?: boolean;
}

export function zipOf(entries: readonly SampleEntry[], { prefix = '', comment = '' } = {}): Buffer {
  const parts: Buffer[] = [Buffer.from(prefix)];
  const directory: Buffer[] = [];
  let offset = 0; // as stated: a prefix shifts what it means
  for (const { name, bytes, deflate = false, isAlias = false } of entries) {
    const stored = deflate ? deflateRawSync(bytes) : Buffer.from(bytes);
    const nameBytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2);
    common.writeUInt16LE(deflate ? 8 : 0, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(stored.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(isAlias ? 0 : offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, nameBytes);
    if (isAlias) continue;
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, stored);
    offset += 30 + nameBytes.length + stored.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  end.writeUInt16LE(comment.length, 16);
  return Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06', 'latin1'), end, Buffer.from(comment)]);
}
