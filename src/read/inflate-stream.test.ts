import { constants, deflateRawSync, gzipSync, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  CODE_LENGTH_ORDER,
  DISTANCE_BASE,
  DISTANCE_EXTRA,
  LENGTH_BASE,
  LENGTH_EXTRA,
} from '../../test/deflate-values.ts';
import { seededNumbers } from '../../test/seeded-random.ts';
import { memorySource } from './byte-source.ts';
import { InflateMemory, MAX_PIECE_BYTES } from './inflate-stream.ts';

const memory = new InflateMemory();
const STRATEGIES = [
  constants.Z_DEFAULT_STRATEGY,
  constants.Z_FILTERED,
  constants.Z_HUFFMAN_ONLY,
  constants.Z_RLE,
  constants.Z_FIXED,
];

type Random = (below: number) => number;

/** Random bytes, with earlier bytes repeated at all distances. */
function mixture(random: Random, sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  const alphabet = 1 + random(256);
  for (let at = 0; at < sizeBytes; ) {
    const end = Math.min(sizeBytes, at + 1 + random(400));
    const isCopy = at > 0 && random(10) < 6;
    const distance = 1 + random(random(2) ? Math.min(at, 32_768) : Math.min(at, 40));
    while (at < end) bytes[at++] = isCopy ? bytes[at - 1 - distance] : random(alphabet);
  }
  return bytes;
}

/** A writer of bits in the order of deflate: numbers from their lowest bit on, codes from their first. */
class BitWriter {
  readonly bits: number[] = [];

  number(value: number, width: number): void {
    for (let bit = 0; bit < width; bit++) this.bits.push((value >> bit) & 1);
  }

  code([code, width]: readonly [number, number]): void {
    for (let bit = width - 1; bit >= 0; bit--) this.bits.push((code >> bit) & 1);
  }

  bytes(): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(this.bits.length / 8));
    for (const [k, bit] of this.bits.entries()) bytes[k >> 3] |= bit << (k & 7);
    return bytes;
  }
}

/** Code lengths of a complete set of codes for `count` symbols; some symbols have no code. */
function randomLengths(random: Random, count: number, must: number[]): number[] {
  const depths = [1, 1];
  const wanted = Math.max(2, must.length, 2 + random(count - 1));
  while (depths.length < wanted) {
    const k = random(3) ? depths.length - 1 : random(depths.length);
    if (depths[k] < 15) depths.push(...depths.splice(k, 1).flatMap((depth) => [depth + 1, depth + 1]));
  }
  const lengths = new Array<number>(count).fill(0);
  const places = [...must, ...shuffled(random, count).filter((k) => !must.includes(k))];
  for (const [k, depth] of shuffled(random, depths.length).entries()) lengths[places[k]] = depths[depth];
  return lengths;
}

function shuffled(random: Random, count: number): number[] {
  const places = Array.from({ length: count }, (_, k) => k);
  for (let k = count - 1; k > 0; k--) {
    const other = random(k + 1);
    [places[k], places[other]] = [places[other], places[k]];
  }
  return places;
}

/** Canonical codes by symbol. */
function codesOf(lengths: readonly number[]): (readonly [number, number])[] {
  const codes: (readonly [number, number])[] = lengths.map(() => [0, 0]);
  let code = 0;
  for (let width = 1; width <= 15; width++, code <<= 1) {
    for (const [symbol, length] of lengths.entries()) if (length === width) codes[symbol] = [code++, width];
  }
  return codes;
}

/** Starts a last block whose codes have these lengths, each written in four bits. */
function beginBlock(literals: number[], distances: number[]): BitWriter {
  const writer = new BitWriter();
  writer.number(0b101, 3);
  writer.number(literals.length - 257, 5);
  writer.number(distances.length - 1, 5);
  writer.number(19 - 4, 4);
  for (const symbol of CODE_LENGTH_ORDER) writer.number(symbol < 16 ? 4 : 0, 3);
  for (const length of [...literals, ...distances]) writer.code([length, 4]);
  return writer;
}

/** A block of random symbols, written in codes of these lengths. */
function blockOf(random: Random, literals: number[], distances: number[], symbols: number): Uint8Array {
  const writer = beginBlock(literals, distances);
  const literalCodes = codesOf(literals);
  const distanceCodes = codesOf(distances);
  const usable = [...literals.keys()].filter((k) => literals[k] > 0 && k !== 256);
  let sizeBytes = 0;
  for (let k = 0; k < symbols && usable.length > 0; k++) {
    const symbol = usable[random(usable.length)];
    // not further back than the start of the output
    const near = [...distances.keys()].filter(
      (k) => distances[k] > 0 && DISTANCE_BASE[k] + (1 << DISTANCE_EXTRA[k]) - 1 <= sizeBytes,
    );
    if (symbol > 256 && near.length === 0) continue;
    writer.code(literalCodes[symbol]);
    sizeBytes++;
    if (symbol < 256) continue;
    const length = random(1 << LENGTH_EXTRA[symbol - 257]);
    writer.number(length, LENGTH_EXTRA[symbol - 257]);
    sizeBytes += LENGTH_BASE[symbol - 257] + length - 1;
    const distance = near[random(near.length)];
    writer.code(distanceCodes[distance]);
    writer.number(random(1 << DISTANCE_EXTRA[distance]), DISTANCE_EXTRA[distance]);
  }
  writer.code(literalCodes[256]);
  return writer.bytes();
}

/** The output of node:zlib; null if it throws. */
function byZlib(stream: Uint8Array): { bytes: Buffer; consumedBytes: number } | null {
  try {
    // `info` also returns the engine, which has the number of bytes read; the types lack it
    const { buffer, engine } = inflateRawSync(stream, { info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return { bytes: buffer, consumedBytes: engine.bytesWritten };
  } catch {
    return null;
  }
}

/** Inflates a whole stream in pieces of `pieceBytes`, from a source with windows of `windowBytes`. */
function inflateAll(stream: Uint8Array, { into = memory, windowBytes = stream.length } = {}) {
  const pieces: Uint8Array[] = [];
  const end = into.inflate(memorySource(stream, { windowBytes }), 0, (piece) => {
    pieces.push(piece.slice());
    return true;
  });
  return { ...end, bytes: Buffer.concat(pieces) };
}

/** Describes how the result differs from that of node:zlib; empty if it does not. */
function difference(stream: Uint8Array, options = {}): string {
  const mine = inflateAll(stream, options);
  const right = byZlib(stream);
  if (mine.producedBytes !== mine.bytes.length) return `counted ${mine.producedBytes} bytes`;
  if (mine.consumedBytes > stream.length) return `took ${mine.consumedBytes} of ${stream.length} bytes`;
  if (mine.status !== 'done') return right === null ? '' : 'gave up';
  if (right === null) return 'gave what is wrong';
  if (mine.consumedBytes !== right.consumedBytes) return `took ${mine.consumedBytes} bytes`;
  return mine.bytes.equals(right.bytes) ? '' : 'gave other bytes';
}

test('streams of every level, strategy and window are inflated as by node:zlib', () => {
  const random = seededNumbers(1);
  for (let round = 0; round < 150; round++) {
    const options = {
      level: round % 10,
      strategy: STRATEGIES[random(5)],
      windowBits: 9 + random(7),
      memLevel: 1 + random(9),
    };
    const sizeBytes = random(10) ? random(40_000) : random(600_000);
    const deflated = deflateRawSync(mixture(random, sizeBytes), options);
    const stream = Buffer.concat([deflated, mixture(random, random(30))]);
    expect({ options, sizeBytes, said: difference(stream) }).toEqual({ options, sizeBytes, said: '' });
  }
});

test('matches repeat bytes 1 to 40 bytes back, or 32 KiB back, up to any length', () => {
  const random = seededNumbers(2);
  for (const distance of [...Array(40).keys(), 257, 4095, 32_505, 32_766, 32_767].map((k) => k + 1)) {
    const pattern = Uint8Array.from({ length: distance }, () => random(256));
    for (const sizeBytes of [3, 15, 16, 17, 31, 32, 33, 34, 258, 259, 5000, 70_000]) {
      const bytes = Uint8Array.from({ length: distance + sizeBytes }, (_, k) => pattern[k % distance]);
      const said = difference(deflateRawSync(bytes, { level: 9, memLevel: 9 }));
      expect({ distance, sizeBytes, said }).toEqual({ distance, sizeBytes, said: '' });
    }
  }
});

test('blocks of all kinds follow each other, and stored blocks may cross any border of the input buffer', () => {
  const random = seededNumbers(3);
  for (let round = 0; round < 30; round++) {
    const pieces: Uint8Array[] = [];
    for (let blocks = 1 + random(12); blocks > 0; blocks--) {
      // a block that ends at a byte border and is not the last
      const options = { level: random(2) * 6, strategy: STRATEGIES[random(5)] };
      const finishFlush = constants.Z_SYNC_FLUSH;
      pieces.push(deflateRawSync(mixture(random, random(90_000)), { ...options, finishFlush }));
    }
    pieces.push(deflateRawSync(mixture(random, random(1000))));
    expect([round, difference(Buffer.concat(pieces))]).toEqual([round, '']);
  }
});

test('codes of all lengths are decoded', () => {
  const random = seededNumbers(4);
  for (let round = 0; round < 400; round++) {
    const literals = randomLengths(random, 257 + random(30), [256, 97]);
    const distances = randomLengths(random, 2 + random(29), []);
    const stream = blockOf(random, literals, distances, random(3) ? 40 : 2000);
    expect([round, byZlib(stream) !== null, difference(stream)]).toEqual([round, true, '']);
  }
});

test('a block may have one distance code or none, but no other incomplete set of codes', () => {
  const random = seededNumbers(5);
  const literals = randomLengths(random, 260, [256, 97, 257]);
  const fewLiterals = new Array<number>(257).fill(0);
  fewLiterals[97] = fewLiterals[256] = 2;
  const sets: [string, number[], number[], boolean][] = [
    ['none', literals, [0], true],
    ['one', literals, [0, 0, 1], true],
    ['one of two bits', literals, [2], false],
    ['two that leave room', literals, [2, 2], false],
    ['too many', literals, [1, 1, 1], false],
    ['literals that leave room', fewLiterals, [1, 1], false],
  ];
  for (const [name, literalLengths, distances, isGood] of sets) {
    const stream = blockOf(random, literalLengths, distances, 50);
    expect([name, byZlib(stream) !== null, difference(stream)]).toEqual([name, isGood, '']);
  }
});

test('a distance without a code is an error', () => {
  // an `a`, then a length of 3, then the unused code beside the only distance code
  const literals = new Array<number>(258).fill(0);
  literals[97] = literals[256] = 2;
  literals[257] = 1;
  for (const [distances, bit, isGood] of [
    [[1], 0, true],
    [[1], 1, false],
    [[0], 0, false],
  ] as const) {
    const writer = beginBlock(literals, [...distances]);
    for (const code of [
      [0b10, 2],
      [0, 1],
      [bit, 1],
      [0b11, 2],
    ] as const)
      writer.code(code);
    const stream = writer.bytes();
    expect([byZlib(stream) !== null, difference(stream)]).toEqual([isGood, '']);
  }
});

test('the start of a stream equals the start of the whole output, and is hardly longer than asked for', () => {
  const random = seededNumbers(11);
  for (let round = 0; round < 200; round++) {
    const bytes = mixture(random, 1 + random(60_000));
    const stream = deflateRawSync(bytes, { level: 1 + random(9), strategy: STRATEGIES[random(5)] });
    const startBytes = 1 + random(20_000);
    const start = memory.inflateStart(stream, startBytes);
    expect(Buffer.compare(start.bytes, bytes.subarray(0, start.bytes.length))).toBe(0);
    expect(['full', 'done']).toContain(start.status);
    if (start.status === 'done') expect(start).toMatchObject({ consumedBytes: stream.length });
    expect(start.bytes.length).toBeGreaterThanOrEqual(Math.min(startBytes, bytes.length));
    expect(start.bytes.length).toBeLessThan(startBytes + 300);
    expect(start.consumedBytes).toBeLessThanOrEqual(stream.length);
    // bytes after the consumed part make no difference
    const cut = stream.subarray(0, start.consumedBytes);
    const again = memory.inflateStart(cut, startBytes);
    expect(Buffer.compare(again.bytes, bytes.subarray(0, again.bytes.length))).toBe(0);
  }
});

test('a stream that ends before its wanted start is complete is cut', () => {
  const bytes = mixture(seededNumbers(12), 30_000);
  const start = memory.inflateStart(deflateRawSync(bytes).subarray(0, 500), 20_000);
  expect(start.status).toBe('cut');
  expect(bytes.subarray(0, start.bytes.length).equals(start.bytes)).toBe(true);
});

test('a stream cut at any position gives the bytes before the cut, as with node:zlib', () => {
  const random = seededNumbers(6);
  for (const options of [{}, { level: 0 }, { strategy: constants.Z_FIXED }, { level: 1 }]) {
    const bytes = mixture(random, 1700);
    const stream = deflateRawSync(bytes, options);
    for (let end = 0; end < stream.length; end++) {
      const part = stream.subarray(0, end);
      const mine = inflateAll(part);
      const right = inflateRawSync(part, { finishFlush: constants.Z_SYNC_FLUSH });
      expect([options, end, mine.status, mine.bytes.equals(right)]).toEqual([options, end, 'cut', true]);
    }
  }
});

test('pieces of any size, from windows of any size, give the same bytes', () => {
  const random = seededNumbers(13);
  for (let round = 0; round < 60; round++) {
    const bytes = mixture(random, random(400_000));
    const options = { level: random(10), strategy: STRATEGIES[random(5)] };
    const stream = Buffer.concat([deflateRawSync(bytes, options), mixture(random, 50)]);
    const into = new InflateMemory(1 + random(random(2) ? 100_000 : 300));
    expect([round, difference(stream, { into, windowBytes: 1 + random(5000) })]).toEqual([round, '']);
    into.release();
  }
});

test('damaged streams give the bytes that node:zlib gives, and none if it gives none', () => {
  const random = seededNumbers(7);
  for (let round = 0; round < 2500; round++) {
    const options = { level: random(10), strategy: STRATEGIES[random(5)] };
    const stream = deflateRawSync(mixture(random, random(900)), options);
    for (let flips = 1 + random(3); flips > 0; flips--) {
      stream[random(random(2) ? stream.length : Math.min(80, stream.length))] ^= 1 << random(8);
    }
    expect([round, difference(stream)]).toEqual([round, '']);
  }
});

test('bytes that are not a stream give the result of node:zlib', () => {
  const random = seededNumbers(8);
  for (let round = 0; round < 1500; round++) {
    const stream = Uint8Array.from({ length: random(200) }, () => random(256));
    expect([round, difference(stream)]).toEqual([round, '']);
  }
});

test('a stream does not read the output of the one before it', () => {
  const far = Uint8Array.of(0x03, 0x02, 0x00); // a match at the very start of the stream
  inflateAll(deflateRawSync(Buffer.alloc(100_000, 'what came before ')));
  expect(byZlib(far)).toBeNull();
  expect(inflateAll(far).status).toBe('bad');
});

test('the last piece stays valid until the next stream', () => {
  let last: Uint8Array = new Uint8Array(0);
  const inflate = (text: string) =>
    memory.inflate(memorySource(deflateRawSync(text)), 0, (piece) => {
      last = piece;
      return true;
    });
  inflate('first');
  const first = last;
  expect(Buffer.from(first).toString()).toBe('first');
  inflate('other');
  expect(Buffer.from(first).toString()).toBe('other');
});

test('a stream larger than a piece comes in several, stored or compressed', () => {
  for (const options of [{ level: 0 }, { level: 1 }]) {
    const bytes = Buffer.alloc(2 * MAX_PIECE_BYTES + 512_345, 'page ');
    const stream = deflateRawSync(bytes, options);
    const sizes: number[] = [];
    const end = memory.inflate(memorySource(stream), 0, (piece, _, isLast) => {
      sizes.push(piece.length);
      expect(isLast).toBe(sizes.length === 3);
      return true;
    });
    expect(end).toEqual({ status: 'done', consumedBytes: stream.length, producedBytes: bytes.length });
    expect(sizes.slice(0, 2).every((size) => size >= MAX_PIECE_BYTES)).toBe(true);
    expect(inflateAll(stream).bytes.equals(bytes)).toBe(true);
  }
});

test('a bomb is stopped by its sink', () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000)).subarray(10);
  let total = 0;
  const end = new InflateMemory(128 * 1024).inflate(
    memorySource(bomb),
    0,
    (piece) => (total += piece.length) < 1_000_000,
  );
  expect(end.status).toBe('stopped');
  expect(end.producedBytes).toBeLessThan(1_200_000);
});

/** Code lengths of literals: 0 except the given ones, up to symbol 257 at least. */
function lengthsOf(given: Record<number, number>): number[] {
  const size = Math.max(257, ...Object.keys(given).map((symbol) => Number(symbol) + 1));
  return Array.from({ length: size }, (_, symbol) => given[symbol] ?? 0);
}

test.each([
  ['an incomplete literal code', lengthsOf({ 65: 2, 256: 2 }), [0], '0001', false],
  ['an over-subscribed literal code', lengthsOf({ 65: 1, 66: 1, 256: 1 }), [0], '00', false],
  ['no end of block', lengthsOf({ 65: 1, 66: 1 }), [0], '00', false],
  ['a single literal code of one bit', lengthsOf({ 256: 1 }), [0], '0', true],
  ['a single literal code of two bits', lengthsOf({ 256: 2 }), [0], '00', false],
  ['no distance code, and none used', lengthsOf({ 65: 1, 256: 1 }), [0], '01', true],
  ['a single distance code of one bit', lengthsOf({ 65: 2, 256: 2, 257: 1 }), [1], '100011', true],
  ['the other code of a single one of one bit', lengthsOf({ 65: 2, 256: 2, 257: 1 }), [1], '100111', false],
  ['a single distance code of two bits', lengthsOf({ 65: 1, 256: 1 }), [2], '01', false],
  ['an incomplete distance code', lengthsOf({ 65: 1, 256: 1 }), [2, 2], '01', false],
  ['an over-subscribed distance code', lengthsOf({ 65: 1, 256: 1 }), [1, 1, 1], '01', false],
  ['too many literals', lengthsOf({ 65: 1, 256: 1, 286: 0 }), [0], '01', false],
  ['too many distances', lengthsOf({ 65: 1, 256: 1 }), Array(31).fill(0), '01', false],
])('%s is accepted or refused as by zlib', (_, literals, distances, data, isSound) => {
  const writer = beginBlock(literals, distances);
  writer.bits.push(...[...data].map(Number));
  const block = writer.bytes();
  expect(byZlib(block) !== null).toBe(isSound);
  expect(inflateAll(block).status).toBe(isSound ? 'done' : 'bad');
});
