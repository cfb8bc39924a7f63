/**
 * The codes of a block and the tables for them, in WebAssembly, for inflate-code.ts. A table is filled for codes of
 * one bit, then doubled and filled for those of two, and so on: each symbol is written once, the rest is copied.
 * Codes that are not a full set are given up on, but for those of no distance and of a single one, which are allowed.
 */
import * as wasm from '../model/wasm-code.ts';
import * as layout from './inflate-layout.ts';

const { add, and, call, get, giveBack, ifElse, ifThen, integer, isAtLeast, isEqual, isZero, leaveIf } = wasm;
const { load, loadByte, long, lowHalf, or, repeat, set, shiftLeft, shiftRight, store, storeByte, subtract } =
  wasm;
const { COUNTS, LENGTHS, NEXT, SORTED, STATE } = layout;

const ONE = integer(1);
const step = (local: number, by: wasm.Code) => set(local, add(get(local), by));
const wordAt = (index: wasm.Code) => shiftLeft(index, integer(2));
const entryAt = (index: wasm.Code) => shiftLeft(index, integer(layout.SCALE));
const countOf = (length: wasm.Code) => load(wordAt(length), COUNTS);

/**
 * `build(lengths, count, symbols, table, tableBits, entries)` fills a table for codes of so many bits each; 0 when
 * that cannot be.
 */
export function buildFunction(): wasm.WasmFunction {
  const [lengths, count, symbols, table, tableBits, entries, k, length, code, left] = Array(10).keys();
  const [symbol, prefix, free, size, bit] = [10, 11, 12, 13, 14];

  const eachSymbol = (...work: wasm.Code[]) => [
    ...set(k, integer(0)),
    ...repeat(
      set(length, wordAt(loadByte(add(get(lengths), get(k))))),
      ...work,
      step(k, ONE),
      leaveIf(isAtLeast(get(k), get(count))),
    ),
  ];
  const countLengths = [
    ...[0, 16, 32, 48].flatMap((from) => wasm.storeVector(STATE, COUNTS + from, wasm.fourfold(0))),
    ...eachSymbol(store(get(length), COUNTS, add(load(get(length), COUNTS), ONE))),
  ];
  // `left`: of all sequences of 15 bits, those that begin with no code
  const placeLengths = [
    ...set(left, integer(1 << 15)),
    ...set(free, load(STATE, COUNTS)),
    ...store(STATE, NEXT, integer(0)),
    ...set(length, ONE),
    ...repeat(
      store(wordAt(get(length)), NEXT, get(free)),
      step(free, countOf(get(length))),
      set(left, subtract(get(left), shiftLeft(countOf(get(length)), subtract(integer(15), get(length))))),
      step(length, ONE),
      leaveIf(isAtLeast(get(length), integer(16))),
    ),
  ];
  const noDistance = isEqual(get(left), integer(1 << 15));
  const oneDistance = and(isEqual(get(left), integer(1 << 14)), isEqual(load(STATE, COUNTS + 4), ONE));
  const isAllowed = and(isEqual(get(table), integer(layout.DISTANCE_TABLE)), or(noDistance, oneDistance));
  const checkFull = ifThen(
    get(left),
    ifThen(isZero(isAllowed), giveBack(integer(0))),
    wasm.storeLong(get(table), 0, long(BigInt(layout.UNUSUAL))),
    wasm.storeLong(get(table), 8, long(BigInt(layout.UNUSUAL))),
  );
  const sortSymbols = eachSymbol(
    set(free, load(get(length), NEXT)),
    store(get(length), NEXT, add(get(free), ONE)),
    wasm.storePair(shiftLeft(get(free), ONE), SORTED, get(k)),
  );

  const nextSymbol = [
    ...set(symbol, wasm.loadPair(get(k), SORTED)),
    ...step(k, integer(2)),
    ...step(left, integer(-1)),
  ];
  // one more, where the first bit is the lowest: the last zero becomes a one, the ones after it zeros
  const allBits = subtract(shiftLeft(ONE, get(length)), ONE);
  const nextCode = [
    ...set(bit, shiftRight(integer(0x80000000), wasm.leadingZeros(wasm.xor(get(code), allBits)))),
    ...set(code, or(and(get(code), subtract(get(bit), ONE)), get(bit))),
  ];
  const entryOf = (bits: wasm.Code) =>
    wasm.addLong(
      wasm.loadLong(add(get(symbols), entryAt(get(symbol)))),
      wasm.asLong(wasm.multiply(bits, integer(1 | (1 << layout.CODE_AT)))),
    );
  const double = [
    ...set(size, add(get(table), entryAt(shiftLeft(ONE, get(length))))), // end of what there is
    ...set(free, get(table)),
    ...set(prefix, get(size)),
    ...repeat(
      wasm.storeVector(get(prefix), 0, wasm.loadVector(get(free))),
      step(prefix, integer(16)),
      step(free, integer(16)),
      leaveIf(isAtLeast(get(free), get(size))),
    ),
  ];
  const fillTable = [
    ...set(k, shiftLeft(load(STATE, COUNTS), ONE)),
    ...set(length, ONE),
    ...repeat(
      set(left, countOf(get(length))),
      repeat(
        leaveIf(isZero(get(left))),
        nextSymbol,
        wasm.storeLong(add(get(table), entryAt(get(code))), 0, entryOf(get(length))),
        nextCode,
      ),
      leaveIf(isAtLeast(get(length), get(tableBits))),
      double,
      step(length, ONE),
    ),
  ];

  // further tables, each as large as the codes that begin with the same bits need
  const codePrefix = and(get(code), subtract(shiftLeft(ONE, get(tableBits)), ONE));
  const furtherEntry = wasm.orLong(
    wasm.shiftLeftLong(wasm.asLong(entryAt(subtract(get(size), ONE))), long(BigInt(layout.MASK_AT))),
    wasm.asLong(
      or(
        or(integer(layout.UNUSUAL | layout.FURTHER), get(tableBits)),
        shiftLeft(entryAt(get(free)), integer(layout.BASE_AT)),
      ),
    ),
  );
  const openFurther = [
    ...set(prefix, codePrefix),
    ...set(size, subtract(get(length), get(tableBits))), // in bits
    ...set(bit, get(left)), // codes, of this length, that there are
    ...repeat(
      leaveIf(isAtLeast(get(bit), shiftLeft(ONE, get(size)))),
      step(size, ONE),
      set(bit, add(shiftLeft(get(bit), ONE), countOf(add(get(tableBits), get(size))))),
    ),
    ...set(size, shiftLeft(ONE, get(size))),
    ...wasm.storeLong(add(get(table), entryAt(get(prefix))), 0, furtherEntry),
    ...step(free, get(size)),
    ...ifThen(wasm.isBelow(get(entries), get(free)), giveBack(integer(0))),
  ];
  const slot = count; // which is no longer needed
  const furtherBits = subtract(get(length), get(tableBits));
  const fillFurther = [
    ...set(free, shiftLeft(ONE, get(tableBits))),
    ...set(prefix, integer(-1)),
    ...repeat(
      step(length, ONE),
      leaveIf(isAtLeast(get(length), integer(16))),
      set(left, countOf(get(length))),
      repeat(
        leaveIf(isZero(get(left))),
        ifThen(wasm.isUnequal(codePrefix, get(prefix)), openFurther),
        nextSymbol,
        set(slot, shiftRight(get(code), get(tableBits))),
        repeat(
          wasm.storeLong(
            add(get(table), entryAt(add(subtract(get(free), get(size)), get(slot)))),
            0,
            entryOf(furtherBits),
          ),
          step(slot, shiftLeft(ONE, furtherBits)),
          leaveIf(isAtLeast(get(slot), get(size))),
        ),
        nextCode,
      ),
    ),
  ];
  const body = [countLengths, placeLengths, checkFull, sortSymbols, fillTable, fillFurther, ONE].flat();
  return { name: 'build', parameters: 6, gives: true, integers: 9, vectors: 0, body };
}

/** Both tables, from the bits of so many codes of literals and lengths and, after them, of distances. */
const buildBoth = (build: number, literals: wasm.Code, distances: wasm.Code) =>
  and(
    call(
      build,
      ...[integer(LENGTHS), literals, integer(layout.LITERAL_SYMBOLS), integer(layout.LITERAL_TABLE)],
      ...[integer(layout.LITERAL_BITS), integer(layout.LITERAL_ENTRIES)],
    ),
    call(
      build,
      ...[add(integer(LENGTHS), literals), distances],
      ...[integer(layout.DISTANCE_SYMBOLS), integer(layout.DISTANCE_TABLE)],
      ...[integer(layout.DISTANCE_BITS), integer(layout.DISTANCE_ENTRIES)],
    ),
  );

/** `fixed()` fills the tables for the fixed codes, whose bits the caller has put in their place. */
export function fixedFunction(build: number): wasm.WasmFunction {
  const body = buildBoth(build, integer(288), integer(32));
  return { name: 'fixed', parameters: 0, gives: true, integers: 0, vectors: 0, body };
}

/** `dynamic()` reads the codes of a block and fills the tables for them; 0 when that cannot be. */
export function dynamicFunction(build: number): wasm.WasmFunction {
  const [at, literals, distances, codes, k, total, symbol, count, value] = Array(9).keys();
  const [bits, left, entry] = [9, 10, 11];
  const locals = { bits, left, at };
  const readOn = layout.readBits(locals);
  const field = (local: number, width: number, least: number) => [
    ...set(local, and(shiftRight(lowHalf(get(bits)), integer(layout.SCALE)), integer((1 << width) - 1))),
    ...step(local, integer(least)),
    ...layout.takeBits(locals, long(BigInt(width))),
  ];
  const giveUpIf = (condition: wasm.Code) => ifThen(condition, giveBack(integer(0)));

  const readCounts = [
    ...readOn,
    ...[...field(literals, 5, 257), ...field(distances, 5, 1), ...field(codes, 4, 4)],
    ...giveUpIf(or(isAtLeast(get(literals), integer(287)), isAtLeast(get(distances), integer(31)))),
  ];
  const readCodes = [
    ...[0, 16].flatMap((from) => wasm.storeVector(STATE, layout.CODE_LENGTHS + from, wasm.fourfold(0))),
    ...set(k, integer(0)),
    ...repeat(
      readOn,
      field(value, 3, 0),
      storeByte(loadByte(get(k), layout.CODE_ORDER), layout.CODE_LENGTHS, get(value)),
      step(k, ONE),
      leaveIf(isAtLeast(get(k), get(codes))),
    ),
  ];
  const buildCodes = call(
    build,
    ...[integer(layout.CODE_LENGTHS), integer(19), integer(layout.CODE_SYMBOLS), integer(layout.CODE_TABLE)],
    ...[integer(layout.CODE_BITS), integer(1 << layout.CODE_BITS)],
  );

  // a run is written four bytes at a time
  const writeRun = [
    ...step(count, get(k)),
    ...giveUpIf(wasm.isBelow(get(total), get(count))),
    ...set(value, wasm.multiply(get(value), integer(0x01010101))),
    ...repeat(
      store(get(k), LENGTHS, get(value)),
      step(k, integer(4)),
      leaveIf(isAtLeast(get(k), get(count))),
    ),
    ...set(k, get(count)),
  ];
  const repeatLast = [
    ...giveUpIf(isZero(get(k))),
    ...set(value, loadByte(get(k), LENGTHS - 1)),
    ...field(count, 2, 3),
  ];
  const repeatZero = [
    ...set(value, integer(0)),
    ...ifElse(isEqual(get(symbol), integer(17)), field(count, 3, 3), field(count, 7, 11)),
  ];
  const readLengths = [
    ...set(total, add(get(literals), get(distances))),
    ...set(k, integer(0)),
    ...repeat(
      readOn,
      set(entry, layout.lookUp(locals, layout.CODE_TABLE, layout.CODE_BITS)),
      layout.takeBits(locals, get(entry)),
      set(symbol, layout.baseOf(entry)),
      ifElse(
        wasm.isBelow(get(symbol), integer(16)),
        [...storeByte(get(k), LENGTHS, get(symbol)), ...step(k, ONE)],
        [...ifElse(isEqual(get(symbol), integer(16)), repeatLast, repeatZero), ...writeRun],
      ),
      leaveIf(isAtLeast(get(k), get(total))),
    ),
    // without its code a block has no end
    ...giveUpIf(isZero(loadByte(integer(LENGTHS), 256))),
  ];
  const body = [
    layout.openBits(locals),
    readCounts,
    readCodes,
    giveUpIf(isZero(buildCodes)),
    readLengths,
    layout.keepBits(locals),
    buildBoth(build, get(literals), get(distances)),
  ].flat();
  return { name: 'dynamic', parameters: 0, gives: true, integers: 9, longs: 3, vectors: 0, body };
}
