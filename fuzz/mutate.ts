/** Damages bytes as disks, networks, programs and attackers do: the operations that all targets share. */
import type { Random } from './target.ts';

export interface MutateOptions {
  /** What the format gives a meaning; inserted and repeated. */
  tokens: readonly string[];
  /** Another case of the same kind, of which parts are spliced in. */
  other?: Uint8Array;
  /** Most operations. @default 4 */
  times?: number;
}

/** Numbers at the borders of what lengths, offsets and counts may be. */
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
/** Longest repetition: makes loops that are not linear show. */
const MAX_REPEATED_BYTES = 24 * 1024;

/** Bytes with one to `times` faults. */
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

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random(items.length)];
}

/** A token many times over, as loops that are not linear want it. */
export function repeated(random: Random, token: string, maxBytes = MAX_REPEATED_BYTES): Buffer {
  // short ones are as frequent as long ones
  const sizeBytes = Math.min(maxBytes, 2 ** random(Math.log2(maxBytes) + 1));
  return Buffer.from(token.repeat(Math.max(1, Math.floor(sizeBytes / Math.max(1, token.length)))));
}

type Operation = (
  bytes: Buffer,
  random: Random,
  context: { tokens: readonly string[]; other: Uint8Array },
) => Buffer;

const OPERATIONS: Operation[] = [
  // a bit is flipped, or a byte overwritten
  (bytes, random) => changeByte(bytes, random, (byte) => byte ^ (1 << random(8))),
  (bytes, random) => changeByte(bytes, random, () => pick(random, BYTES)),
  (bytes, random) => changeByte(bytes, random, () => random(256)),
  // the end is lost
  (bytes, random) => bytes.subarray(0, random(bytes.length + 1)),
  // a stretch is lost, doubled, moved
  (bytes, random) => {
    const [start, end] = stretch(bytes, random);
    return replace(bytes, start, end, '');
  },
  (bytes, random) => {
    const [start, end] = stretch(bytes, random);
    return replace(bytes, end, end, bytes.subarray(start, end));
  },
  (bytes, random) => {
    const [start, end] = stretch(bytes, random);
    const rest = replace(bytes, start, end, '');
    const at = random(rest.length + 1);
    return replace(rest, at, at, bytes.subarray(start, end));
  },
  // a part of another case is put in, or takes the place of the rest
  (bytes, random, { other }) => {
    const [start, end] = stretch(other, random);
    const at = random(bytes.length + 1);
    return replace(bytes, at, random(2) ? at : bytes.length, other.subarray(start, end));
  },
  // a token is put in, once or many times
  (bytes, random, { tokens }) => {
    const at = random(bytes.length + 1);
    return replace(bytes, at, at + random(2) * random(8), pick(random, tokens));
  },
  (bytes, random, { tokens }) => {
    const at = random(bytes.length + 1);
    const token = random(3) ? pick(random, tokens) : String.fromCharCode(pick(random, BYTES));
    return replace(bytes, at, at, repeated(random, token));
  },
  // a number becomes another
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

/** Often a few bytes, sometimes most. */
function stretch(bytes: Uint8Array, random: Random): [start: number, end: number] {
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
