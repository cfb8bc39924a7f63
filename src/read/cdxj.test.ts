import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CDXIndexer, WARCParser, WARCRecord, WARCSerializer } from 'warcio';
import type { Capture } from '../model/page.ts';
import { cdxjLine, sortLines, timestamp } from './cdxj.ts';
import type { Input } from './raw-record.ts';
import { closeInput, surveyInput } from './read-captures.ts';

const CAPTURE: Capture = {
  file: 'crawls/a.warc.gz',
  offset: 10,
  length: 20,
  url: 'http://www.example.com/b?z=1&a=2',
  time: '2009-04-01T12:00:00Z',
  status: 200,
  mime: 'text/html',
  recordId: 'urn:uuid:1',
  payloadDigest: 'sha1:CFOGPAY55CXZY3KEUHG3V5BKMHMZCX7R',
};

test('a line has key, time and the fields as strings', () => {
  expect(cdxjLine(CAPTURE)).toBe(
    'com,example)/b?a=2&z=1 20090401120000 {"url":"http://www.example.com/b?z=1&a=2","mime":"text/html","status":"200",' +
      '"digest":"CFOGPAY55CXZY3KEUHG3V5BKMHMZCX7R","length":"20","offset":"10","filename":"a.warc.gz"}',
  );
});

test('a revisit is marked', () => {
  expect(cdxjLine({ ...CAPTURE, revisit: {} })).toContain('"mime":"warc/revisit"');
});

test('the key is the one of the tool that is to read it', () => {
  const capture = { ...CAPTURE, url: 'http://example.com/a/' };
  expect(cdxjLine(capture)).toMatch(/^com,example\)\/a\/ /);
  expect(cdxjLine(capture, { keys: 'pywb' })).toMatch(/^com,example\)\/a /);
});

test('a capture in a WACZ is named by the archive within', () => {
  expect(cdxjLine({ ...CAPTURE, file: 'a.wacz', entry: 'archive/data.warc.gz' })).toContain(
    '"filename":"data.warc.gz"',
  );
});

test('no URL breaks its line', () => {
  for (const url of [
    'http://a b/c',
    'dns:a b',
    'x\ny',
    'http://bücher.example/\u{1F600}',
    '\ud800 ',
    'x\u2028y',
  ]) {
    const line = cdxjLine({ ...CAPTURE, url });
    expect(line).toMatch(/^[\x21-\x7f]+ \d{14} \{[\x20-\x7f]*\}$/);
    expect(JSON.parse(line.slice(line.indexOf('{'))).url).toBe(url);
  }
});

test('a capture without a time sorts first', () => {
  expect(timestamp('')).toBe('00000000000000');
  expect(timestamp('2009-04-01T12:00:00Z')).toBe('20090401120000');
});

test('lines are what the indexer of warcio writes, and lead it to the record', async () => {
  const warc = await writeWarc();
  const lines: string[] = [];
  const indexer = new CDXIndexer({ format: 'cdxj' });
  for await (const entry of indexer.iterIndex([{ filename: 'a.warc.gz', reader: stream(warc) }])) {
    const { urlkey, timestamp: stamp, ...fields } = entry as Record<string, string | number>;
    const strings = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
    lines.push(`${urlkey} ${stamp} ${JSON.stringify(strings)}`);

    const capture: Capture = {
      ...CAPTURE,
      url: strings.url,
      mime: strings.mime,
      status: Number(strings.status),
      payloadDigest: `sha1:${strings.digest}`,
      offset: Number(strings.offset),
      length: Number(strings.length),
    };
    const ours = cdxjLine({ ...capture, time: '2009-04-01T12:00:00Z' });
    expect(ours).toBe(lines.at(-1));
    const { offset, length, url } = JSON.parse(ours.slice(ours.indexOf('{')));
    const member = warc.subarray(Number(offset), Number(offset) + Number(length));
    const record = await WARCParser.parse([member]);
    expect(record?.warcTargetURI).toBe(url);
    expect(await record?.contentText()).toContain('<p>');
  }
  expect(lines).toHaveLength(3);
});

async function* stream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function writeWarc(): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (const url of ['http://www.example.com/b?z=1&a=2', 'http://a.example/', 'https://example.com:8443/Ü']) {
    const record = WARCRecord.create(
      {
        url: new URL(url).href,
        date: '2009-04-01T12:00:00Z',
        type: 'response',
        warcVersion: 'WARC/1.0',
        httpHeaders: { 'Content-Type': 'text/html' },
      },
      stream(Buffer.from(`<p>${url}`)),
    );
    parts.push(
      await WARCSerializer.serialize(record, {
        gzip: true,
        digest: { algo: 'sha-1', base32: true, prefix: 'sha1:' },
      }),
    );
  }
  return Buffer.concat(parts);
}

const samples = join(
  process.env.CHAFF_DATA ?? '',
  'fixtures/warc-edge-cases/webrecorder+pywb/sample_archive',
);
const missing = !process.env.CHAFF_DATA || !existsSync(samples);

test.skipIf(missing).each(['iana', 'dupes', 'example2'])(
  'the index of %s is the one pywb made (skipped unless CHAFF_DATA names the folder of real data)',
  async (name) => {
    const path = join(samples, 'warcs', `${name}.warc.gz`);
    const input: Input = { name: path, path, format: 'warc', sizeBytes: statSync(path).size, spooled: false };
    const lines: string[] = [];
    for (const event of surveyInput(input)) {
      if (event.kind !== 'problem') lines.push(cdxjLine(event.capture, { keys: 'pywb' }));
    }
    closeInput(input);
    const theirs = readFileSync(join(samples, 'cdxj', `${name}.cdxj`), 'utf8')
      .trim()
      .split('\n');
    const plain = theirs.map((line) => {
      const { mime, ...fields } = JSON.parse(line.slice(line.indexOf('{')));
      const { url, ...rest } = fields;
      // where there is no media type we say nothing, pywb says "unk"
      const kept = mime === undefined || mime === 'unk' ? fields : { url, mime, ...rest };
      return line.slice(0, line.indexOf('{')) + JSON.stringify(kept);
    });
    const sorted: string[] = [];
    for await (const line of sortLines(lines)) sorted.push(line);
    expect(sorted).toEqual(plain.sort());
  },
);
