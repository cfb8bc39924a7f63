/**
 * WebAssembly written as expressions: each function returns the bytes of an instruction with its operands before
 * it (WebAssembly Core Specification 2.0, section 5). Only what loops over bytes and over vectors of bits and floats
 * need. V8 compiles such loops once and at once, without having to see them run, and with no checks around an access
 * of memory but that of its bounds, which the hardware does.
 */

/** Bytes of instructions. */
export type Code = readonly number[];

export interface WasmFunction {
  name: string;
  /** Numbers it takes, all i32; they are its first locals. */
  parameters: number;
  /** Whether it leaves a number, which is an i32. */
  gives?: boolean;
  /** Locals after those, in this order; longs are i64. */
  integers: number;
  longs?: number;
  vectors: number;
  body: Code;
}

const I32 = 0x7f;
const I64 = 0x7e;
const V128 = 0x7b;
const VOID = 0x40;
const END = 0x0b;
const VECTOR = 0xfd;

/** Bytes of a page of memory. */
const PAGE = 65_536;

/** The functions, ready to be called, and the memory they work on. */
export function instantiate(functions: readonly WasmFunction[], memoryBytes: number) {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(memoryBytes / PAGE) });
  const module = new WebAssembly.Module(moduleBytes(functions));
  const exports = new WebAssembly.Instance(module, { js: { memory } }).exports as Record<
    string,
    (...numbers: number[]) => number
  >;
  return { memory: memory.buffer, exports };
}

/** A module of functions over a memory that is imported as `js.memory`. */
function moduleBytes(functions: readonly WasmFunction[]): Uint8Array {
  const types = functions.map(({ parameters, gives = false }) => [
    ...[0x60, ...vector(new Array(parameters).fill([I32]))],
    ...vector(gives ? [[I32]] : []),
  ]);
  const memory = [...text('js'), ...text('memory'), 0x02, 0x00, 0x00];
  const bodies = functions.map(({ integers, longs = 0, vectors, body }) => {
    const locals = vector([
      [...unsigned(integers), I32],
      [...unsigned(longs), I64],
      [...unsigned(vectors), V128],
    ]);
    const code = [...locals, ...body, END];
    return [...unsigned(code.length), ...code];
  });
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, types),
    ...section(2, [memory]),
    ...section(
      3,
      functions.map((_, index) => unsigned(index)),
    ),
    ...section(
      7,
      functions.map(({ name }, index) => [...text(name), 0x00, ...unsigned(index)]),
    ),
    ...section(10, bodies),
  ]);
}

function section(id: number, entries: Code[]): Code {
  const content = vector(entries);
  return [id, ...unsigned(content.length), ...content];
}

function vector(entries: readonly Code[]): Code {
  return [...unsigned(entries.length), ...entries.flat()];
}

function text(name: string): Code {
  return [...unsigned(name.length), ...Array.from(name, (letter) => letter.charCodeAt(0))];
}

function unsigned(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}

function signed(value: bigint): Code {
  const bytes: number[] = [];
  let rest = value;
  for (; rest < -0x40n || rest > 0x3fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest & 0x7fn)];
}

const binary =
  (code: number) =>
  (a: Code, b: Code): Code => [...a, ...b, code];

// locals and control

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)];
/** The body again and again while the condition holds, tested before it. */
export const loopWhile = (condition: Code, body: Code): Code => [
  ...[0x02, VOID, 0x03, VOID],
  ...[...condition, 0x45, 0x0d, 0x01],
  ...[...body, 0x0c, 0x00],
  ...[END, END],
];
export const ifElse = (condition: Code, then: Code, otherwise: Code): Code => [
  ...[...condition, 0x04, VOID],
  ...then,
  ...[0x05, ...otherwise, END],
];
export const ifThen = (condition: Code, ...then: Code[]): Code => [
  ...[...condition, 0x04, VOID],
  ...[...then.flat(), END],
];
/** The body again and again, until a `leave` inside it. */
export const repeat = (...body: Code[]): Code => [
  ...[0x02, VOID, 0x03, VOID],
  ...[...body.flat(), 0x0c, 0x00],
  ...[END, END],
];
/** Out of `repeat`, from directly inside it or from inside as many `ifThen` or `ifElse`. */
export const leave = (inside = 0): Code => [0x0c, inside + 1];
export const leaveIf = (condition: Code, inside = 0): Code => [...condition, 0x0d, inside + 1];
/** Begins the body of `repeat` again, likewise. */
export const again = (inside = 0): Code => [0x0c, inside];
/** One of two numbers, both of which are worked out. */
export const choose = (condition: Code, then: Code, otherwise: Code): Code => [
  ...then,
  ...otherwise,
  ...[...condition, 0x1b],
];
/** Ends the function with a number. */
export const giveBack = (value: Code): Code => [...value, 0x0f];
/** Calls one of the functions, by its place among them. */
export const call = (place: number, ...operands: Code[]): Code => [
  ...operands.flat(),
  0x10,
  ...unsigned(place),
];

// integers and memory; an address is a number and a constant added to it

export const integer = (value: number): Code => [0x41, ...signed(BigInt(value | 0))];
export const add = binary(0x6a);
export const subtract = binary(0x6b);
export const multiply = binary(0x6c);
export const and = binary(0x71);
export const or = binary(0x72);
export const xor = binary(0x73);
export const shiftLeft = binary(0x74);
export const shiftRight = binary(0x76);
export const rotateLeft = binary(0x77);
export const isZero = (a: Code): Code => [...a, 0x45];
export const isEqual = binary(0x46);
export const isUnequal = binary(0x47);
export const isBelow = binary(0x49);
export const isAtLeast = binary(0x4f);
export const leadingZeros = (a: Code): Code => [...a, 0x67];
export const trailingZeros = (a: Code): Code => [...a, 0x68];
export const load = (address: Code, from = 0): Code => [...address, 0x28, 2, ...unsigned(from)];
export const store = (address: Code, from: number, value: Code): Code => [
  ...[...address, ...value],
  ...[0x36, 2, ...unsigned(from)],
];

export const loadByte = (address: Code, from = 0): Code => [...address, 0x2d, 0, ...unsigned(from)];
export const storeByte = (address: Code, from: number, value: Code): Code => [
  ...[...address, ...value],
  ...[0x3a, 0, ...unsigned(from)],
];

/** Two bytes. */
export const loadPair = (address: Code, from = 0): Code => [...address, 0x2f, 0, ...unsigned(from)];
export const storePair = (address: Code, from: number, value: Code): Code => [
  ...[...address, ...value],
  ...[0x3b, 0, ...unsigned(from)],
];

// integers of 64 bits; shifts take their count modulo 64

export const long = (value: bigint): Code => [0x42, ...signed(BigInt.asIntN(64, value))];
export const asLong = (a: Code): Code => [...a, 0xad];
export const lowHalf = (a: Code): Code => [...a, 0xa7];
export const loadLong = (address: Code, from = 0): Code => [...address, 0x29, 0, ...unsigned(from)];
export const storeLong = (address: Code, from: number, value: Code): Code => [
  ...[...address, ...value],
  ...[0x37, 0, ...unsigned(from)],
];
export const addLong = binary(0x7c);
export const subtractLong = binary(0x7d);
export const multiplyLong = binary(0x7e);
export const andLong = binary(0x83);
export const orLong = binary(0x84);
export const xorLong = binary(0x85);
export const shiftLeftLong = binary(0x86);
export const shiftRightLong = binary(0x88);
export const isNegativeLong = (a: Code): Code => [...a, ...long(0n), 0x53];
export const isZeroLong = (a: Code): Code => [...a, 0x50];
export const isUnequalLong = binary(0x52);
export const trailingZerosLong = (a: Code): Code => [...a, 0x7a];

// vectors of 128 bits

const simd = (code: number, ...operands: Code[]): Code => [...operands.flat(), VECTOR, ...unsigned(code)];
export const loadVector = (address: Code, from = 0): Code => [...simd(0x00, address), 0, ...unsigned(from)];
/** One number of 32 bits in all four places. */
export const loadFourfold = (address: Code, from = 0): Code => [...simd(0x09, address), 2, ...unsigned(from)];
export const storeVector = (address: Code, from: number, value: Code): Code => [
  ...simd(0x0b, address, value),
  ...[0, ...unsigned(from)],
];
/** The integer in all four places. */
export const fourfold = (value: number): Code => simd(0x11, integer(value));
/** The byte in all sixteen places. */
export const sixteenfold = (value: number): Code => simd(0x0f, integer(value));
/** The lowest byte of a number in all sixteen. */
export const sixteenTimes = (a: Code): Code => simd(0x0f, a);
/** Sixteen bytes that are known. */
export const sixteenBytes = (bytes: Code): Code => [...simd(0x0c), ...bytes];
/** The first or the last eight bytes as a long. */
export const firstLong = (a: Code): Code => [...simd(0x1d, a), 0];
export const lastLong = (a: Code): Code => [...simd(0x1d, a), 1];
/** The bytes of `a` at the places that those of `places` name. */
export const pickBytes = (a: Code, places: Code): Code => simd(0x0e, a, places);
/** Four integers by four. */
export const multiplyVector = (a: Code, b: Code): Code => simd(0xb5, a, b);
export const subtractBytes = (a: Code, b: Code): Code => simd(0x71, a, b);
/** All bits of a byte where it is the same in both, or below that of `b`. */
export const areEqual = (a: Code, b: Code): Code => simd(0x23, a, b);
export const areBelow = (a: Code, b: Code): Code => simd(0x26, a, b);
/** The same of integers without a sign. */
export const areBelowWords = (a: Code, b: Code): Code => simd(0x3a, a, b);
export const andVector = (a: Code, b: Code): Code => simd(0x4e, a, b);
/** The bits of `a` that `b` has not. */
export const withoutVector = (a: Code, b: Code): Code => simd(0x4f, a, b);
export const orVector = (a: Code, b: Code): Code => simd(0x50, a, b);
export const xorVector = (a: Code, b: Code): Code => simd(0x51, a, b);
export const isAnySet = (a: Code): Code => simd(0x53, a);
/** All bits of a place where the float of `a` is above that of `b`. */
export const isAbove = (a: Code, b: Code): Code => simd(0x44, a, b);
/** Masks of 32 bits to 16 and of 16 to 8, those of `a` first. */
export const narrowTo16 = (a: Code, b: Code): Code => simd(0x85, a, b);
export const narrowTo8 = (a: Code, b: Code): Code => simd(0x65, a, b);
/** The first bits of sixteen bytes. */
export const signBits = (a: Code): Code => simd(0x64, a);
export const shiftLeftVector = (a: Code, by: number): Code => simd(0xab, a, integer(by));
export const shiftRightVector = (a: Code, by: number): Code => simd(0xad, a, integer(by));
