/**
 * Checks that data read from a file has the expected shape. A shape is a function that returns for valid data
 * and otherwise throws a ShapeError with the place and the expected value: `trees[3].width must be a whole
 * number from 1 to 90, not -1`.
 */

/** Thrown when data from a file does not have the expected shape. */
export class ShapeError extends TypeError {}

/**
 * Checks a value and throws a ShapeError when it is wrong. `at` is the path of the value in the file, empty
 * for the root.
 */
export type Shape = (value: unknown, at: string) => void;

/** Throws a ShapeError that names the path of a value and what was expected there. */
export function refuse(at: string, expected: string, value: unknown): never {
  throw new ShapeError(`${at || 'it'} must be ${expected}, not ${described(value)}`);
}

/** Accepts any text. */
export const textShape: Shape = (value, at) => {
  if (typeof value !== 'string') refuse(at, 'a text', value);
};

/** Accepts one of the given texts. */
export function oneOf(...texts: string[]): Shape {
  return (value, at) => {
    if (!texts.includes(value as string)) refuse(at, texts.map((one) => `"${one}"`).join(' or '), value);
  };
}

/** Accepts numbers in `[least, most]`, with `whole` only whole ones. */
export function numberFrom(least: number, most: number, { whole = false } = {}): Shape {
  const expected = least === most ? `${most}` : `a ${whole ? 'whole ' : ''}number from ${least} to ${most}`;
  return (value, at) => {
    const isSound = typeof value === 'number' && value >= least && value <= most;
    if (isSound && (!whole || Number.isInteger(value))) return;
    refuse(at, expected, value);
  };
}

/** Accepts a list of `least` to `most` entries that all have one shape. */
export function listOf(item: Shape, { least = 0, most = 1_000_000 } = {}): Shape {
  const size = least === most ? `${most}` : `${least} to ${most}`;
  return (value, at) => {
    if (!Array.isArray(value)) refuse(at, 'a list', value);
    if (value.length < least || value.length > most) {
      throw new ShapeError(`${at} must have ${size} entries, not ${value.length}`);
    }
    for (let k = 0; k < value.length; k++) item(value[k], `${at}[${k}]`);
  };
}

/** Accepts an object with all of the required fields, any of the optional ones, and no others. */
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

/** Accepts an object with any field names, whose values all have one shape. */
export function mapOf(item: Shape): Shape {
  return (value, at) => {
    if (!isObject(value)) refuse(at, 'an object', value);
    for (const [name, one] of Object.entries(value)) item(one, `${at}.${short(name)}`);
  };
}

/** Accepts an object whose field `key` names one of several shapes, and checks it against that shape. */
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
