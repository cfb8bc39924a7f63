/** Expressions over bytes of the source that several functions of the kernel have in common. */
import * as wasm from '../model/wasm-code.ts';
import { SOURCE_AT } from './kernel-layout.ts';

const { add, and, get, ifThen, integer, isAtLeast, isBelow, isUnequal, isZero, long, or, set, subtract } =
  wasm;

export const ONE = integer(1);
export const step = (local: number, by: wasm.Code) => set(local, add(get(local), by));

/** Results of functions, in the words at the start of the memory. */
const RESULTS = integer(0);
export const giveResult = (result: number, value: wasm.Code) => wasm.store(RESULTS, 4 * result, value);
export const result = (index: number) => wasm.load(RESULTS, 4 * index);

/** The byte at an offset of the source. */
export const byteAt = (offset: wasm.Code, from = 0) => wasm.loadByte(offset, SOURCE_AT + from);
/** Sixteen bytes from there on. */
export const sixteenAt = (offset: wasm.Code, from = 0) => wasm.loadVector(offset, SOURCE_AT + from);
export const addressOf = (offset: wasm.Code) => add(offset, integer(SOURCE_AT));

export const SPACES = '\t\n\f\r ';
/** Whether a byte in a local is one of some characters below `@`: its bit in a set of 64. */
export function isOneOf(byte: number, characters: string): wasm.Code {
  let bits = 0n;
  for (const character of characters) bits |= 1n << BigInt(character.charCodeAt(0));
  const bit = wasm.shiftRightLong(long(bits), wasm.asLong(get(byte)));
  return and(isBelow(get(byte), integer(64)), wasm.lowHalf(wasm.andLong(bit, long(1n))));
}

/** Whether it is one of them, or the zero at the end of the source: zeros before are bytes like others. */
export const endsAt = (byte: number, p: number, characters: string, size: number): wasm.Code =>
  and(isOneOf(byte, `${characters}\0`), or(isUnequal(get(byte), integer(0)), isAtLeast(get(p), get(size))));

export const isLetter = (byte: wasm.Code) =>
  isBelow(subtract(or(byte, integer(0x20)), integer(0x61)), integer(26));
const isCapital = (byte: wasm.Code) => isBelow(subtract(byte, integer(0x41)), integer(26));
/** A byte in lower case. */
export const lowerCase = (byte: number) => add(get(byte), wasm.shiftLeft(isCapital(get(byte)), integer(5)));

/** Sets a local to the first offset from it on that holds a byte, or to one not below `size` when none does. */
export function findByte(p: number, byte: wasm.Code, { size, found }: { size: number; found: number }) {
  return wasm.repeat(
    set(found, wasm.signBits(wasm.areEqual(sixteenAt(get(p)), wasm.sixteenTimes(byte)))),
    ifThen(get(found), step(p, wasm.trailingZeros(get(found))), wasm.leave(1)),
    step(p, integer(16)),
    wasm.leaveIf(isAtLeast(get(p), get(size))),
  );
}

const PLACE_NUMBERS = Array.from({ length: 16 }, (_, place) => place);
/** The first bytes of a vector, as many as a number says, and zeros. */
export const firstBytes = (vector: wasm.Code, count: wasm.Code) =>
  wasm.andVector(vector, wasm.areBelow(wasm.sixteenBytes(PLACE_NUMBERS), wasm.sixteenTimes(count)));
export const areSame = (a: wasm.Code, b: wasm.Code) => isZero(wasm.isAnySet(wasm.xorVector(a, b)));
