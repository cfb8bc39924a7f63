/**
 * Checks of option values, made once when a function is called from outside. A check that fails throws a
 * RangeError with the name of the option, the expected values and the value given.
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
  const upTo = bounds.max === undefined ? '' : ` to ${max}`;
  throw new RangeError(`${name} must be a ${whole ? 'whole ' : ''}number from ${min}${upTo}, not ${value}`);
}

/** Returns `value` if it is a whole number from `min` to `max`, and throws a RangeError otherwise. */
export function checkWhole(name: string, value: number, min: number, max?: number): number {
  return checkNumber(name, value, { min, max, whole: true });
}

/** Returns `value` if it is one of the choices, and throws a RangeError that lists them otherwise. */
export function checkChoice<T extends string>(name: string, value: T, choices: readonly T[]): T {
  if (choices.includes(value)) return value;
  const expected = choices.length > 2 ? `one of ${choices.join(', ')}` : choices.join(' or ');
  throw new RangeError(`${name} must be ${expected}, not "${value}"`);
}

/**
 * Throws a RangeError for an option whose name is not known, so that a misspelt option never passes for a
 * default.
 */
export function checkNames(options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw new RangeError(`unknown option "${name}"; known: ${known.join(', ')}`);
  }
}
