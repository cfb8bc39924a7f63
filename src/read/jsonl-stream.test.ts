import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readJsonlStream, startsWithJson } from './jsonl.ts';
import type { ReadEvent } from './raw-record.ts';

const row = (number: number) =>
  JSON.stringify({ url: `http://a.example/${number}`, html: `<p>Ünïcode ${number}</p>` });

async function read(stream: Readable, pageBytes?: number): Promise<ReadEvent[]> {
  const events: ReadEvent[] = [];
  for await (const event of readJsonlStream(stream, { limits: { pageBytes } })) events.push(event);
  return events;
}

test('rows cut at any position give the same pages as whole ones', async () => {
  const bytes = Buffer.from(`${row(1)}\r\n\n${row(2)}\n${row(3)}`);
  const whole = await read(Readable.from([bytes]));
  const single = await read(Readable.from([...bytes].map((byte) => Buffer.from([byte]))));
  expect(whole.map((event) => event.kind)).toEqual(['page', 'page', 'page']);
  expect(single).toEqual(whole);
});

test('a row is answered before the next one comes', async () => {
  const pipe = new PassThrough();
  const events = readJsonlStream(pipe);
  pipe.write(`${row(1)}\n`);
  expect((await events.next()).value).toMatchObject({ kind: 'page', page: { url: 'http://a.example/1' } });
  pipe.end(`${row(2)}\n`);
  expect((await events.next()).value).toMatchObject({ kind: 'page', page: { url: 'http://a.example/2' } });
  expect((await events.next()).done).toBe(true);
});

test('a bad row is a problem with its offset, and reading continues with the next row', async () => {
  const events = await read(Readable.from([Buffer.from(`${row(1)}\nno json\n${row(2)}\n`)]));
  expect(events[1]).toMatchObject({
    kind: 'problem',
    problem: { code: 'bad-row', offset: Buffer.byteLength(row(1)) + 1 },
  });
  expect(events.map((event) => event.kind)).toEqual(['page', 'problem', 'page']);
});

test('a row longer than the limits is a problem and is not kept in memory', async () => {
  const huge = JSON.stringify({ url: 'http://a.example/', html: 'x'.repeat(4_000_000) });
  const events = await read(Readable.from([Buffer.from(`${huge}\n${row(2)}\n`)]), 1000);
  expect(events.map((event) => event.kind)).toEqual(['problem', 'page']);
});

test('peeking at a pipe removes no bytes from it', async () => {
  const json = Readable.from([Buffer.from(row(1))], { objectMode: false });
  expect(await startsWithJson(json)).toBe(true);
  expect(await read(json)).toHaveLength(1);
  expect(await startsWithJson(Readable.from([Buffer.from('WARC/1.0\r\n')], { objectMode: false }))).toBe(
    false,
  );
  expect(await startsWithJson(Readable.from([]))).toBe(false);
});
