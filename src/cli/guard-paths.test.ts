/** No command destroys what it reads: each output option of each command, as the commands declare them. */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Command, Option } from 'commander';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chaff } from '../../test/command-line.ts';
import { loadZstd } from '../read/zstd.ts';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';
import { readCommands } from './commands.ts';
import { InputArgument, InputOption, OutputOption } from './path-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-guard-'));
const sample = (await writeSampleArchive(join(folder, 'sample'), { sites: 1, pagesPerSite: 12 })).warc;
const archiveBytes = readFileSync(sample);
const work = join(folder, 'work');
const before = process.cwd();

beforeEach(() => {
  mkdirSync(join(work, 'site/deep'), { recursive: true });
  mkdirSync(join(work, 'other'));
  process.chdir(work);
  for (const name of ['a.warc.gz', 'other/b.warc.gz', 'x.part']) writeFileSync(name, archiveBytes);
  for (const name of ['site/t.html', 'site/deep/u.html']) writeFileSync(name, '<p>some text</p>');
  symlinkSync('a.warc.gz', 'link.warc.gz');
  linkSync('a.warc.gz', 'hard.warc.gz');
  linkSync('site/t.html', 'hard.html');
  symlinkSync('site', 'to-site');
  symlinkSync('site/new', 'dangling');
});
afterEach(() => {
  process.chdir(before);
  rmSync(work, { recursive: true, force: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a folder holds: a line for each file and link. */
function contentsOf(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const file = join(path, name);
      const stats = lstatSync(file);
      if (stats.isSymbolicLink()) return `${name} -> ${readlinkSync(file)}`;
      if (stats.isDirectory()) return `${name}/`;
      return `${name} ${stats.ino} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`;
    });
}

async function expectRefused(args: string[], reason: RegExp): Promise<void> {
  const held = contentsOf(work);
  const { code, stdout, stderr } = await chaff(args);
  expect({ args, code, stdout, stderr }).toMatchObject({ code: 2, stdout: '', stderr: reason });
  expect(stderr).toMatch(reason);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(contentsOf(work)).toEqual(held);
}

const commands = await readCommands();
const inputsOf = (command: Command) =>
  command.registeredArguments.filter((argument) => argument instanceof InputArgument);
const outputsOf = (command: Command) => command.options.filter((option) => option instanceof OutputOption);
const outputs = commands.flatMap((command) =>
  outputsOf(command).map((option): [string, string, Command, Option] => [
    command.name(),
    option.long!,
    command,
    option,
  ]),
);
const ofReaders = outputs.filter(([, , command]) => inputsOf(command).length > 0);

/** Placeholders of values that are no paths. */
const NO_PATHS = new Set(
  'n k c t ms size regexp rule rule:N which url name name... text day pages share times bytes set kind kind... of where what how difference factor score width s words year years,… classes W.F.D.P W.F.D.P,… n,… paper command half unit smoothing with share,… difference level date stage set list role... roles roles,… role,…'.split(
    ' ',
  ),
);

test('every option with a path says whether the command reads or writes it', () => {
  const unknown = commands.flatMap((command) =>
    command.options
      .filter((option) => !(option instanceof InputOption) && !(option instanceof OutputOption))
      .filter(({ flags }) => {
        const [, placeholder] = /[<[](.+)[>\]]/.exec(flags) ?? [];
        return placeholder !== undefined && !NO_PATHS.has(placeholder);
      })
      .map(({ flags }) => `${command.name()} ${flags}`),
  );
  expect(unknown).toEqual([]);
});

test('every argument is an input, unless the command has no output options', () => {
  const unknown = commands
    .filter((command) => outputsOf(command).length > 0)
    .flatMap((command) => command.registeredArguments.filter((one) => !(one instanceof InputArgument)));
  expect(unknown).toEqual([]);
});

test('only these files of the command line write files', () => {
  const cli = fileURLToPath(new URL('.', import.meta.url));
  const writers = readdirSync(cli, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.ts$/.test(name))
    .filter((name) => {
      const text = readFileSync(join(cli, name), 'utf8');
      const imports = [...text.matchAll(/import (?:type )?\{([^}]*)\} from '(?:node:)?fs(?:\/promises)?'/g)];
      return imports.some(([, names]) =>
        /\b(write\w*|append\w*|createWriteStream|rename\w*|copyFile\w*|cp\w*|truncate\w*|link\w*)\b/i.test(
          names,
        ),
      );
    });
  expect(writers.sort()).toEqual(['eval.ts', 'output.ts', 'page-folder.ts']);
});

describe.each(ofReaders)('%s %s', (name, flag, command, option) => {
  const run = (input: string, path: string, ...more: string[]) => [name, input, flag, path, ...more];

  test.each([
    ['the input', 'a.warc.gz'],
    ['the input by another way', './other/../a.warc.gz'],
    ['the input by a way through a link', 'to-site/../a.warc.gz'],
    ['the input by its whole path', join(work, 'a.warc.gz')],
    ['a link to the input', 'link.warc.gz'],
    ['another name of the input', 'hard.warc.gz'],
  ])('is not %s', async (_, path) => {
    await expectRefused(run('a.warc.gz', path), /is (one of the inputs|the input a\.warc\.gz)/);
    await expectRefused(run('a.warc.gz', path, '--overwrite').filter(known(command)), /is (one|the input)/);
  });

  test('is not a file that an input is a link to, nor one that a glob matches', async () => {
    await expectRefused(run('link.warc.gz', 'a.warc.gz'), /is the input link\.warc\.gz/);
    await expectRefused(run('other/*.warc.gz', 'other/b.warc.gz'), /is one of the inputs/);
  });

  test.each([
    ['site/new', 'site'],
    ['site/t.html', 'to-site/'],
    ['./to-site/deep/new', join(work, 'site')],
    ['dangling', 'site'],
    ['to-site', 'site'],
  ])('is not inside an input folder: %s', (path, input) =>
    expectRefused(run(input, path), /(lies inside|is) the input( folder)? .*site/),
  );

  test('is not another name of a file in an input folder', () =>
    expectRefused(run('site', 'hard.html'), /hard\.html is site\/t\.html in an input folder/));

  test.each(['.', 'other', 'to-site/../other', '..'])('is not a folder that holds an input: %s', (path) =>
    expectRefused(run('other/b.warc.gz', path), /is a folder that holds the input other\/b\.warc\.gz/),
  );

  test('is not a file that another option reads', async () => {
    for (const read of command.options.filter((one) => one instanceof InputOption)) {
      const path = `read${read.long!}`;
      const detector = makeInput(read, path, command);
      const args = [name, 'a.warc.gz', flag, path, ...detector.filter(known(command)), read.long!, path];
      await expectRefused(args, /is one of the inputs/);
      rmSync(path, { recursive: true });
    }
  });

  test.skipIf(option.flags.includes('<folder>'))('replaces no archive without --overwrite', async () => {
    for (const [path, bytes] of Object.entries(archives())) {
      writeFileSync(path, bytes);
      await expectRefused(
        run('a.warc.gz', path),
        /is an archive: name another file, or replace it \(--overwrite\)/,
      );
    }
  });

  test.skipIf(option.flags.includes('<folder>'))('has no draft that is an input', () =>
    expectRefused(run('x.part', 'x'), /: the file x\.part is the input x\.part|x\.part is one of the inputs/),
  );
});

/** Leaves out options that a command does not have. */
function known(command: Command) {
  return (arg: string) =>
    !arg.startsWith('--') || command.options.some(({ long }) => long === arg.split('=')[0]);
}

/** Makes what an input option can read; returns the options that the option needs. */
function makeInput({ long }: Option, path: string, command: Command): string[] {
  const model = (name: string) =>
    copyFileSync(fileURLToPath(new URL(`../../models/${name}.json`, import.meta.url)), path);
  if (long === '--base' || long === '--archives') mkdirSync(path);
  else if (long === '--joint-model') model('joint');
  else if (long === '--page-model' || (long === '--model' && command.name() === 'page')) model('page');
  else writeFileSync(path, 'example.org,0.5\n');
  const owner = /^--(joint|cross)-/.exec(long!)?.[1];
  return owner === undefined ? [] : [`--detector=${owner}`];
}

function archives(): Record<string, Uint8Array> {
  const warc = Buffer.from('WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n');
  const arc = Buffer.from(
    'filedesc://x.arc 0.0.0.0 20200101000000 text/plain 20\n1 0 Example\nURL IP-address\n\n',
  );
  const zip = Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex');
  return {
    'old.gz': archiveBytes,
    'old.jsonl': warc,
    'old.jsonl.gz': gzipSync(warc),
    'old.txt': arc,
    'old.parquet': zip,
    'old.md': loadZstd().compress(warc, 3),
  };
}

test('files are not replaced either that are written besides the named one', async () => {
  writeFileSync('d.zdict', archiveBytes);
  writeFileSync('d2-example.org.bin', archiveBytes);
  await expectRefused(['fragments', 'site', '--dictionary', 'd'], /d: the file d\.zdict is an archive/);
  await expectRefused(
    ['fragments', 'a.warc.gz', '--dictionary', 'd2.bin'],
    /example\.org\.bin is an archive/,
  );
  await expectRefused(
    ['fragments', 'd.zdict', '--dictionary', 'd', '--overwrite'],
    /d\.zdict is one of the inputs/,
  );
  const rows = `${JSON.stringify({ url: 'https://a.example/', html: '<p>text</p>' })}\n`;
  writeFileSync('out-00000.jsonl', rows);
  await expectRefused(
    ['strip', 'out-00000.jsonl', '-o', 'out.jsonl', '--shard-size', '1MB', '--overwrite'],
    /out-00000\.jsonl is one of the inputs/,
  );
  mkdirSync('demo');
  copyFileSync('a.warc.gz', 'demo/sample.warc.gz');
  await expectRefused(['demo', '-o', 'demo'], /the file demo\/sample\.warc\.gz is an archive/);
  // the default folder is that of an earlier demo
  mkdirSync('chaff-demo');
  copyFileSync('a.warc.gz', 'chaff-demo/sample.warc.gz');
  expect((await chaff(['demo', '--pages', '10'])).code).toBe(0);
  mkdirSync('texts/set', { recursive: true });
  symlinkSync('../../a.warc.gz', 'texts/set/dom.jsonl');
  await expectRefused(['eval', 'a.warc.gz', '--save', 'texts'], /dom\.jsonl is the input a\.warc\.gz/);
});

test('the archives that an index names are inputs', async () => {
  await chaff(['index', 'other/b.warc.gz', '-o', 'other/i.cdxj']);
  const args = ['strip', 'other/i.cdxj', '--overwrite', '-o'];
  await expectRefused([...args, 'other/b.warc.gz'], /is one of the inputs|is the input/);
  await expectRefused([...args, 'other'], /holds the input/);
});

test('gold and the archive beside it are inputs', async () => {
  writeFileSync('other/b.jsonl', '{"url":"https://a.example/","text":"x"}\n');
  await expectRefused(
    ['eval', 'other/b.warc.gz', '--gate', 'other/b.jsonl', '--update'],
    /is one of the inputs/,
  );
  const gold = ['--detector', 'joint', '--gold', 'other/b.jsonl:0.5', '--overwrite', '-o'];
  await expectRefused(['train', ...gold, 'other/b.warc.gz'], /is one of the inputs/);
  await expectRefused(['train', ...gold, 'other/b.jsonl'], /is one of the inputs/);
});

test('two outputs are not one file', async () => {
  await expectRefused(
    ['dedup', 'a.warc.gz', '-o', 'x.txt', '--keep', './x.txt'],
    /--keep \.\/x\.txt is also -o/,
  );
});

test('the default folder of a report is checked too', () =>
  expectRefused(['report', '.'], /lies inside the input folder \./));

test('with --overwrite an archive is replaced; other files always', async () => {
  copyFileSync('a.warc.gz', 'old.jsonl');
  expect((await chaff(['label', 'a.warc.gz', '-q', '-o', 'old.jsonl', '--overwrite'])).code).toBe(0);
  expect(readFileSync('old.jsonl', 'utf8')).toMatch(/^\{"page"/);
  expect((await chaff(['label', 'a.warc.gz', '-q', '-o', 'old.jsonl'])).code).toBe(0);
});

test('a draft that is a link is removed, not written to', async () => {
  symlinkSync('site/t.html', 'clean.jsonl.part');
  expect((await chaff(['strip', 'a.warc.gz', '-q', '-o', 'clean.jsonl'])).code).toBe(0);
  expect(readFileSync('site/t.html', 'utf8')).toBe('<p>some text</p>');
});
