/** Checks the parameters of requests; the answer to a wrong one says what is expected. */
import type { Context, MiddlewareHandler } from 'hono';

/** Thrown for a wrong parameter; answered with status 400. */
export class BadParameter extends Error {}

/** Maximum characters of a parameter, and of the query of a user. */
const MAX_CHARACTERS = 2048;
const MAX_QUERY_CHARACTERS = 100_000;

/** Refuses parameters that no view sends and that a query of the database could not hold. */
export const checkParameters: MiddlewareHandler = async ({ req }, next) => {
  for (const [name, values] of Object.entries(req.queries())) {
    if (values.length > 1) throw new BadParameter(`${name} is given ${values.length} times: give it once`);
    if (values[0].includes('\0')) throw new BadParameter(`${name} must not contain the character NUL`);
    const most = name === 'query' ? MAX_QUERY_CHARACTERS : MAX_CHARACTERS;
    if (values[0].length > most) throw new BadParameter(`${name} must not be longer than ${most} characters`);
  }
  await next();
};

/** Returns a required text. */
export function textParameter({ req }: Context, name: string): string {
  const value = req.query(name);
  if (value === undefined || value === '') throw new BadParameter(`${name} is missing`);
  return value;
}

/** Returns one of some words; the first is the default. */
export function wordParameter<T extends string>({ req }: Context, name: string, words: readonly T[]): T {
  const value = req.query(name);
  if (value === undefined || value === '') return words[0];
  if (!words.includes(value as T)) throw new BadParameter(`${name} must be one of ${words.join(', ')}`);
  return value as T;
}

/** Returns an integer within limits. */
export function numberParameter(
  { req }: Context,
  name: string,
  { least = 0, most, fallback }: { least?: number; most: number; fallback?: number },
): number {
  const value = req.query(name);
  if ((value === undefined || value === '') && fallback !== undefined) return fallback;
  const number = value === undefined || !/^-?\d{1,15}$/.test(value) ? Number.NaN : Number(value);
  if (!(number >= least && number <= most)) {
    throw new BadParameter(`${name} must be a whole number from ${least} to ${most}`);
  }
  return number;
}

/** Returns an integer from 0 to `most`, or undefined when it is absent. */
export function optionalNumber(context: Context, name: string, most: number): number | undefined {
  return context.req.query(name) ? numberParameter(context, name, { most }) : undefined;
}

/** Returns one of the detectors that ran; the first is the default. */
export function detectorParameter(context: Context, detectors: readonly string[]): string {
  if (detectors.length === 0) throw new NotInFolder('this folder has no templates: chaff report makes them');
  return wordParameter(context, 'detector', detectors);
}

/** Thrown for a table that the folder lacks. */
export class NotInFolder extends Error {}
