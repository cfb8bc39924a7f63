/** Nodes in `build` (plain-code.ts): added to the columns, and ended. */
import * as wasm from '../model/wasm-code.ts';
import { ONE, result, step } from './byte-code.ts';
import { CHILDREN, fold } from './close-code.ts';
import { TEXT_SHAPE_HIGH, TEXT_SHAPE_LOW } from './hashes.ts';
import { ENTRY_BYTES, HASH_HIGH, HASH_LOW, NODES } from './kernel-layout.ts';
import {
  at,
  type Callees,
  end,
  FLAGS,
  fourTimes,
  innermostAddress,
  key,
  NEXT_OUTER,
  node,
  nodeCount,
  noteBreak,
  noteSpace,
  p,
  textLength,
  top,
} from './plain-locals.ts';
import { COMMENT, TEXT } from './tree.ts';

const { get, integer, load, set, shiftLeft, store } = wasm;

/** The columns that all nodes have, of the next one; `holder` is the entry of the element that holds it. */
export function addNode(nodeKind: number, name: wasm.Code, { start = at, openEnd = end, holder = top } = {}) {
  return [
    wasm.storeByte(get(nodeCount), NODES.kind, integer(nodeKind)),
    wasm.storePair(shiftLeft(get(nodeCount), ONE), NODES.name, name),
    set(node, fourTimes(get(nodeCount))),
    store(get(node), NODES.parent, load(get(holder))),
    store(get(node), NODES.start, get(start)),
    store(get(node), NODES.openEnd, get(openEnd)),
    store(get(node), NODES.textStart, get(textLength)),
    step(nodeCount, ONE),
  ].flat();
}

/** A text whose hash was just worked out. */
export const addText = (start: number, textEnd: number, holder: number) =>
  [
    addNode(TEXT, integer(0), { start, openEnd: textEnd, holder }),
    endLeaf(textEnd, TEXT_SHAPE_LOW, TEXT_SHAPE_HIGH),
    fold(get(holder), CHILDREN, result(HASH_LOW), result(HASH_HIGH)),
    fold(get(holder), CHILDREN + 8, integer(TEXT_SHAPE_LOW), integer(TEXT_SHAPE_HIGH)),
  ].flat();

/** Likewise a comment, from `at` to `end`; it does not count in its parent's hashes. */
export const addComment = [addNode(COMMENT, integer(0)), endLeaf(end, 1, 1)].flat();

function endLeaf(leafEnd: number, shapeLow: number, shapeHigh: number): wasm.Code {
  return [
    store(get(node), NODES.last, get(nodeCount)),
    store(get(node), NODES.end, get(leafEnd)),
    store(get(node), NODES.contentLow, result(HASH_LOW)),
    store(get(node), NODES.contentHigh, result(HASH_HIGH)),
    store(get(node), NODES.shapeLow, integer(shapeLow)),
    store(get(node), NODES.shapeHigh, integer(shapeHigh)),
  ].flat();
}

/** The current element ends at `end`, up to which the page is built then. Below it stands no ghost. */
export const closeCurrent = ({ close }: Callees) =>
  [
    noteSpace,
    noteBreak(load(get(top), FLAGS)),
    store(innermostAddress(key), 0, load(get(top), NEXT_OUTER)),
    wasm.call(close, get(top), get(end), get(nodeCount)),
    step(top, integer(-ENTRY_BYTES)),
    set(p, get(end)),
  ].flat();
