/** Checks options once, at the door: throws a RangeError with the name of the option, what was expected, and the value. */

interface Bounds {
  min: number;
  /** @default any number */
  max?: number;
  whole?: boolean;
}

export function checkNumber(name: string, value: number, bounds: Bounds): number {
  const { min, max = Number.MAX_VALUE, whole = false } = bounds;
  const fits = typeof value === 'number' && value >= min && value <= max;
  if (fits && (!whole || Number.isInteger(value))) return value;
  const upTo = bounds.max === undefined ? '' : ` to ${max}`;
  throw new RangeError(`${name} must be a ${whole ? 'whole ' : ''}number from ${min}${upTo}, not ${value}`);
}

export function checkWhole(name: string, value: number, min: number, max?: number): number {
  return checkNumber(name, value, { min, max, whole: true });
}

/** The value must be one of a few names. */
export function checkChoice<T extends string>(name: string, value: T, choices: readonly T[]): T {
  if (choices.includes(value)) return value;
  const expected = choices.length > 2 ? `one of ${choices.join(', ')}` : choices.join(' or ');
  throw new RangeError(`${name} must be ${expected}, not "${value}"`);
}

/** Refuses options that nobody reads: a misspelt option must not pass for a default. */
export function checkNames(options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw new RangeError(`unknown option "${name}"; known: ${known.join(', ')}`);
  }
}
