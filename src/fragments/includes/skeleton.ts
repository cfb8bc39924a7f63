/**
 * What members of a structural class may differ in: their texts and the values of their attributes, the
 * *slots*; and what is left between these, the *skeleton*, which has to be the same byte for byte before two
 * members can be one partial. Slots are named after what they are: `href3`, `text12`.
 */
import { createHash } from 'node:crypto';
import { scanAttributes } from '../../parse/attributes.ts';
import { ELEMENT, TEXT, type Tree } from '../../parse/tree.ts';
import type { FragmentMember } from '../shared-page.ts';

export interface Slot {
  /** `[start, end)` of the source; empty for an attribute without a value. */
  start: number;
  end: number;
  name: string;
}

export interface Skeleton {
  /** Digest of the bytes between the slots. */
  id: string;
  slots: Slot[];
}

/** More slots than this make no partial that anybody would call. */
const MAX_SLOTS = 2000;
const MAX_NAME = 12;

/** The slots of a fragment, ordered and disjoint; null when it has too many or its bytes are out of order. */
export function readSkeleton(tree: Tree, { node, sibling, start, end }: FragmentMember): Skeleton | null {
  const slots = findSlots(tree, node, sibling);
  if (slots === null) return null;
  const hash = createHash('sha256');
  let cursor = start;
  for (const slot of slots) {
    if (slot.start < cursor || slot.end < slot.start || slot.end > end) return null;
    hash.update(tree.source.subarray(cursor, slot.start)).update(SEPARATOR);
    cursor = slot.end;
  }
  hash.update(tree.source.subarray(cursor, end));
  return { id: hash.digest('hex').slice(0, 24), slots };
}

/** A byte that UTF-8 does not have. */
const SEPARATOR = Uint8Array.of(0xff);

function findSlots(tree: Tree, first: number, last: number): Slot[] | null {
  const { source, kind, start, openEnd, end } = tree;
  const slots: Slot[] = [];
  for (let node = first; node < last; node++) {
    if (kind[node] === TEXT) {
      slots.push({ start: start[node], end: end[node], name: `text${slots.length + 1}` });
    } else if (kind[node] === ELEMENT && openEnd[node] > start[node]) {
      for (const { nameStart, nameEnd, valueStart, valueEnd } of scanAttributes(
        source,
        start[node],
        openEnd[node],
      )) {
        const name = nameOf(source.subarray(nameStart, nameEnd));
        slots.push({ start: valueStart, end: valueEnd, name: `${name}${slots.length + 1}` });
      }
    }
    if (slots.length > MAX_SLOTS) return null;
  }
  return slots;
}

function nameOf(bytes: Uint8Array): string {
  const name = bytes.length > MAX_NAME ? '' : Buffer.from(bytes).toString('latin1').toLowerCase();
  return /^[a-z]+$/.test(name) ? name : 'value';
}
