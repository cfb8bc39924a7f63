import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { gzipEach, warcRecord } from '../../test/sample-archives.ts';
import { closeInputs, openInputs } from './open-inputs.ts';
import { readInputs } from './read-captures.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const digest = (name: string) => ({ 'WARC-Payload-Digest': `sha1:${name}` });

function original(name: string, block?: string): Buffer {
  const url = `http://a.example/${name}`;
  return warcRecord({ url, html: `<p>${name}</p>`, block, fields: digest(name.toUpperCase()) });
}

function revisit(name: string): Buffer {
  return warcRecord({
    type: 'revisit',
    url: `http://a.example/${name}`,
    time: '2021-01-01T00:00:00Z',
    block: 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n',
    fields: digest(name.toUpperCase()),
  });
}

/** Pages as year and text, skips as codes, in order. */
async function read(files: Record<string, Buffer[]>): Promise<string[]> {
  const names = Object.entries(files).map(([name, records]) => {
    const path = join(folder, name);
    writeFileSync(path, gzipEach(records));
    return path;
  });
  const { inputs } = await openInputs(names);
  const events = [...readInputs(inputs)].map((event) => {
    if (event.kind === 'page') return `${event.page.time.slice(0, 4)} ${Buffer.from(event.page.source)}`;
    return event.kind === 'skip' ? event.code : event.problem.code;
  });
  closeInputs(inputs);
  return events;
}

test('a revisit has the body of an original in an earlier input', async () => {
  const events = await read({ 'a.warc.gz': [original('x')], 'b.warc.gz': [revisit('x')] });
  expect(events).toEqual(['2020 <p>x</p>', '2021 <p>x</p>']);
});

test('a revisit has the body of an original that comes later, in its input or another', async () => {
  const events = await read({
    'a.warc.gz': [revisit('x'), revisit('y'), original('x')],
    'b.warc.gz': [original('y')],
  });
  expect(events).toEqual(['2020 <p>x</p>', '2020 <p>y</p>', '2021 <p>x</p>', '2021 <p>y</p>']);
});

test('a revisit without an original, or whose original is not a page, is reported once', async () => {
  const image = 'HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nPNG';
  const events = await read({
    'a.warc.gz': [revisit('lost'), revisit('i')],
    'b.warc.gz': [original('i', image)],
  });
  expect(events).toEqual(['not-html', 'revisit-unresolved', 'not-html']);
});
