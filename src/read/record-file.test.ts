import { gzipSync } from 'node:zlib';
import { compress, compressUsingDict, createCCtx } from '@bokuweb/zstd-wasm';
import { expect, test } from 'vitest';
import {
  arcHeader,
  arcRecord,
  gzipEach,
  httpResponse,
  samplePages,
  sampleRecords,
  warcRecord,
} from '../../test/sample-archives.ts';
import { seededRandom } from '../../test/seeded-random.ts';
import { DEFAULT_LIMITS } from '../model/limits.ts';
import { memorySource } from './byte-source.ts';
import type { RawEvent, RawRecord } from './raw-record.ts';
import type { RecordContext } from './record-context.ts';
import { openRecordFile, type RecordFile, readRecordAt, readRecords, splitEntry } from './record-file.ts';
import { loadZstd } from './zstd.ts';

loadZstd();

const context: RecordContext = { file: 'sample', limits: DEFAULT_LIMITS, survey: false };

interface OpenOptions {
  name?: string;
  windowBytes?: number;
}

function open(bytes: Uint8Array, { name = 'warc', windowBytes }: OpenOptions = {}): RecordFile {
  return openRecordFile(
    memorySource(bytes, { windowBytes }),
    name.startsWith('arc') ? 'arc' : 'warc',
    name.endsWith('gz'),
  );
}

function eventsOf(bytes: Uint8Array, options?: OpenOptions): RawEvent[] {
  return [...readRecords(open(bytes, options), context)];
}

function recordsOf(events: RawEvent[]): RawRecord[] {
  return events.filter((event) => event.kind !== 'problem');
}

function codesOf(events: RawEvent[]): string[] {
  return events
    .flatMap((event) => (event.kind === 'problem' ? [event.problem] : event.problems))
    .map(({ code }) => code);
}

function zstdEach(records: Buffer[], dictionary?: Buffer): Buffer {
  const context = createCCtx();
  return Buffer.concat(
    records.map((record) =>
      Buffer.from(dictionary ? compressUsingDict(context, record, dictionary, 3) : compress(record, 3)),
    ),
  );
}

function skippable(magic: number, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(magic, 0);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

const records = sampleRecords(12);
const dictionary = Buffer.concat(records.slice(0, 6));
const pages = samplePages(12);
const arc = [arcHeader(), ...pages.map(({ url, html }) => arcRecord(url, httpResponse(html)))];
const archives: Record<string, Buffer> = {
  warc: Buffer.concat(records),
  'warc.gz': gzipEach(records),
  'warc.zst': zstdEach(records),
  'warc.zst with dictionary': Buffer.concat([
    skippable(0x184d2a5d, dictionary),
    zstdEach(records, dictionary),
  ]),
  'warc.zst with compressed dictionary': Buffer.concat([
    skippable(0x184d2a5d, compress(dictionary, 3)),
    zstdEach(records, dictionary),
  ]),
  arc: Buffer.concat(arc),
  'arc.gz': gzipEach(arc),
  'several records per member': Buffer.concat([
    gzipSync(records[0]),
    gzipEach([Buffer.concat(records.slice(1, 9)), Buffer.concat(records.slice(9))]),
  ]),
};

test.each(Object.entries(archives))(
  '%s: all captures are read in order, with their blocks',
  (name, bytes) => {
    const events = eventsOf(bytes, { name });
    expect(codesOf(events)).toEqual([]);
    const found = recordsOf(events);
    expect(found.map(({ url }) => url)).toEqual(pages.map(({ url }) => url));
    expect(found.map(({ block }) => Buffer.from(block).toString())).toEqual(
      pages.map(({ html }) => httpResponse(html)),
    );
  },
);

test.each(Object.entries(archives))('%s: windows of any size give the same events', (name, bytes) => {
  const whole = eventsOf(bytes, { name });
  for (const windowBytes of [1, 7, 100, 4099]) expect(eventsOf(bytes, { name, windowBytes })).toEqual(whole);
});

test.each(Object.entries(archives))('%s: each capture can be read again at its location', (name, bytes) => {
  const file = open(bytes, { name });
  for (const record of recordsOf(eventsOf(bytes, { name }))) {
    const { number } = splitEntry(record.entry);
    expect(readRecordAt(file, { ...record, number }, context)).toEqual(record);
    // an index may not know the length
    if (number === 1)
      expect(readRecordAt(file, { ...record, length: 0, number }, context)?.block).toEqual(record.block);
  }
  expect(readRecordAt(file, { offset: 40, length: 100 }, context)).toBeNull();
});

test.each(Object.entries(archives))('%s: a survey keeps the start of each block', (name, bytes) => {
  const surveyed = [...readRecords(open(bytes, { name }), { ...context, survey: true })];
  expect(recordsOf(surveyed).map(({ url, offset, length }) => [url, offset, length])).toEqual(
    recordsOf(eventsOf(bytes, { name })).map(({ url, offset, length }) => [url, offset, length]),
  );
});

test.each(Object.entries(archives).filter(([name]) => !name.includes('several')))(
  '%s: with any damage, reading ends, reports it, and finds the pages away from it',
  (name, bytes) => {
    const places = recordsOf(eventsOf(bytes, { name }));
    const random = seededRandom(bytes.length);
    for (let round = 0; round < 300; round++) {
      const damaged = Buffer.from(bytes);
      const at = Math.floor(random() * bytes.length);
      const sizeBytes = 1 + Math.floor(random() ** 4 * 300);
      const kind = random();
      let result = damaged;
      if (kind < 0.5)
        for (let i = at; i < Math.min(at + sizeBytes, bytes.length); i++)
          damaged[i] = Math.floor(random() * 256);
      else if (kind < 0.6) damaged.fill(0, at, Math.min(at + sizeBytes, bytes.length));
      else if (kind < 0.8)
        result = Buffer.concat([damaged.subarray(0, at), damaged.subarray(at + sizeBytes)]);
      else if (kind < 0.9)
        result = Buffer.concat([damaged.subarray(0, at), Buffer.alloc(sizeBytes, 'x'), damaged.subarray(at)]);
      else result = damaged.subarray(0, at);
      const found = new Set<string>();
      for (const event of readRecords(open(result, { name }), context)) {
        if (event.kind !== 'problem')
          found.add(`${event.url} ${Buffer.from(event.block).toString('latin1')}`);
      }
      const cutAt = kind < 0.9 ? bytes.length : at;
      // all captures need the dictionary or the first bytes; neighbours share a separator
      const reach = name.includes('dictionary') && at < dictionary.length + 8 ? bytes.length : 0;
      for (const { url, offset, length, block } of places) {
        const away = offset > at + sizeBytes + 600 + reach || offset + length + 600 < at;
        if (away && offset + length <= cutAt && !(at < 12)) {
          const kept = found.has(`${url} ${Buffer.from(block).toString('latin1')}`);
          expect(kept, `${url}, damage at ${at}, round ${round}`).toBe(true);
        }
      }
    }
  },
);

test('a member larger than the window, and than the bytes kept, is followed to its end', () => {
  const limits = { ...DEFAULT_LIMITS, recordBytes: 300_000, pageBytes: 100_000 };
  const random = seededRandom(5);
  const noise = Buffer.from(Array.from({ length: 3_000_000 }, () => Math.floor(random() * 256)));
  const bytes = gzipEach([
    warcRecord({ url: 'http://a/film', block: noise }),
    warcRecord({ url: 'http://a/after' }),
  ]);
  for (const windowBytes of [5000, bytes.length]) {
    const found = recordsOf([...readRecords(open(bytes, { windowBytes }), { ...context, limits })]);
    expect(found.map(({ url, exceeded }) => [url, exceeded])).toEqual([
      ['http://a/film', 'too-large'],
      ['http://a/after', undefined],
    ]);
    expect(found[0].block.length).toBeLessThan(20_000);
    expect(found[1].offset).toBe(found[0].length);
  }
});

test('100 MB of zeros in a member cost little and hide no other member', () => {
  const bomb = warcRecord({ url: 'http://a/bomb', block: Buffer.alloc(100_000_000) });
  const bytes = gzipEach([
    warcRecord({ url: 'http://a/before' }),
    bomb,
    warcRecord({ url: 'http://a/after' }),
  ]);
  const before = process.memoryUsage().arrayBuffers;
  const found = recordsOf(eventsOf(bytes));
  expect(found.map(({ url, exceeded }) => [url, exceeded])).toEqual([
    ['http://a/before', undefined],
    ['http://a/bomb', 'ratio-exceeded'],
    ['http://a/after', undefined],
  ]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(80_000_000);
});

test('a wrong checksum is noted and the text is used', () => {
  const bytes = gzipEach([warcRecord({ url: 'http://a/1' }), warcRecord({ url: 'http://a/2' })]);
  bytes[bytes.length - 6] ^= 1;
  const events = eventsOf(bytes);
  expect(recordsOf(events).length).toBe(2);
  expect(recordsOf(events)[1].problems[0]).toMatchObject({
    code: 'bad-gzip',
    file: 'sample',
    offset: recordsOf(events)[1].offset,
  });
});

test('a cut-off last member gives its bytes, marked as truncated', () => {
  const pages = samplePages(2);
  const bytes = gzipEach(pages.map((page) => warcRecord(page)));
  const events = eventsOf(bytes.subarray(0, bytes.length - 200));
  const found = recordsOf(events);
  expect(found.map(({ truncated }) => truncated)).toEqual([false, true]);
  expect(found[1].url).toBe(pages[1].url);
  expect(httpResponse(pages[1].html).startsWith(Buffer.from(found[1].block).toString())).toBe(true);
  expect(codesOf(events)).toEqual(['truncated-file']);
});

test('zeros after the last member are padding', () => {
  const events = eventsOf(Buffer.concat([gzipEach([warcRecord()]), Buffer.alloc(1000)]));
  expect(codesOf(events)).toEqual([]);
  expect(recordsOf(events).length).toBe(1);
});

test('a zstd frame whose dictionary is not in the file is reported', () => {
  const numbered = Buffer.concat([records[0]]);
  const bytes = Buffer.from(compress(numbered, 3));
  // a dictionary number of one byte, after the frame's descriptor and window
  const window = (bytes[4] & 0x20) === 0 ? 1 : 0;
  const withId = Buffer.concat([bytes.subarray(0, 5 + window), Buffer.of(7), bytes.subarray(5 + window)]);
  withId[4] |= 1;
  const problems = eventsOf(withId).flatMap((event) => (event.kind === 'problem' ? [event.problem] : []));
  expect(problems).toMatchObject([
    { code: 'bad-zstd', message: expect.stringContaining('needs the dictionary 7'), offset: 0 },
  ]);
});

test('an archive of text or metadata without captures is reported', () => {
  for (const [kind, said] of [
    ['conversion', 'WET'],
    ['metadata', 'WAT'],
  ]) {
    const bytes = gzipEach([
      warcRecord({ type: 'warcinfo' }),
      warcRecord({ type: kind }),
      warcRecord({ type: kind }),
    ]);
    expect(eventsOf(bytes, { name: 'warc.gz' })).toMatchObject([
      { problem: { code: 'not-an-archive', message: expect.stringContaining(said), offset: 0 } },
    ]);
  }
  expect(eventsOf(gzipEach([warcRecord({ type: 'warcinfo' }), warcRecord({ type: 'request' })]))).toEqual([]);
  const mixed = [warcRecord({ type: 'metadata' }), warcRecord({ url: 'http://a.example/' })];
  expect(codesOf(eventsOf(gzipEach(mixed)))).toEqual([]);
});

test('a damaged zstd frame is reported with its offset', () => {
  const frames = records.slice(0, 5).map((record) => zstdEach([record]));
  frames[2].fill(0xff, 40, 90);
  const events = eventsOf(Buffer.concat(frames));
  expect(events.filter((event) => event.kind === 'problem')).toMatchObject([
    { problem: { code: 'bad-zstd', offset: frames[0].length + frames[1].length } },
  ]);
  expect(recordsOf(events).map(({ url }) => url)).toEqual([pages[1].url]);
});

test('a damaged capture that is read again has the same problems at the same offsets', () => {
  const sound = gzipEach(records);
  const fifth = recordsOf(eventsOf(sound, { name: 'warc.gz' }))[5];
  const files = { cut: sound.subarray(0, sound.length - 100) } as Record<string, Buffer>;
  for (const back of [3, 6, 20]) {
    const flipped = Buffer.from(sound);
    flipped[fifth.offset + fifth.length - back] ^= 0xff;
    files[`flipped ${back}`] = flipped;
  }
  for (const [name, bytes] of Object.entries(files)) {
    const damaged = recordsOf(eventsOf(bytes, { name: 'warc.gz' })).filter(
      ({ problems }) => problems.length > 0,
    );
    expect(damaged, name).not.toEqual([]);
    for (const { offset, length, problems } of damaged) {
      const again = readRecordAt(open(bytes, { name: 'warc.gz' }), { offset, length }, context);
      expect(again?.problems, name).toEqual(problems);
      expect(new Set(problems.map((problem) => problem.offset)), name).toEqual(new Set([offset]));
    }
  }
});

test('an ARC record with too small a length is the same read in order and read again', () => {
  const short = arcRecord('http://a.example/short', httpResponse('<p>Beginning, middle and end</p>'), {
    length: '50',
  });
  const bytes = Buffer.concat([arcHeader(), short, arc[1]]);
  const [record] = recordsOf(eventsOf(bytes, { name: 'arc' }));
  expect(Buffer.from(record.block).toString()).toContain('and end</p>');
  expect(record.problems).toMatchObject([{ code: 'bad-length' }]);
  expect(readRecordAt(open(bytes, { name: 'arc' }), record, context)).toEqual(record);
});

test.each(['warc', 'warc.gz', 'arc'])(
  '%s: a record that cannot be read costs only itself, and those after it are found',
  (name) => {
    const bytes = archives[name];
    const whole = recordsOf(eventsOf(bytes, { name }));
    const file = open(bytes, { name });
    const bad = whole[5];
    // a bad sector in the middle of the record
    const sector = bad.offset + (bad.length >> 1);
    const view: RecordFile['source']['view'] = (offset, wantBytes) => {
      const seen = memorySource(bytes).view(offset, wantBytes).subarray(0, Math.max(1, wantBytes));
      if (offset <= sector && sector < offset + seen.length && isBroken)
        throw new Error('EIO: i/o error, read');
      return seen;
    };
    let isBroken = true;
    const source = { sizeBytes: bytes.length, stable: true, view };
    const found: RawEvent[] = [];
    for (const event of readRecords({ ...file, source }, context)) {
      found.push(event);
      if (event.kind === 'problem') isBroken = false; // the disk succeeds at the second attempt
    }
    expect(codesOf(found)).toEqual(['unreadable']);
    expect(recordsOf(found).length).toBeGreaterThanOrEqual(whole.length - 2);
    expect(recordsOf(found).at(-1)?.url).toBe(whole.at(-1)?.url);
  },
);

test('the number of carriage returns after a record does not change its location', () => {
  const odd = Buffer.concat([records[2], Buffer.from('\r'.repeat(3000)), Buffer.from('x'), records[4]]);
  const bytes = Buffer.concat([odd.subarray(0, records[2].length - 4), odd.subarray(records[2].length)]);
  const whole = eventsOf(bytes, { name: 'warc' });
  for (const windowBytes of [1, 64, 100, 4096]) {
    expect(eventsOf(bytes, { name: 'warc', windowBytes })).toEqual(whole);
  }
});
