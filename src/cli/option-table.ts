/**
 * Declares the options of a library function by their names there: the flag, its meaning, the parser of its value and
 * its default. The flags of a command and the options from these flags are both derived from the table.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { InputOption } from './path-options.ts';

/** Reading of a flag without a value: true when given, else false. */
export const ON = 'on';
/** Reading of a flag that turns an option off: false when given, else true. */
export const OFF = 'off';

/** How a value is read: a parser, a list of choices, or a flag without a value. */
type Reading = ((text: string) => unknown) | readonly string[] | typeof ON | typeof OFF;

/** One option; without a default of its own it has that of the table. */
type OptionRow = readonly [flag: string, meaning: string, reading: Reading, value?: unknown];

/** The flags of a library function's options, by option name. */
export type OptionTable<Options> = { readonly [Name in keyof Options]?: OptionRow };

/** Options of `addOptions`. */
export interface TableOptions<Options> {
  defaults?: Partial<Options>;
  /** Heading of the options in the help. */
  group?: string;
}

/** Adds the flags of a table to a command, in their order. */
export function addOptions<Options>(
  command: Command,
  table: OptionTable<Options>,
  { defaults = {}, group }: TableOptions<Options> = {},
): void {
  for (const [name, row] of Object.entries<OptionRow | undefined>(table)) {
    if (row === undefined) continue;
    const [flag, meaning, reading, value = defaults[name as keyof Options]] = row;
    const option = flag.includes('<file>') ? new InputOption(flag, meaning) : new Option(flag, meaning);
    if (group !== undefined) option.helpGroup(group);
    if (typeof reading === 'function') option.argParser(reading);
    else if (reading !== ON && reading !== OFF) option.choices(reading as readonly string[]);
    if (reading !== ON && reading !== OFF) option.default(value);
    command.addOption(option);
  }
}

/** The options from the flags of a command; options without a value are omitted. */
export function optionsOf<Options>(table: OptionTable<Options>, flags: object): Options {
  const options: Record<string, unknown> = {};
  for (const [name, row] of Object.entries<OptionRow | undefined>(table)) {
    if (row === undefined) continue;
    const [flag, , reading] = row;
    const isNegated = flag.startsWith('--no-');
    const value = (flags as Record<string, unknown>)[new Option(flag).attributeName()];
    if (reading === OFF && isNegated) {
      // commander has negated the value; true is the default and is omitted
      if (value === false) options[name] = false;
    } else if (reading === OFF) options[name] = value !== true;
    else if (reading === ON) options[name] = value === true;
    else if (value !== undefined) options[name] = value;
  }
  return options as Options;
}

/** Returns a parser for whole numbers in a range. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text.replaceAll('_', ''));
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    const upTo = most === Number.MAX_SAFE_INTEGER ? ` from ${least}` : ` from ${least} to ${most}`;
    throw new InvalidArgumentError(`It must be a whole number${upTo}.`);
  };
}

/** Returns a parser for numbers in a range. */
export function numberBetween(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
  };
}

const UNITS: Record<string, number> = {
  '': 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/** Parses a size such as `256MB` to bytes; NaN for other texts. */
export function parseBytes(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?) ?([kmgt]?i?b)?$/i.exec(text.trim()) ?? [];
  return Math.round(Number(number) * (UNITS[(unit ?? '').toLowerCase().replace(/^b$/, '')] ?? Number.NaN));
}

/** Parses a share from 0 to 1. */
export const share = numberBetween(0, 1);

/** Converts a parser of the library to that of an option, which reports its message without a stack. */
export function parsedBy<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
    }
  };
}
