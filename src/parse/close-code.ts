/**
 * An open element ends, in WebAssembly: its hashes are complete and count towards those of the element that holds it.
 * The same arithmetic as in hashes.ts and open-elements.ts; parser.test.ts holds them against each other.
 */
import * as wasm from '../model/wasm-code.ts';
import { ENTRY_BYTES, NODES } from './kernel-layout.ts';

const { add, get, integer, load, multiply, set, shiftLeft, shiftRight, store, subtract, xor } = wasm;

/** Lanes of the start tag and of the children, in bytes from the start of an entry: see open-elements.ts. */
export const TAG_HASH = 32;
export const CHILDREN = 48;

/** `close(entry, end, last)` is `closeEntry` of open-elements.ts, for an entry at an address that may hold nodes. */
export function closeFunction(): wasm.WasmFunction {
  const [entry, end, last, at, low, high, shapeLow, shapeHigh] = Array(8).keys();
  const holder = subtract(get(entry), integer(ENTRY_BYTES));
  const lanes = (toLow: number, toHigh: number, place: number) => [
    ...set(toLow, xor(load(get(entry), TAG_HASH + place), load(get(entry), CHILDREN + place))),
    ...set(toHigh, add(load(get(entry), TAG_HASH + place + 4), load(get(entry), CHILDREN + place + 4))),
    ...mix(toLow, toHigh),
  ];
  const body = [
    set(at, shiftLeft(load(get(entry)), integer(2))),
    store(get(at), NODES.end, get(end)),
    store(get(at), NODES.last, get(last)),
    lanes(low, high, 0),
    lanes(shapeLow, shapeHigh, 8),
    store(get(at), NODES.contentLow, get(low)),
    store(get(at), NODES.contentHigh, get(high)),
    store(get(at), NODES.shapeLow, get(shapeLow)),
    store(get(at), NODES.shapeHigh, get(shapeHigh)),
    fold(holder, CHILDREN, get(low), get(high)),
    fold(holder, CHILDREN + 8, get(shapeLow), get(shapeHigh)),
  ].flat();
  return { name: 'close', parameters: 3, integers: 5, vectors: 0, body };
}

/** `foldLow` and `foldHigh` of hashes.ts: a child's lanes into those at `from` of the entry that holds it. */
export function fold(entry: wasm.Code, from: number, low: wasm.Code, high: wasm.Code): wasm.Code {
  const ofLow = multiply(xor(load(entry, from), low), integer(0x85ebca6b));
  const ofHigh = multiply(add(load(entry, from + 4), high), integer(0xc2b2ae35));
  return [
    ...store(entry, from, add(wasm.rotateLeft(ofLow, integer(13)), high)),
    ...store(entry, from + 4, xor(wasm.rotateLeft(ofHigh, integer(15)), low)),
  ];
}

/** `mixLow` and `mixHigh` of hashes.ts, in place. */
export function mix(low: number, high: number): wasm.Code {
  const finish = (x: number, shift: number) => set(x, xor(get(x), shiftRight(get(x), integer(shift))));
  const scramble = (x: number, shift: number, factor: number) => [
    ...finish(x, shift),
    ...set(x, multiply(get(x), integer(factor))),
  ];
  return [
    set(low, add(get(low), multiply(get(high), integer(0x9e3779b1)))),
    scramble(low, 16, 0x85ebca6b),
    scramble(low, 13, 0xc2b2ae35),
    finish(low, 16),
    set(high, xor(get(high), multiply(get(low), integer(0x7feb352d)))),
    scramble(high, 15, 0x2c1b3c6d),
    scramble(high, 12, 0x297a2d39),
    finish(high, 15),
  ].flat();
}
