/**
 * The inner loop of the fast inflater, in WebAssembly: literals and matches of a block, by tables that
 * inflate-table-code.ts fills. It is fast because 64 bits are read at once, because nearly every symbol is found by
 * one look, because the next is looked up before a match is copied, and because matches are copied 16 bytes at a
 * time, over what comes after them. It may read and write somewhat beyond where it has to stop: inflate-kernel.ts
 * leaves room for that, and throws away what comes of it.
 */
import * as wasm from '../model/wasm-code.ts';
import * as layout from './inflate-layout.ts';

const { add, again, and, get, giveBack, ifElse, ifThen, integer, isAtLeast, leaveIf, load } = wasm;
const { long, lowHalf, repeat, set, shiftLeft, store, storeByte, subtract } = wasm;
const { baseOf, readBits, STATE, takeBits } = layout;

const step = (local: number, by: number) => set(local, add(get(local), integer(by)));

/** `begin()` takes the three bits that a block begins with and gives them. */
export function beginFunction(): wasm.WasmFunction {
  const [at, header, bits, left] = Array(4).keys();
  const locals = { bits, left, at };
  const body = [
    layout.openBits(locals),
    readBits(locals),
    set(header, and(wasm.shiftRight(lowHalf(get(bits)), integer(layout.SCALE)), integer(7))),
    takeBits(locals, long(3n)),
    layout.keepBits(locals),
    get(header),
  ].flat();
  return { name: 'begin', parameters: 0, gives: true, integers: 2, longs: 2, vectors: 0, body };
}

/**
 * `symbols(inputLimit, outputLimit, outputStart)` goes on until the block ends (1), a limit is reached (2) or
 * something is wrong (0).
 */
export function symbolsFunction(): wasm.WasmFunction {
  const [inputLimit, outputLimit, outputStart, at, out, from, end, distance] = Array(8).keys();
  const [bits, left, entry, before, sixteen] = [8, 9, 10, 11, 12];
  const locals = { bits, left, at };
  const base = baseOf(entry);
  const mask = wasm.shiftRightLong(get(entry), long(BigInt(layout.MASK_AT)));
  const isLiteral = wasm.isNegativeLong(get(entry));
  const isUnusual = and(lowHalf(get(entry)), integer(layout.UNUSUAL));
  const hasFurther = and(lowHalf(get(entry)), integer(layout.FURTHER));

  const readOn = readBits(locals);
  const take = [...set(before, get(bits)), ...takeBits(locals, get(entry))];
  const lookUpLiteral = set(entry, layout.lookUp(locals, layout.LITERAL_TABLE, layout.LITERAL_BITS));
  const lookUpDistance = set(entry, layout.lookUp(locals, layout.DISTANCE_TABLE, layout.DISTANCE_BITS));
  const lookFurther = (table: number) => [
    ...set(entry, wasm.loadLong(add(base, lowHalf(wasm.andLong(get(bits), mask))), table)),
    ...take,
  ];
  // the base and the extra bits
  const codeBits = wasm.shiftRightLong(get(entry), long(BigInt(layout.CODE_AT)));
  const value = add(base, lowHalf(wasm.andLong(wasm.shiftRightLong(get(before), codeBits), mask)));
  const writeLiteral = [...storeByte(get(out), 0, base), ...step(out, 1)];
  const keep = [...layout.keepBits(locals), ...store(STATE, layout.OUTPUT, get(out))];

  // literals of the table alone have 11 bits at most: four of them, or three and a length, are always at hand
  const literals = ifThen(
    isLiteral,
    ...[writeLiteral, lookUpLiteral, take],
    ifThen(
      isLiteral,
      ...[writeLiteral, lookUpLiteral, take],
      ifThen(
        isLiteral,
        ...[writeLiteral, lookUpLiteral, take],
        ifThen(isLiteral, writeLiteral, readOn, lookUpLiteral, again(4)),
      ),
    ),
    readOn,
  );
  const unusualLength = ifThen(
    isUnusual,
    ifThen(
      hasFurther,
      lookFurther(layout.LITERAL_TABLE),
      ifThen(isLiteral, writeLiteral, readOn, lookUpLiteral, again(3)),
    ),
    ifThen(isUnusual, keep, giveBack(base)),
    readOn,
  );
  const unusualDistance = ifThen(
    isUnusual,
    ifThen(hasFurther, lookFurther(layout.DISTANCE_TABLE)),
    ifThen(isUnusual, giveBack(integer(0))),
  );

  const copySixteen = (offset: number) =>
    wasm.storeVector(get(out), offset, wasm.loadVector(get(from), offset));
  // few matches are longer than 48 bytes, and a wrong guess costs more than copying too much
  const copyFar = [
    ...[copySixteen(0), copySixteen(16), copySixteen(32)],
    ifThen(
      wasm.isBelow(add(get(out), integer(48)), get(end)),
      repeat(
        copySixteen(48),
        step(out, 16),
        step(from, 16),
        leaveIf(isAtLeast(add(get(out), integer(48)), get(end))),
      ),
    ),
  ].flat();
  // what a match repeats within itself is put together once
  const pattern = wasm.loadVector(shiftLeft(get(distance), integer(4)), layout.PATTERNS);
  const copyNear = [
    set(sixteen, wasm.pickBytes(wasm.loadVector(get(from)), pattern)),
    set(distance, load(shiftLeft(get(distance), integer(2)), layout.STEPS)),
    repeat(
      wasm.storeVector(get(out), 0, get(sixteen)),
      set(out, add(get(out), get(distance))),
      leaveIf(isAtLeast(get(out), get(end))),
    ),
  ].flat();

  const body = [
    layout.openBits(locals),
    set(out, load(STATE, layout.OUTPUT)),
    readOn,
    lookUpLiteral,
    repeat(
      leaveIf(isAtLeast(get(at), get(inputLimit))),
      leaveIf(isAtLeast(get(out), get(outputLimit))),
      take,
      literals,
      unusualLength,
      set(end, add(get(out), value)),
      ...[lookUpDistance, take, unusualDistance],
      set(distance, value),
      set(from, subtract(get(out), get(distance))),
      // before the start of what was written
      ifThen(wasm.isBelow(subtract(get(out), get(outputStart)), get(distance)), giveBack(integer(0))),
      ...[readOn, lookUpLiteral],
      ifElse(isAtLeast(get(distance), integer(16)), copyFar, copyNear),
      set(out, get(end)),
    ),
    keep,
    integer(2),
  ].flat();
  return { name: 'symbols', parameters: 3, gives: true, integers: 5, longs: 4, vectors: 1, body };
}
