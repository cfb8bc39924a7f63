/**
 * Where content that is not markup ends, in WebAssembly: that of script, style, title and their like, and that of
 * comments. Candidates are searched for sixteen bytes at a time.
 */
import * as wasm from '../model/wasm-code.ts';
import { areSame, byteAt, findByte, firstBytes, isOneOf, ONE, SPACES, sixteenAt, step } from './byte-code.ts';
import { TAG_BITS, TAGS_AT } from './kernel-layout.ts';
import { TAG_NAME_AT, TAG_SIZE_AT } from './plain-tags.ts';
import { TAG } from './tag-names.ts';

const { add, and, get, giveBack, ifElse, ifThen, integer, isAtLeast, isBelow, isEqual } = wasm;
const { isZero, leaveIf, load, repeat, set, shiftLeft, subtract } = wasm;

const LESS = integer(0x3c);
const GREATER = integer(0x3e);
const is = (offset: wasm.Code, from: number, character: string) =>
  isEqual(byteAt(offset, from), integer(character.charCodeAt(0)));

/** `commentEnd(start, size)` gives the offset past a comment whose content starts at `start`. */
export function commentEndFunction(): wasm.WasmFunction {
  const [start, size, p, dash, found] = Array(5).keys();
  const body = [
    ifThen(is(get(start), 0, '>'), giveBack(add(get(start), ONE))),
    ifThen(and(is(get(start), 0, '-'), is(get(start), 1, '>')), giveBack(add(get(start), integer(2)))),
    set(p, get(start)),
    repeat(
      findByte(p, GREATER, { size, found }),
      ifThen(isAtLeast(get(p), get(size)), giveBack(get(size))),
      // `--!>` ends it too
      set(dash, subtract(get(p), add(ONE, is(get(p), -1, '!')))),
      step(p, ONE),
      leaveIf(and(isBelow(get(start), get(dash)), and(is(get(dash), 0, '-'), is(get(dash), -1, '-')))),
    ),
    get(p),
  ].flat();
  return { name: 'commentEnd', parameters: 2, gives: true, integers: 3, vectors: 0, body };
}

/**
 * `rawEnd(start, size, tag)` gives the offset of the end tag that ends a raw element of this tag; the size when there
 * is none. Scripts hide in comments: after `<!--`, a `<script` makes the next `</script` one of the comment's own,
 * until `-->`.
 */
export function rawEndFunction(): wasm.WasmFunction {
  const [start, size, tag, found, after, isNested, commentEnd, ofTag, name] = Array(9).keys();
  const p = start;

  // whether the name stands there, in any case, and ends there
  const isName = (from: number) => {
    const nameSize = load(get(ofTag), TAG_SIZE_AT);
    const there = wasm.orVector(sixteenAt(get(p), from), wasm.sixteenfold(0x20));
    return [
      ...set(after, byteAt(add(get(p), nameSize), from)),
      ...and(areSame(firstBytes(there, nameSize), get(name)), isOneOf(after, `>/${SPACES}`)),
    ];
  };
  const findCommentEnd = [
    set(commentEnd, add(get(p), integer(3))),
    repeat(
      step(commentEnd, ONE),
      findByte(commentEnd, GREATER, { size, found }),
      leaveIf(isAtLeast(get(commentEnd), get(size))),
      leaveIf(and(is(get(commentEnd), -1, '-'), is(get(commentEnd), -2, '-'))),
    ),
  ].flat();
  const startsComment = and(is(get(p), 1, '!'), and(is(get(p), 2, '-'), is(get(p), 3, '-')));
  const lookAtComment = ifElse(
    get(commentEnd),
    ifThen(isName(1), set(isNested, ONE)),
    ifThen(startsComment, findCommentEnd),
  );

  const body = [
    set(ofTag, add(shiftLeft(get(tag), integer(TAG_BITS)), integer(TAGS_AT))),
    set(name, wasm.loadVector(get(ofTag), TAG_NAME_AT)),
    repeat(
      findByte(p, LESS, { size, found }),
      ifThen(isAtLeast(get(p), get(size)), giveBack(get(size))),
      // the comment is over
      ifThen(isBelow(get(commentEnd), get(p)), set(commentEnd, integer(0)), set(isNested, integer(0))),
      ifElse(
        is(get(p), 1, '/'),
        ifThen(isName(2), leaveIf(isZero(get(isNested)), 2), set(isNested, integer(0))),
        ifThen(isEqual(get(tag), integer(TAG.script)), lookAtComment),
      ),
      step(p, ONE),
    ),
    get(p),
  ].flat();
  return { name: 'rawEnd', parameters: 3, gives: true, integers: 5, vectors: 1, body };
}
