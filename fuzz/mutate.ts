/** Damages bytes as disks, networks, programs and attackers do, by operations that all targets share. */
import type { Random } from './target.ts';

/** Material and limits of `mutate`. */
export interface MutateOptions {
  /** Texts with a meaning in the format, which are inserted and repeated. */
  tokens: readonly string[];
  /** Another case of the same kind, from which parts are inserted. */
  other?: Uint8Array;
  /** Maximum number of operations. @default 4 */
  times?: number;
}

/** Numbers at the limits of lengths, offsets and counts. */
const NUMBERS = [
  '0',
  '1',
  '-1',
  '00000',
  '255',
  '65536',
  '2147483648',
  '4294967295',
  '9007199254740993',
  '1e9',
  '99999999999999999999',
  'NaN',
  '+5',
  '0x10',
];
const BYTES = [0, 1, 9, 10, 13, 32, 34, 60, 62, 127, 128, 192, 255];
/** Maximum length of a repetition, in bytes; long ones reveal loops that are not linear. */
const MAX_REPEATED_BYTES = 24 * 1024;

/** Returns bytes with one to `times` faults. */
export function mutate(
  bytes: Uint8Array,
  random: Random,
  { tokens, other, times = 4 }: MutateOptions,
): Buffer {
  let mutated: Buffer = Buffer.from(bytes);
  for (let rest = 1 + random(times); rest > 0; rest--) {
    const operation = OPERATIONS[random(OPERATIONS.length)];
    mutated = operation(mutated, random, { tokens, other: other ?? mutated });
  }
  return mutated;
}

/** Returns a random item. */
export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random(items.length)];
}

/** Returns a token repeated many times, to reveal loops that are not linear. */
export function repeated(random: Random, token: string, maxBytes = MAX_REPEATED_BYTES): Buffer {
  // short repetitions are as frequent as long ones
  const sizeBytes = Math.min(maxBytes, 2 ** random(Math.log2(maxBytes) + 1));
  return Buffer.from(token.repeat(Math.max(1, Math.floor(sizeBytes / Math.max(1, token.length)))));
}

type Operation = (
  bytes: Buffer,
  random: Random,
  context: { tokens: readonly string[]; other: Uint8Array },
) => Buffer;

const OPERATIONS: Operation[] = [
  // flip a bit, or overwrite a byte
  (bytes, random) => changeByte(bytes, random, (byte) => byte ^ (1 << random(8))),
  (bytes, random) => changeByte(bytes, random, () => pick(random, BYTES)),
  (bytes, random) => changeByte(bytes, random, () => random(256)),
  // cut off the end
  (bytes, random) => bytes.subarray(0, random(bytes.length + 1)),
  // remove, double or move a span
  (bytes, random) => {
    const [start, end] = randomSpan(bytes, random);
    return replace(bytes, start, end, '');
  },
  (bytes, random) => {
    const [start, end] = randomSpan(bytes, random);
    return replace(bytes, end, end, bytes.subarray(start, end));
  },
  (bytes, random) => {
    const [start, end] = randomSpan(bytes, random);
    const rest = replace(bytes, start, end, '');
    const at = random(rest.length + 1);
    return replace(rest, at, at, bytes.subarray(start, end));
  },
  // insert a part of another case, or replace the rest by it
  (bytes, random, { other }) => {
    const [start, end] = randomSpan(other, random);
    const at = random(bytes.length + 1);
    return replace(bytes, at, random(2) ? at : bytes.length, other.subarray(start, end));
  },
  // insert a token, once or many times
  (bytes, random, { tokens }) => {
    const at = random(bytes.length + 1);
    return replace(bytes, at, at + random(2) * random(8), pick(random, tokens));
  },
  (bytes, random, { tokens }) => {
    const at = random(bytes.length + 1);
    const token = random(3) ? pick(random, tokens) : String.fromCharCode(pick(random, BYTES));
    return replace(bytes, at, at, repeated(random, token));
  },
  // replace a number
  (bytes, random) => {
    const numbers = [...bytes.toString('latin1').matchAll(/\d+/g)];
    if (numbers.length === 0) return bytes;
    const { 0: digits, index } = pick(random, numbers);
    const said = random(2) ? pick(random, NUMBERS) : String(Number(digits) + random(9) - 4);
    return replace(bytes, index, index + digits.length, said);
  },
];

function changeByte(bytes: Buffer, random: Random, change: (byte: number) => number): Buffer {
  if (bytes.length === 0) return bytes;
  const changed = Buffer.from(bytes);
  const at = random(bytes.length);
  changed[at] = change(changed[at]);
  return changed;
}

/** Returns a random span, often of a few bytes, sometimes most of them. */
function randomSpan(bytes: Uint8Array, random: Random): [start: number, end: number] {
  const start = random(bytes.length + 1);
  const longest = random(3) ? Math.min(32, bytes.length - start) : bytes.length - start;
  return [start, start + random(longest + 1)];
}

function replace(bytes: Uint8Array, start: number, end: number, by: string | Uint8Array): Buffer {
  return Buffer.concat([
    bytes.subarray(0, start),
    typeof by === 'string' ? Buffer.from(by) : by,
    bytes.subarray(Math.max(start, end)),
  ]);
}
