/**
 * Checks options, once and by name; and checks that data read from a file has the shape that is expected. A shape is a function that returns for sound data
 * and throws a ShapeError otherwise, which says where and what was expected: `trees[3].width must be a whole number
 * from 1 to 90, not -1`.
 */

export class ShapeError extends TypeError {}

/** `at` is the path of the value in the file, empty for all of it. */
export type Shape = (value: unknown, at: string) => void;

/** Throws with what was expected of the value at a path. */
export function refuse(at: string, expected: string, value: unknown): never {
  throw new ShapeError(`${at || 'it'} must be ${expected}, not ${described(value)}`);
}

export const text: Shape = (value, at) => {
  if (typeof value !== 'string') refuse(at, 'a text', value);
};

export function oneOf(...texts: string[]): Shape {
  return (value, at) => {
    if (!texts.includes(value as string)) refuse(at, texts.map((one) => `"${one}"`).join(' or '), value);
  };
}

export function numberFrom(least: number, most: number, { whole = false } = {}): Shape {
  const expected = least === most ? `${most}` : `a ${whole ? 'whole ' : ''}number from ${least} to ${most}`;
  return (value, at) => {
    const isSound = typeof value === 'number' && value >= least && value <= most;
    if (isSound && (!whole || Number.isInteger(value))) return;
    refuse(at, expected, value);
  };
}

export interface ListBounds {
  /** @default 0 */
  least?: number;
  /** @default 1,000,000 */
  most?: number;
}

export function listOf(item: Shape, { least = 0, most = 1_000_000 }: ListBounds = {}): Shape {
  const size = least === most ? `${most}` : `${least} to ${most}`;
  return (value, at) => {
    if (!Array.isArray(value)) refuse(at, 'a list', value);
    if (value.length < least || value.length > most) {
      throw new ShapeError(`${at} must have ${size} entries, not ${value.length}`);
    }
    for (let k = 0; k < value.length; k++) item(value[k], `${at}[${k}]`);
  };
}

/** An object with all the required fields, perhaps the optional ones, and no others. */
export function fields(required: Record<string, Shape>, optional: Record<string, Shape> = {}): Shape {
  return (value, at) => {
    const place = (name: string) => (at === '' ? name : `${at}.${name}`);
    if (!isObject(value)) refuse(at, 'an object', value);
    for (const [name, shape] of Object.entries(required)) {
      if (!Object.hasOwn(value, name)) throw new ShapeError(`${place(name)} is missing`);
      shape(value[name], place(name));
    }
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(required, name)) continue;
      if (!Object.hasOwn(optional, name)) throw new ShapeError(`${place(short(name))} is not a known field`);
      optional[name](value[name], place(name));
    }
  };
}

/** An object with fields of any name. */
export function mapOf(item: Shape): Shape {
  return (value, at) => {
    if (!isObject(value)) refuse(at, 'an object', value);
    for (const [name, one] of Object.entries(value)) item(one, `${at}.${short(name)}`);
  };
}

/** The shape that the field `key` of the value names. */
export function variants(key: string, shapes: Record<string, Shape>): Shape {
  return (value, at) => {
    if (!isObject(value)) refuse(at, 'an object', value);
    const name = value[key];
    oneOf(...Object.keys(shapes))(name, `${at}.${key}`);
    shapes[name as string](value, at);
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function described(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? JSON.stringify(short(value)) : String(value);
}

function short(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}

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
  if (choices.includes(value)) return;
  const expected = choices.length > 2 ? `one of ${choices.join(', ')}` : choices.join(' or ');
  throw new RangeError(`${name} must be ${expected}, not "${value}"`);
}

/** Refuses options that nobody reads: a misspelt option must not pass for a default. */
export function checkNames(options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw new RangeError(`unknown option "${name}"; known: ${known.join(', ')}`);
  }
}
