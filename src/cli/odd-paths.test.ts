/** Names that the database would take for patterns, or for the end of a text. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { chaff, rowsOf } from '../../test/command-line.ts';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';

const ODD = "x[1] it's a*b?";
const folder = mkdtempSync(join(tmpdir(), 'chaff-odd-'));
const at = (name: string) => join(folder, name);
let archive = '';

beforeAll(async () => {
  archive = (await writeSampleArchive(folder, { sites: 1, pagesPerSite: 12 })).warc;
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COUNTS = `SELECT (SELECT count(*) FROM pages) AS pages, (SELECT count(*) FROM ranges) AS ranges,
  (SELECT sum(length("text")) FROM "text") AS characters, (SELECT count(*) FROM problems) AS problems`;

test.each(['report', 'history'])('%s and sql take an output folder of any name', async (command) => {
  const counts = [];
  // a neighbour that a pattern would match, too
  for (const name of ["x1 it's a-b-", 'plain', ODD]) {
    const output = at(`${name}.${command}`);
    const { code, stderr } = await chaff([command, archive, '-o', output, '--workers', '0', '-q']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    counts.push(
      rowsOf(await chaff(['sql', output, command === 'report' ? COUNTS : 'FROM history_captures'])),
    );
    const outside = await chaff(['sql', output, `SELECT * FROM read_text('${archive}')`]);
    expect(outside.stderr).toContain('file system operations are disabled');
  }
  expect(counts[2]).toEqual(counts[1]);
  expect(counts[2]).not.toEqual([]);
});

test('fragments takes an output folder of any name', async () => {
  const write = (name: string) => chaff(['fragments', archive, '-o', at(name), '--workers', '0', '-q']);
  expect((await write('plain.fragments')).code).toBe(0);
  expect((await write(`${ODD}.fragments`)).code).toBe(0);
  for (const file of readdirSync(at('plain.fragments/fragments')))
    expect(
      readFileSync(at(`${ODD}.fragments/fragments/${file}`)).equals(
        readFileSync(at(`plain.fragments/fragments/${file}`)),
      ),
    ).toBe(true);
});

test.each(['changes', 'dedup'])('%s takes a temporary folder of any name', async (command) => {
  const run = () => chaff([command, archive, '--workers', '0', '-q']);
  const plain = await run();
  const odd = at(`${ODD}.tmp`);
  mkdirSync(odd, { recursive: true });
  vi.stubEnv('TMPDIR', odd);
  expect(await run()).toEqual(plain);
  expect(readdirSync(odd)).toEqual([]);
});
