/**
 * docs/reference/commands.md against the declarations of the commands, every option with its default and no other;
 * docs/reference/exit-codes.md against the exit codes of the code.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandsPage } from '../scripts/commands-page.ts';
import { readCommands } from '../src/cli/commands.ts';
import * as context from '../src/cli/context.ts';

const file = new URL('../docs/reference/commands.md', import.meta.url);

test('the reference of commands is that of the code; UPDATE=1 writes it', async () => {
  const text = await commandsPage();
  if (process.env.UPDATE === '1') writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('every option of every command is in the reference', async () => {
  const text = readFileSync(file, 'utf8');
  const options = (await readCommands()).flatMap((command) => command.options.map(({ flags }) => flags));
  expect(options.length).toBeGreaterThan(500);
  expect(options.filter((flags) => !text.includes(`\`${flags.replaceAll('|', '\\|')}\``))).toEqual([]);
});

test('the page of exit codes has every exit code, and no other', () => {
  const page = readFileSync(new URL('../docs/reference/exit-codes.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, cell]) => cell.split(', ').map(Number));
  const constants = Object.values({ ...context, ...context.STOPPED }).filter(
    (value) => typeof value === 'number',
  );
  expect(listed.sort((a, b) => a - b)).toEqual(constants.sort((a, b) => a - b));
});
