/** Every command of the guides runs as it is pasted, in the order of its page, on generated archives of the names used. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExampleArchives, runLine, writeExampleArchives } from './example-archives.ts';

const guides = join(import.meta.dirname, '../docs/guides');
const folder = mkdtempSync(join(tmpdir(), 'chaff-guides-'));
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

/**
 * Lines that begin with `chaff` in the code blocks of a page that are shell or have no language. Those on the shared folder
 * of a cluster are left out: test/job-contract.test.ts carries out such jobs.
 */
function commandsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^```(?:sh)?\n(.*?)^```$/gms)].flatMap(([, block]) =>
    block.split('\n').filter((line) => line.startsWith('chaff ') && !line.includes(' /shared/')),
  );
}

/** Names that a command writes. Those of dictionaries are not among them: a dictionary is named after its site. */
function targetsOf(command: string): string[] {
  const named = command.matchAll(/ (?:>|-o|--keep|--includes|--selectors) ([^\s-]\S*)/g);
  return [...named].map(([, name]) => name);
}

const pages = readdirSync(guides)
  .map((guide): [string, string[]] => [guide, commandsOf(readFileSync(join(guides, guide), 'utf8'))])
  .filter(([, commands]) => commands.length > 0);

test('the guides have commands, or the test below would run nothing', () => {
  expect(pages.length).toBeGreaterThan(4);
  expect(pages.flatMap(([, commands]) => commands).length).toBeGreaterThan(30);
});

test.each(pages)('the commands of %s run as pasted', { timeout: 300_000 }, async (guide, commands) => {
  const cwd = join(folder, `of-${guide}`);
  cpSync(given, cwd, { recursive: true });
  for (const command of commands) {
    const done = await runLine(command, cwd);
    expect(done, command).toMatchObject({ code: 0 });
    const missing = targetsOf(command).filter((name) => !existsSync(join(cwd, name)));
    expect(missing, command).toEqual([]);
    if (targetsOf(command).length === 0) expect(done.stdout + done.stderr, command).not.toBe('');
  }
});
