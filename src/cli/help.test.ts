import { expect, test } from 'vitest';
import { chaff } from '../../test/command-line.ts';
import { readCommands } from './commands.ts';
import { everydayOptions, themeOf } from './help.ts';

const commands = await readCommands();

test.each(commands.map((command) => [command.name(), command] as const))(
  '%s shows a dozen options at most, and all of them by theme',
  async (name, command) => {
    const options = command.createHelp().visibleOptions(command);
    const everyday = await chaff([name, '--help']);
    const all = await chaff([name, '--help', 'all']);
    expect([everyday.code, all.code]).toEqual([0, 0]);
    const shown = everydayOptions(command, options);
    expect(shown.length).toBeLessThanOrEqual(14);
    expect(flagsIn(everyday.stdout)).toEqual(shown.map(({ long }) => long));
    expect(flagsIn(all.stdout).toSorted()).toEqual(options.map(({ long }) => long).toSorted());
    expect(
      options.filter((option) => themeOf(command, option) === undefined).map(({ long }) => long),
    ).toEqual([]);
    const more = options.length - shown.length;
    if (more > 0)
      expect(everyday.stdout).toContain(`${more} more options, by theme: chaff ${name} --help all`);
    expect(all.stdout).not.toContain('more options');
  },
);

test.each([
  ['strip', '-h', 'all'],
  ['strip', '--help=all'],
  ['help', 'strip', 'all'],
])('%j shows all options', async (...args) => {
  expect((await chaff(args)).stdout).toBe((await chaff(['strip', '--help', 'all'])).stdout);
});

test('an unknown option is compared with all options, not only the everyday ones', async () => {
  const { code, stderr } = await chaff(['strip', 'x.warc', '--max-dept', '9']);
  expect(code).toBe(2);
  expect(stderr).toContain('(Did you mean --max-depth?)');
});

function flagsIn(help: string): string[] {
  return [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag);
}
