import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { chaff } from '../../test/command-line.ts';
import { httpResponse, warcRecord } from '../../test/sample-archives.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-no-pages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function archiveOf(name: string, responses: string[]): string {
  const path = join(folder, name);
  const records = responses.map((block, k) => warcRecord({ url: `http://a.example/${k}`, block }));
  writeFileSync(path, Buffer.concat(records));
  return path;
}

const html = '<p>A page.</p>';
const missing = httpResponse(html, 'HTTP/1.1 404 Not Found\r\nContent-Type: text/html');
const picture = httpResponse('\x89PNG', 'HTTP/1.1 200 OK\r\nContent-Type: image/png');

test.each([
  [
    '404.warc',
    [missing, missing],
    [],
    'no pages: 2 of 2 captures are errors or redirects by their HTTP status; --statuses all',
  ],
  ['png.warc', [picture], [], 'no pages: 1 of 1 capture is not HTML'],
  [
    'page.warc',
    [httpResponse(html)],
    ['--include', 'nothing'],
    'no pages: 1 of 1 capture is left out by --include',
  ],
])('a run that finds no pages in %s says why', async (name, responses, options, reason) => {
  for (const command of ['strip', 'page']) {
    const { code, stderr } = await chaff([command, archiveOf(name, responses), ...options]);
    expect(code).toBe(0);
    expect(stderr).toContain(reason);
  }
});

test('an empty file is one line', async () => {
  const path = join(folder, 'empty.warc');
  writeFileSync(path, '');
  const { code, stderr } = await chaff(['strip', path]);
  expect([code, stderr]).toEqual([1, `chaff: ${path}: the file is empty\n`]);
});
