/** Every example of the help runs as it is pasted, on generated archives of the names that the examples use. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCommands } from '../../src/cli/commands.ts';
import { chaff } from '../command-line.ts';
import { type ExampleArchives, runLine, writeExampleArchives } from '../example-archives.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-examples-'));
const given = join(folder, 'given');
let archives: ExampleArchives;

beforeAll(async () => {
  mkdirSync(given);
  archives = await writeExampleArchives(given);
});

afterAll(async () => {
  await archives.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Lines at the indentation of commands; explanations are indented further. */
function examplesOf(help: string): string[] {
  const [, examples = ''] = help.split('Examples:\n');
  return examples.split('\n').flatMap((line) => /^ {2}(\S.*)$/.exec(line)?.slice(1) ?? []);
}

// explore serves until it is stopped, and has tests of its own
const names = (await readCommands()).map((command) => command.name()).filter((name) => name !== 'explore');

test.each([[''], ...names.map((name) => [name])])(
  'the examples of chaff %s run as pasted',
  { timeout: 300_000 },
  async (name) => {
    const { stdout } = await chaff(name === '' ? ['--help'] : [name, '--help']);
    const examples = examplesOf(stdout);
    expect(examples.length).toBeGreaterThan(1);
    const cwd = join(folder, `of-${name}`);
    cpSync(given, cwd, { recursive: true });
    for (const example of examples) {
      const done = await runLine(example.replace(/https:\/\/example\.org\/(?= )/, `${archives.url}/`), cwd);
      expect(done, example).toMatchObject({ code: 0 });
      const target = / (?:>|-o) (\S+)/.exec(example)?.[1];
      if (target === undefined) expect(done.stdout + done.stderr, example).not.toBe('');
      else expect(existsSync(join(cwd, target)), example).toBe(true);
    }
  },
);
