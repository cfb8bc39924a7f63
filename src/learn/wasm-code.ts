/**
 * WebAssembly written as expressions: each function returns the bytes of an instruction with its operands before
 * it (WebAssembly Core Specification 2.0, section 5). Only what loops over vectors of bits and floats need.
 */

/** Bytes of instructions. */
export type Code = readonly number[];

export interface WasmFunction {
  name: string;
  /** Numbers it takes, all i32; they are its first locals. */
  parameters: number;
  /** Locals after those, in this order. */
  integers: number;
  vectors: number;
  body: Code;
}

const I32 = 0x7f;
const V128 = 0x7b;
const VOID = 0x40;
const END = 0x0b;
const VECTOR = 0xfd;

/** The part of the WebAssembly API that is used here: its types come with those of browsers only. */
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer };
  Module: new (bytes: Uint8Array) => object;
  Instance: new (
    module: object,
    imports: object,
  ) => { exports: Record<string, (...numbers: number[]) => void> };
};

/** Bytes of a page of memory. */
const PAGE = 65_536;

/** The functions, ready to be called, and the memory they work on. */
export function instantiate(functions: readonly WasmFunction[], memoryBytes: number) {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(memoryBytes / PAGE) });
  const module = new WebAssembly.Module(moduleBytes(functions));
  const { exports } = new WebAssembly.Instance(module, { js: { memory } });
  return { memory: memory.buffer, exports };
}

/** A module of functions over a memory that is imported as `js.memory`. */
function moduleBytes(functions: readonly WasmFunction[]): Uint8Array {
  const types = functions.map(({ parameters }) => [0x60, ...vector(new Array(parameters).fill([I32])), 0]);
  const memory = [...text('js'), ...text('memory'), 0x02, 0x00, 0x00];
  const bodies = functions.map(({ integers, vectors, body }) => {
    const locals = vector([
      [...unsigned(integers), I32],
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

function signed(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  for (; rest < -0x40 || rest > 0x3f; rest >>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest & 0x7f];
}

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

// integers and memory; an address is a number and a constant added to it

export const integer = (value: number): Code => [0x41, ...signed(value)];
export const add = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
export const multiply = (a: Code, b: Code): Code => [...a, ...b, 0x6c];
export const or = (a: Code, b: Code): Code => [...a, ...b, 0x72];
export const shiftLeft = (a: Code, b: Code): Code => [...a, ...b, 0x74];
export const isBelow = (a: Code, b: Code): Code => [...a, ...b, 0x49];
export const load = (address: Code, from = 0): Code => [...address, 0x28, 2, ...unsigned(from)];
export const store = (address: Code, from: number, value: Code): Code => [
  ...[...address, ...value],
  ...[0x36, 2, ...unsigned(from)],
];

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
export const andVector = (a: Code, b: Code): Code => simd(0x4e, a, b);
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
