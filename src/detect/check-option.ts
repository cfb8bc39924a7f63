/** Checks options once, at the door: by name and with the value. */

export interface Bounds {
  min: number;
  max: number;
  whole?: boolean;
}

/** Throws a RangeError that says what was expected. */
export function checkNumber(name: string, value: number, { min, max, whole = false }: Bounds): void {
  if (typeof value === 'number' && value >= min && value <= max && (!whole || Number.isInteger(value)))
    return;
  throw new RangeError(
    `${name} must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}, not ${value}`,
  );
}

/** Throws a RangeError unless the value is one of a few names. */
export function checkChoice(name: string, value: string, choices: readonly string[]): void {
  if (!choices.includes(value))
    throw new RangeError(`${name} must be ${choices.join(' or ')}, not "${value}"`);
}

/** Refuses options that nobody reads: a misspelt option must not pass for a default. */
export function checkNames(options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw new RangeError(`unknown option "${name}"; known: ${known.join(', ')}`);
  }
}
