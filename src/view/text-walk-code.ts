/**
 * The text of a page for JSON, in WebAssembly: the walk over its nodes, cut where ranges begin and end, as walk.ts and
 * text-writer.ts have it, where the reasons are told; a test compares the two.
 */
import * as wasm from '../model/wasm-code.ts';
import { LONGEST_REFERENCE } from '../parse/character-references.ts';
import { TAG } from '../parse/tag-names.ts';
import { ELEMENT, TEXT } from '../parse/tree.ts';
import { BLOCK, BREAK, HIDDEN, PRE } from './display.ts';
import { passFirstLineFeed } from './text-copy-code.ts';
import {
  AMPERSAND,
  byteAt,
  column,
  DISPLAY_AT,
  END_AT,
  flushBy,
  is,
  KIND_AT,
  LAST_AT,
  NAME_AT,
  NEWLINE,
  NODE,
  NOWHERE,
  ONE,
  OPEN,
  OPEN_END_AT,
  OUT,
  OUT_AT,
  PARENT_AT,
  PARTS_AT,
  PENDING,
  POSITION,
  PRE_DEPTH,
  PRE_END,
  PRE_START,
  part,
  RANGE,
  RANGE_BYTES,
  RANGES_AT,
  REFERENCE_BYTES_AT,
  SOURCE_AT,
  SOURCE_END,
  SPACE,
  START_AT,
  setState,
  state,
  step,
  use,
  WORD,
  WRITTEN_AT,
} from './text-memory.ts';

const { add, again, and, get, giveBack, ifElse, ifThen, integer, isAtLeast, isBelow, isEqual } = wasm;
const { isUnequal, isZero, leaveIf, load, loadByte, or, repeat, set, shiftLeft, subtract } = wasm;

/** Those that follow. */
export function walkFunctions(): wasm.WasmFunction[] {
  return [seekFunction(), edgeFunction(), gapFunction(), renderFunction()];
}

/** `seek(offset)` gives the address of the range there. */
function seekFunction(): wasm.WasmFunction {
  const [offset, range] = Array(2).keys();
  const body = [
    set(range, state(RANGE)),
    repeat(leaveIf(isAtLeast(get(offset), load(get(range)))), step(range, integer(-RANGE_BYTES))),
    repeat(leaveIf(isBelow(get(offset), load(get(range), WORD))), step(range, integer(RANGE_BYTES))),
    setState(RANGE, get(range)),
    get(range),
  ].flat();
  return { name: 'seek', parameters: 1, gives: true, integers: 1, vectors: 0, body };
}

/** `edge(cut, start)` is `characterEdge` of walk.ts; the start lies before the cut. */
function edgeFunction(): wasm.WasmFunction {
  const [edge, start, back, ahead] = Array(4).keys();
  const isReferenceByte = (offset: number) => loadByte(byteAt(get(offset)), REFERENCE_BYTES_AT);
  const isFar = (from: number, to: number) =>
    isAtLeast(subtract(get(to), get(from)), integer(LONGEST_REFERENCE));
  const lookAhead = [
    set(ahead, get(edge)),
    repeat(
      leaveIf(isAtLeast(get(ahead), state(SOURCE_END))),
      leaveIf(isFar(back, ahead)),
      leaveIf(isZero(isReferenceByte(ahead))),
      step(ahead, ONE),
    ),
    ifThen(isEqual(byteAt(get(ahead)), integer(0x3b)), giveBack(add(get(ahead), ONE))),
    giveBack(get(edge)),
  ].flat();
  const body = [
    repeat(
      leaveIf(isAtLeast(get(edge), state(SOURCE_END))),
      leaveIf(isUnequal(and(byteAt(get(edge)), integer(0xc0)), integer(0x80))),
      step(edge, ONE),
    ),
    set(back, get(edge)),
    repeat(
      leaveIf(isEqual(get(back), get(start))),
      step(back, integer(-1)),
      leaveIf(isFar(back, edge)),
      ifThen(isEqual(byteAt(get(back)), AMPERSAND), lookAhead),
      leaveIf(isZero(isReferenceByte(back))),
    ),
    get(edge),
  ].flat();
  return { name: 'edge', parameters: 2, gives: true, integers: 2, vectors: 0, body };
}

/** `gap(position, to)` is `passSpace` of walk.ts, where there are bytes between the two. */
function gapFunction(): wasm.WasmFunction {
  const [position, to, at, first] = Array(4).keys();
  const isSpace = isEqual(loadByte(byteAt(get(at)), WRITTEN_AT), integer(0x20));
  const isKept = load(use('seek', get(first)), 2 * WORD);
  const address = (offset: number) => add(get(offset), integer(SOURCE_AT));
  const keep = [
    ...passFirstLineFeed(first),
    ...set(first, use('keep', address(first), address(at), NOWHERE)),
  ];
  const stepUntil = (condition: wasm.Code) =>
    repeat(leaveIf(isAtLeast(get(at), get(to))), leaveIf(condition), step(at, ONE));
  const body = [
    set(at, get(position)),
    repeat(
      leaveIf(isAtLeast(get(at), get(to))),
      leaveIf(and(isUnequal(state(PENDING), integer(0)), isZero(state(PRE_DEPTH)))),
      ifThen(
        isEqual(byteAt(get(at)), integer(0x3c)),
        stepUntil(isEqual(byteAt(get(at)), integer(0x3e))),
        step(at, ONE),
        again(1),
      ),
      set(first, get(at)),
      stepUntil(isZero(isSpace)),
      ifThen(isEqual(get(at), get(first)), step(at, ONE), again(1)),
      ifThen(state(PRE_DEPTH), ifThen(isKept, keep, again(2))),
      part(integer(SPACE)),
    ),
    get(to),
  ].flat();
  return { name: 'gap', parameters: 2, gives: true, integers: 2, vectors: 0, body };
}

/**
 * `render(nodes, sourceEnd, resumed)` gives 0, or the address of a reference that is not known; called again with that
 * address, when the reference is known, it goes on from there.
 */
function renderFunction(): wasm.WasmFunction {
  const [nodes, sourceEnd, resumed, node, open, position, kind, display, range, from, to] = Array(11).keys();
  const nameOf = (of: number) => wasm.loadPair(shiftLeft(get(of), ONE), NAME_AT);
  const findDisplay = (of: number) => [
    ...set(display, nameOf(of)),
    ...ifElse(
      isBelow(get(display), integer(256)),
      set(display, loadByte(get(display), DISPLAY_AT)),
      set(display, integer(0)),
    ),
  ];
  const partBlocks = part(loadByte(get(display), PARTS_AT));
  const passTo = (offset: wasm.Code) => [
    ...set(from, offset),
    ...ifThen(isBelow(get(position), get(from)), set(position, get(from))),
  ];
  const rangeEnd = load(get(range), WORD);
  const isKept = load(get(range), 2 * WORD);
  // nearly always the one before
  const seekRange = ifThen(
    isAtLeast(subtract(get(from), load(get(range))), subtract(rangeEnd, load(get(range)))),
    set(range, use('seek', get(from))),
  );
  const passGap = (offset: wasm.Code) => [
    ...set(to, offset),
    ...ifThen(isBelow(get(position), get(to)), set(position, use('gap', get(position), get(to)))),
  ];

  const leaveElement = [
    passGap(column(END_AT, open)),
    findDisplay(open),
    ifThen(
      is(display, PRE),
      setState(PRE_DEPTH, subtract(state(PRE_DEPTH), ONE)),
      ifThen(isZero(state(PRE_DEPTH)), setState(OUT, state(PRE_END))),
    ),
    ifThen(isUnequal(get(display), integer(BREAK)), partBlocks),
    set(open, column(PARENT_AT, open)),
  ].flat();

  const isDroppedLine = and(
    and(is(display, BLOCK, BREAK, PRE), isZero(state(PRE_DEPTH))),
    and(isAtLeast(rangeEnd, column(END_AT, node)), isZero(isKept)),
  );
  const enterElement = [
    findDisplay(node),
    set(from, column(START_AT, node)),
    seekRange,
    ifThen(
      or(is(display, HIDDEN), isDroppedLine),
      ifThen(isUnequal(get(display), integer(HIDDEN)), setState(PENDING, integer(NEWLINE))),
      passTo(column(END_AT, node)),
      set(node, column(LAST_AT, node)),
      again(2),
    ),
    ifElse(
      and(is(display, BREAK), isUnequal(state(PRE_DEPTH), integer(0))),
      [...flushBy(from), ...use('space', integer(0x0a))],
      partBlocks,
    ),
    ifThen(
      is(display, PRE),
      ifThen(
        isZero(state(PRE_DEPTH)),
        setState(PRE_END, state(OUT)),
        setState(PRE_START, column(OPEN_END_AT, node)),
      ),
      setState(PRE_DEPTH, add(state(PRE_DEPTH), ONE)),
    ),
    passTo(column(OPEN_END_AT, node)),
    set(open, get(node)),
    step(node, ONE),
    again(1),
  ].flat();

  // in some elements references are not decoded
  const isRaw = [
    ...set(kind, column(PARENT_AT, node)),
    ...set(kind, nameOf(kind)),
    ...is(kind, TAG.xmp, TAG.plaintext),
  ];
  const stop = or(AMPERSAND, subtract(integer(0), isRaw));
  const stopAtReference = [
    setState(NODE, get(node)),
    setState(OPEN, get(open)),
    setState(POSITION, get(position)),
    giveBack(get(kind)),
  ].flat();
  const writeText = [
    set(from, column(START_AT, node)),
    ifThen(get(resumed), set(from, subtract(get(resumed), integer(SOURCE_AT))), set(resumed, integer(0))),
    repeat(
      leaveIf(isAtLeast(get(from), column(END_AT, node))),
      seekRange,
      set(to, column(END_AT, node)),
      ifThen(
        isBelow(rangeEnd, get(to)),
        set(kind, use('edge', rangeEnd, get(from))),
        ifThen(isBelow(get(kind), get(to)), set(to, get(kind))),
      ),
      ifThen(
        isKept,
        set(kind, use('text', get(from), get(to), stop)),
        ifThen(get(kind), stopAtReference),
        set(from, get(to)),
        again(1),
      ),
      part(integer(SPACE)),
      set(from, get(to)),
    ),
  ].flat();

  const begin = [
    setState(PENDING, integer(NEWLINE)),
    setState(OUT, integer(OUT_AT)),
    setState(PRE_DEPTH, integer(0)),
    setState(RANGE, integer(RANGES_AT)),
    setState(SOURCE_END, get(sourceEnd)),
    set(node, ONE),
  ].flat();
  const resume = [set(node, state(NODE)), set(open, state(OPEN)), set(position, state(POSITION))].flat();
  // elements that end before the node; the document, 0, was not entered
  const leaveElements = repeat(
    leaveIf(isZero(get(open))),
    leaveIf(isBelow(get(node), column(LAST_AT, open))),
    leaveElement,
  );
  const body = [
    ifElse(get(resumed), resume, begin),
    set(range, state(RANGE)),
    repeat(
      ifThen(
        isZero(get(resumed)),
        leaveElements,
        leaveIf(isAtLeast(get(node), get(nodes)), 1),
        passGap(column(START_AT, node)),
      ),
      set(kind, loadByte(get(node), KIND_AT)),
      ifThen(is(kind, ELEMENT), enterElement),
      ifThen(is(kind, TEXT), writeText),
      passTo(column(END_AT, node)),
      step(node, ONE),
    ),
    integer(0),
  ].flat();
  return { name: 'render', parameters: 3, gives: true, integers: 8, vectors: 0, body };
}
