import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff, rowsOf } from '../../test/command-line.ts';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-models-'));
const at = (name: string) => join(folder, name);
const inline = ['--workers', '0'];
let archive = '';

beforeAll(async () => {
  archive = (await writeSampleArchive(folder, { sites: 1, pagesPerSite: 20 })).warc;
  for (const detector of ['dom', 'cross'])
    await chaff(['learn', archive, '--detector', detector, '-o', at(`${detector}.model`), ...inline]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const byModel = (command: string, model: string, ...flags: string[]) =>
  chaff([command, '--model', at(model), archive, ...inline, ...flags]);

test.each([
  ['--sample', '50'],
  ['--seed', '0'],
  ['--snapshot', 'year'],
  ['--text-settings', '32.10.0.200'],
  ['--text-split-words'],
  ['--dom-lower', '0.2'],
  ['--cross-pages', '10'],
])('%s cannot be asked of a model that is learnt already', async (...flags) => {
  const { code, stderr, stdout } = await byModel('label', 'dom.model', ...flags);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toBe(`chaff: --model was learnt with its own settings: give ${flags[0]} to chaff learn\n`);
});

test('options that labelling looks at are taken beside a model', async () => {
  for (const flags of [
    ['--min-left', '1'],
    ['--page-threshold', '0.5'],
    ['--fallback', 'unsure'],
  ])
    expect(rowsOf(await byModel('strip', 'dom.model', '--limit', '2', ...flags))).toHaveLength(2);
  const seeded = await byModel('label', 'cross.model', '--limit', '2', '--seed', '1');
  expect(rowsOf(seeded)).toHaveLength(2);
});

test('a mistake about the model leaves the output of an earlier run alone', async () => {
  const out = at('annotated');
  expect((await byModel('annotate', 'dom.model', '-o', out, '--limit', '2')).code).toBe(0);
  const before = readdirSync(out);
  expect((await byModel('annotate', 'dom.model', '-o', out, '--overwrite', '--sample', '9')).code).toBe(2);
  expect(readdirSync(out)).toEqual(before);
});

test('a model file that cannot be used is named, with what to do', async () => {
  const sound = readFileSync(at('dom.model'));
  const newer = Buffer.from(sound);
  newer[8] = 99;
  writeFileSync(at('none.model'), 'not a model');
  writeFileSync(at('cut.model'), sound.subarray(0, sound.length >> 1));
  writeFileSync(at('newer.model'), newer);
  writeFileSync(at('empty.model'), '');
  const messageFor = async (name: string) => {
    const { code, stderr } = await byModel('label', name);
    expect(code).toBe(2);
    return stderr.replace(at(name), name);
  };
  const advice = '; make a new one with chaff learn\n';
  expect(await messageFor('gone.model')).toBe(
    'chaff: --model gone.model: no such file; chaff learn makes one\n',
  );
  expect(await messageFor('none.model')).toBe(`chaff: --model none.model: this is not a model file${advice}`);
  expect(await messageFor('empty.model')).toBe(
    `chaff: --model empty.model: this is not a model file${advice}`,
  );
  expect(await messageFor('cut.model')).toMatch(
    /^chaff: --model cut.model: the model file is damaged: .*chaff learn\n$/,
  );
  expect(await messageFor('newer.model')).toMatch(/has version 99; this program reads .*chaff learn\n$/);
  expect(await messageFor('.')).toMatch(/^chaff: --model .* cannot be read: EISDIR/);
});

test('inputs that are missing are named at the end, also beside a model', async () => {
  const { code, stderr } = await byModel('strip', 'dom.model', at('gone.warc.gz'));
  expect(code).toBe(3);
  expect(stderr).toContain(`missing-file no such file or folder (${at('gone.warc.gz')})`);
});

test('--model none judges each page by itself, so that one page more changes no other', async () => {
  const alone = ['strip', '--model', 'none', archive, ...inline];
  const all = rowsOf(await chaff(alone));
  expect(all).toHaveLength(20);
  const byUrl = new Map(all.map((row) => [row.url, row.text]));
  for (const row of rowsOf(await chaff([...alone, '--limit', '3']))) {
    expect(row.text).not.toBe('');
    expect(row.text).toBe(byUrl.get(row.url));
  }
  const learnt = rowsOf(await chaff(['strip', archive, ...inline]));
  expect(learnt.some((row) => row.text !== byUrl.get(row.url))).toBe(true);
});
