/**
 * Options of a library function, declared by the names that the function gives them: the flag, its meaning, how its
 * value is read and its default. Both the flags of a command and the options that the flags ask for come from it.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';

/** A flag without a value: true when given, else false. */
export const ON = 'on';
/** A flag that switches an option off: false when given, else true. */
export const OFF = 'off';

/** A parser of the value, the words to choose from, or a flag without a value. */
type Reading = ((text: string) => unknown) | readonly string[] | typeof ON | typeof OFF;

/** Without a default of its own, an option has that of the table. */
export type OptionRow = readonly [flag: string, meaning: string, reading: Reading, value?: unknown];

export type OptionTable<Options> = { readonly [Name in keyof Options]?: OptionRow };

export interface TableOptions<Options> {
  defaults?: Partial<Options>;
  /** Heading of the options in the help. */
  group?: string;
}

/** Adds the flags of a table to a command, in the order of the table. */
export function addOptions<Options>(
  command: Command,
  table: OptionTable<Options>,
  { defaults = {}, group }: TableOptions<Options> = {},
): void {
  for (const [name, row] of Object.entries<OptionRow | undefined>(table)) {
    if (row === undefined) continue;
    const [flag, meaning, reading, value = defaults[name as keyof Options]] = row;
    const option = new Option(flag, meaning);
    if (group !== undefined) option.helpGroup(group);
    if (typeof reading === 'function') option.argParser(reading);
    else if (reading !== ON && reading !== OFF) option.choices(reading as readonly string[]);
    if (reading !== ON && reading !== OFF) option.default(value);
    command.addOption(option);
  }
}

/** The options that the flags of a command ask for; one that has no value is left out. */
export function optionsOf<Options>(table: OptionTable<Options>, flags: object): Options {
  const options: Record<string, unknown> = {};
  for (const [name, row] of Object.entries<OptionRow | undefined>(table)) {
    if (row === undefined) continue;
    const [flag, , reading] = row;
    const isNegated = flag.startsWith('--no-');
    const value = (flags as Record<string, unknown>)[new Option(flag).attributeName()];
    if (reading === OFF && isNegated) {
      // commander has turned the value round; true is the default and is left out
      if (value === false) options[name] = false;
    } else if (reading === OFF) options[name] = value !== true;
    else if (reading === ON) options[name] = value === true;
    else if (value !== undefined) options[name] = value;
  }
  return options as Options;
}

/** A parser for whole numbers in a range. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text.replaceAll('_', ''));
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    const upTo = most === Number.MAX_SAFE_INTEGER ? ` from ${least}` : ` from ${least} to ${most}`;
    throw new InvalidArgumentError(`It must be a whole number${upTo}.`);
  };
}

/** A parser for numbers in a range, such as shares. */
export function numberBetween(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
  };
}

/** A share of a whole. */
export const share = numberBetween(0, 1);

/** A parser of the library as that of an option: its message, without a stack. */
export function parsedBy<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
    }
  };
}
