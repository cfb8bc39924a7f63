/**
 * Makes docs/reference/commands.md from the declarations of the commands. test/commands-docs.test.ts compares the file with
 * this text, and writes it with UPDATE=1.
 *
 * An option that several commands declare alike is described once, with the commands that have it. Most commands belong
 * to one of two sets, which the page names, so that an option is listed with a set instead of fifteen names.
 */
import type { Argument, Command, Option } from 'commander';
import { readCommands } from '../src/cli/commands.ts';
import { describeHelp, optionDescription, THEME_HEADINGS, themeOf } from '../src/cli/help.ts';

/** An option that this many commands declare alike is described once for all of them. */
const MANY_COMMANDS = 3;

/** A table of more options than this shows their themes. */
const MANY_OPTIONS = 10;

/** Named sets: the commands that have this option. The larger set first. */
const SETS = { reading: '--include', labelling: '--dom-lower' };

/** Defaults that the machine decides. */
const MACHINE_DEFAULTS: Record<string, string> = { '--workers': 'the number of cores' };

type NamedSet = [name: string, commands: string[]];

/** One declaration of an option, with the commands that declare it. */
interface Declared {
  option: Option;
  theme: string;
  commands: string[];
}

/** The text of docs/reference/commands.md. */
export async function commandsPage(): Promise<string> {
  const commands = (await readCommands()).map((command) => describeHelp(command, { all: true }));
  const declared = declarationsOf(commands);
  const sets = Object.entries(SETS).map(
    ([name, long]): NamedSet => [
      name,
      commands.filter((command) => command.options.some((option) => option.long === long)).map(nameOf),
    ],
  );
  const shared = declared.filter((one) => one.commands.length >= MANY_COMMANDS);
  const inputs =
    commands.find(({ registeredArguments: [first] }) => first?.variadic)?.registeredArguments[0]
      .description ?? '';
  const headings = [...new Set(commands.map((command) => command.helpGroup()))];
  return [
    `# Commands and options

This page is made from the declarations of the commands; \`chaff COMMAND --help all\` shows the same on a terminal. Options
that several commands have are in [one list](#shared-options) at the end. Two sets of commands have most of them:

${sets.map(([name, members]) => `- **${name}**: ${members.map(code).join(', ')}`).join('\n')}

Where nothing else is said, \`input\` is one of: ${inputs}.
`,
    ...headings.map((heading) => {
      const members = commands.filter((command) => command.helpGroup() === heading);
      const sections = members.map((command) => commandSection(command, { declared, sets, inputs }));
      return `## ${heading.replace(/:$/, '')}\n\n${sections.join('\n')}`;
    }),
    `## Shared options\n\n${themesOf(shared)
      .map((theme) => sharedSection(theme, shared, sets))
      .join('\n')}`,
  ].join('\n');
}

function declarationsOf(commands: readonly Command[]): Declared[] {
  const declared = new Map<string, Declared>();
  for (const command of commands) {
    for (const option of command.options) {
      const theme = themeOf(command, option) ?? 'Options:';
      const key = [option.flags, describe(option)].join('\n');
      const one = declared.get(key) ?? { option, theme, commands: [] };
      one.commands.push(command.name());
      declared.set(key, one);
    }
  }
  return [...declared.values()];
}

interface Reference {
  declared: Declared[];
  sets: NamedSet[];
  inputs: string;
}

function commandSection(command: Command, { declared, sets, inputs }: Reference): string {
  const name = command.name();
  const mine = declared.filter(({ commands }) => commands.includes(name));
  const own = mine.filter(({ commands }) => commands.length < MANY_COMMANDS);
  const shared = mine.filter(({ commands }) => commands.length >= MANY_COMMANDS);
  const inSets = sets.filter(([, members]) => members.includes(name));
  const single = shared.filter((one) => !inSets.some(([set]) => setOf(one, sets).startsWith(set)));
  const also = [
    ...inSets.map(([set]) => `those of *${set}* commands`),
    ...single.map(({ option }) => code(longNameOf(option))),
  ];
  const rows = optionRows(own);
  return [
    `### chaff ${name}\n`,
    `${code(`chaff ${name} ${usageOf(command)}`)}\n`,
    `${paragraphs(command.description())}\n`,
    ...command.registeredArguments
      .filter(({ description }) => description !== '' && description !== inputs)
      .map((argument) => `- ${code(argument.name())}: ${escapeText(argument.description)}\n`),
    ...(rows.length > 0 ? ['| option | |', '| --- | --- |', ...rows, ''] : []),
    ...(also.length > 0 ? [`Shared options: ${also.join(', ')}.\n`] : []),
  ].join('\n');
}

function sharedSection(theme: string, shared: Declared[], sets: NamedSet[]): string {
  const rows = shared
    .filter((one) => one.theme === theme)
    .map((one) => `| ${code(one.option.flags)} | ${describe(one.option)} | ${setOf(one, sets)} |`);
  const heading = `### ${theme.replace(/:$/, '')}\n\n| option | | commands |\n| --- | --- | --- |`;
  return `${heading}\n${rows.join('\n')}\n`;
}

/** The commands of an option: the name of a set whose members all have the option, then the others; `labelling, train`. */
function setOf({ commands }: Declared, sets: NamedSet[]): string {
  for (const [set, members] of sets) {
    if (!members.every((name) => commands.includes(name))) continue;
    return [set, ...commands.filter((name) => !members.includes(name))].join(', ');
  }
  return commands.join(', ');
}

/** The themes that options have, in the order of the help. */
function themesOf(declared: Declared[]): string[] {
  const themes = new Set(declared.map(({ theme }) => theme));
  return [...THEME_HEADINGS, 'Options:'].filter((theme) => themes.has(theme));
}

/** Rows of a table; with many options, a row with the theme precedes the options of each theme. */
function optionRows(options: Declared[]): string[] {
  const isLong = options.length > MANY_OPTIONS;
  return themesOf(options).flatMap((theme) => [
    ...(isLong ? [`| **${theme.replace(/:$/, '')}** | |`] : []),
    ...options
      .filter((one) => one.theme === theme)
      .map(({ option }) => `| ${code(option.flags)} | ${describe(option)} |`),
  ]);
}

function usageOf(command: Command): string {
  return ['[options]', ...command.registeredArguments.map(argumentForm)].join(' ');
}

function argumentForm(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** The meaning of an option, its choices and its default, as a cell of a table. */
function describe(option: Option): string {
  const text = optionDescription(option);
  const machine = MACHINE_DEFAULTS[longNameOf(option)];
  return escapeText(machine === undefined ? text : text.replace(/default: [^)]*/, `default: ${machine}`));
}

/** A description as paragraphs; indented lines become a code block. */
function paragraphs(description: string): string {
  return description
    .split(/(?<=^|\n)((?: {2}.*(?:\n|$))+)/)
    .map((part, k) => (k % 2 === 1 ? `\`\`\`text\n${part.trimEnd()}\n\`\`\`` : escapeText(part.trim())))
    .filter((part) => part !== '')
    .join('\n\n');
}

function escapeText(text: string): string {
  return text.replace(/[|<*_]/g, '\\$&').replace(/\s*\n\s*/g, ' ');
}

const longNameOf = ({ long, flags }: Option) => long ?? flags;
const nameOf = (command: Command) => command.name();
const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``;
