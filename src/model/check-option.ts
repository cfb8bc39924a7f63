/**
 * Checks of option values, made once when a function is called from outside. A check that fails throws a
 * RangeError or, for a value of the wrong type, a TypeError, with the name of the option, the expected values and
 * the value given.
 */

interface Bounds {
  min: number;
  /** @default any number */
  max?: number;
  whole?: boolean;
}

/** Returns `value` if it is a number within the bounds, both inclusive, and throws a RangeError otherwise. */
export function checkNumber(name: string, value: number, bounds: Bounds): number {
  const { min, max = Number.MAX_VALUE, whole = false } = bounds;
  const fits = typeof value === 'number' && value >= min && value <= max;
  if (fits && (!whole || Number.isInteger(value))) return value;
  const upTo = Number.isFinite(bounds.max) ? ` to ${max}` : '';
  throw new RangeError(
    `${name} must be a ${whole ? 'whole ' : ''}number from ${min}${upTo}, not ${shown(value)}`,
  );
}

/** Returns `value` if it is a whole number from `min` to `max`, and throws a RangeError otherwise. */
export function checkWhole(name: string, value: number, min: number, max?: number): number {
  return checkNumber(name, value, { min, max, whole: true });
}

/** Returns `value` if it is one of the choices, and throws a RangeError that lists them otherwise. */
export function checkChoice<T extends string>(name: string, value: T, choices: readonly T[]): T {
  if (choices.includes(value)) return value;
  const expected = choices.length > 2 ? `one of ${choices.join(', ')}` : choices.join(' or ');
  throw new RangeError(`${name} must be ${expected}, not ${shown(value)}`);
}

/**
 * Throws a RangeError for an option whose name is not known, so that a misspelt option never passes for a
 * default, and a TypeError for options that are no object.
 */
export function checkNames(options: object, known: readonly string[], what = 'options'): void {
  if (!FITS.object(options)) throw new TypeError(`${what} must be an object, not ${describeValue(options)}`);
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw new RangeError(`unknown option "${name}"; known: ${known.join(', ')}`);
  }
}

const FITS = {
  object: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
  string: (value: unknown) => typeof value === 'string',
  boolean: (value: unknown) => typeof value === 'boolean',
  function: (value: unknown) => typeof value === 'function',
  // by its method: the signal may come from another realm
  signal: (value: unknown) => typeof (value as AbortSignal | null)?.throwIfAborted === 'function',
  /** Its value is checked elsewhere. */
  any: () => true,
};

const MEANINGS: Record<keyof typeof FITS, string> = {
  object: 'an object',
  string: 'a string',
  boolean: 'true or false',
  function: 'a function',
  signal: 'an AbortSignal',
  any: '',
};

/** The kind of value that each option of a call has. */
export type OptionKinds<Options> = { [Name in keyof Required<Options>]: keyof typeof FITS };

/** Throws for an unknown name and for a value of the wrong kind; an option that is undefined has its default. */
export function checkOptions<Options extends object>(options: Options, kinds: OptionKinds<Options>): void {
  checkNames(options, Object.keys(kinds));
  for (const [name, value] of Object.entries(options)) {
    const kind = kinds[name as keyof Options];
    if (value === undefined || FITS[kind](value)) continue;
    throw new TypeError(`${name} must be ${MEANINGS[kind]}, not ${describeValue(value)}`);
  }
}

/** Returns the options that have a value. */
export function withoutUndefined<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}

/** Describes a value by its type: `undefined`, `a number`, `a Response`. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  const name = Object.getPrototypeOf(value)?.constructor?.name ?? 'Object';
  return name === 'HTMLDocument' ? 'a Document' : /^[AEIOU]/.test(name) ? `an ${name}` : `a ${name}`;
}

/** Shows a value of an option in a message. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 100));
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : describeValue(value);
}
