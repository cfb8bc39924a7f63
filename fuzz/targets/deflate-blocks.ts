/**
 * Deflate blocks that no compressor writes: a single last block with arbitrary code lengths, some of them
 * over-subscribed or incomplete, and random symbols. RFC 1951, section 3.2.7.
 */
import { CODE_LENGTH_ORDER } from '../../test/deflate-values.ts';
import type { Random } from '../target.ts';

const MAX_CODE_BITS = 15;

/** Returns a random block. */
export function craftedBlock(random: Random): Buffer {
  const literals = codeLengths(random, 257 + random(30), [256, 97]);
  const distances = codeLengths(random, 1 + random(30), []);
  const bits: number[] = [];
  const write = (value: number, width: number) => {
    for (let bit = 0; bit < width; bit++) bits.push((value >> bit) & 1);
  };
  write(0b101, 3); // the last block, with its own codes
  write(literals.length - 257, 5);
  write(distances.length - 1, 5);
  write(CODE_LENGTH_ORDER.length - 4, 4);
  // the code of a length is the length itself in four bits, highest bit first
  for (const symbol of CODE_LENGTH_ORDER) write(symbol < 16 ? 4 : 0, 3);
  for (const length of [...literals, ...distances]) {
    for (let bit = 3; bit >= 0; bit--) bits.push((length >> bit) & 1);
  }
  for (let rest = random(400); rest > 0; rest--) bits.push(random(2));
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [k, bit] of bits.entries()) bytes[k >> 3] |= bit << (k & 7);
  return bytes;
}

/**
 * Returns code lengths, of which those in `must` are not 0. The set is complete, or one of its lengths is
 * wrong.
 */
function codeLengths(random: Random, count: number, must: number[]): number[] {
  const lengths = new Array<number>(count).fill(0);
  const depths = [1, 1];
  const wanted = Math.min(count, Math.max(must.length, random(8) ? 2 + random(count) : 1 + random(2)));
  while (depths.length < wanted) {
    const k = random(3) ? depths.length - 1 : random(depths.length);
    if (depths[k] < MAX_CODE_BITS) depths.push(++depths[k]);
  }
  for (const [k, symbol] of [...must, ...anySymbols(random, count)].slice(0, wanted).entries()) {
    lengths[symbol] = depths[k] ?? 0;
  }
  if (random(4) === 0) lengths[random(count)] = random(MAX_CODE_BITS + 1);
  return lengths;
}

function anySymbols(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => random(count));
}
