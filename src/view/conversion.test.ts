import { expect, test } from 'vitest';
import { WARCParser } from 'warcio';
import { conversionInfo, conversionRecord } from './conversion.ts';

const PAGE = {
  url: 'https://example.org/ü?a=1',
  time: '2009-04-01T12:00:00Z',
  recordId: 'urn:uuid:00000000-0000-4000-8000-000000000001',
};

async function readBack(...records: Uint8Array[]) {
  const found = [];
  const bytes = Buffer.concat(records);
  for await (const record of new WARCParser([new Uint8Array(bytes)])) {
    found.push({
      type: record.warcType,
      url: record.warcTargetURI,
      date: record.warcDate,
      id: record.warcHeader('WARC-Record-ID'),
      refersTo: record.warcHeader('WARC-Refers-To'),
      digest: record.warcHeader('WARC-Block-Digest'),
      text: await record.contentText(),
    });
  }
  return found;
}

test('warcio reads the records back', async () => {
  const text = 'Grüße\nline two';
  const [info, first, second] = await readBack(
    conversionInfo({ software: 'chaff', isPartOf: 'a.warc.gz' }, 'a.wet'),
    conversionRecord(PAGE, text),
    conversionRecord({ ...PAGE, recordId: '', time: '' }, ''),
  );
  expect(info.type).toBe('warcinfo');
  expect(info.text).toBe('software: chaff\r\nisPartOf: a.warc.gz\r\n');
  expect(first).toMatchObject({
    type: 'conversion',
    url: PAGE.url,
    date: PAGE.time,
    refersTo: `<${PAGE.recordId}>`,
    text,
  });
  expect(second).toMatchObject({ refersTo: null, date: '1970-01-01T00:00:00Z', text: '' });
});

test('the digest is the one archives write', () => {
  // sha1 of nothing
  expect(Buffer.from(conversionRecord(PAGE, '')).toString()).toContain(
    'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ',
  );
});

test('the same page gives the same record, another text another id', () => {
  expect(conversionRecord(PAGE, 'a')).toEqual(conversionRecord(PAGE, 'a'));
  const id = (record: Uint8Array) => /WARC-Record-ID: (.*)\r/.exec(Buffer.from(record).toString())?.[1];
  expect(id(conversionRecord(PAGE, 'a'))).not.toBe(id(conversionRecord(PAGE, 'b')));
  expect(id(conversionRecord(PAGE, 'a'))).toMatch(
    /^<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}>$/,
  );
});

test('a URL with line ends cannot add headers', () => {
  const record = Buffer.from(
    conversionRecord({ ...PAGE, url: 'http://a/\r\nWARC-Type: response' }, ''),
  ).toString();
  expect(record.match(/^WARC-Type:/gm)).toHaveLength(1);
});
