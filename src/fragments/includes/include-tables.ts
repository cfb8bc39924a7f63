/**
 * Decides which shared fragments get a file: structural ones as partials with parameters (`PartialTable`),
 * complete ones as they are (`FragmentTable`). Members of a structural class differ in their texts and in the
 * values of their attributes, the *slots*. The bytes between the slots are the *skeleton*. Members with equal
 * skeletons form one partial. A slot with the same value in all of them is part of it; the other slots are
 * its parameters, named by their kind: `href3`, `text12`.
 *
 *     worth a partial  ⇔  (uses − 1) × constant bytes
 *                           − uses × (bytes of the call and of the parameters' names + cost of an include)
 *                         >  what includes of the complete fragments within the members would save
 *
 * Memory: 13 bytes for each slot of a known skeleton, with a bound; members beyond it form no partial.
 */
import { createHash } from 'node:crypto';
import { hashBytes } from '../../analysis/byte-hash.ts';
import { HashCounter } from '../../analysis/hash-tables.ts';
import { scanAttributes } from '../../parse/attributes.ts';
import { ELEMENT, TEXT, type Tree } from '../../parse/tree.ts';
import type { FragmentMember } from '../shared-page.ts';
import { CALL_OVERHEAD, contentId, PARAMETER_OVERHEAD, parameterTag } from './include-syntax.ts';

/** A partial that may get a file. */
export interface ChosenPartial {
  id: string;
  uses: number;
  /** For each slot, 1 if its value differs between members. */
  varies: Uint8Array;
  /** For each slot, a hash of its value in the first member. */
  hashes: Float64Array;
  /** For each slot, the bytes of its value in the first member. */
  sizes: Uint32Array;
  /** Bytes between the slots. */
  skeletonBytes: number;
  /** Bytes that complete includes within the members would save. */
  rivalBytes: number;
  /** Whether its file has been written. */
  written: boolean;
}

const MAX_REMEMBERED_SLOTS = 4_000_000;

/** Counts the members of structural classes by skeleton, and chooses the partials worth a file. */
export class PartialTable {
  readonly #partials = new Map<string, ChosenPartial>();
  #remembered = 0;

  /** Counts a member; `rivalBytes` is the number of bytes that complete includes within it would save. */
  count(tree: Tree, member: FragmentMember, rivalBytes: number): void {
    const skeleton = readSkeleton(tree, member);
    if (skeleton === null) return;
    const { id, slots } = skeleton;
    let partial = this.#partials.get(id);
    if (partial === undefined) {
      if (this.#remembered + slots.length > MAX_REMEMBERED_SLOTS) return;
      this.#remembered += slots.length;
      const sizes = Uint32Array.from(slots, ({ start, end }) => end - start);
      partial = {
        id,
        uses: 0,
        varies: new Uint8Array(slots.length),
        hashes: Float64Array.from(slots, ({ start, end }) => hashOf(tree.source, start, end)),
        sizes,
        skeletonBytes: member.end - member.start - sum(sizes),
        rivalBytes: 0,
        written: false,
      };
      this.#partials.set(id, partial);
    }
    partial.uses++;
    partial.rivalBytes += rivalBytes;
    for (let k = 0; k < slots.length; k++) {
      const { start, end } = slots[k];
      if (partial.varies[k] === 0 && hashOf(tree.source, start, end) !== partial.hashes[k])
        partial.varies[k] = 1;
    }
  }

  /** Drops partials that are not worth a file and returns the number of the others. */
  choose(includeCostBytes: number): number {
    for (const [id, { uses, varies, sizes, skeletonBytes, rivalBytes }] of this.#partials) {
      const parameters = sum(varies);
      const constant = skeletonBytes + sum(sizes.filter((_, slot) => varies[slot] === 0));
      const call = CALL_OVERHEAD + includeCostBytes + parameters * (MEAN_NAME + PARAMETER_OVERHEAD);
      const saved = (uses - 1) * constant - uses * call - parameters * PLACEHOLDER;
      if (uses < 2 || saved <= rivalBytes) this.#partials.delete(id);
    }
    return this.#partials.size;
  }

  /** Returns the chosen partial of a member with its slots; undefined when the member has none. */
  find(tree: Tree, member: FragmentMember): { partial: ChosenPartial; skeleton: Skeleton } | undefined {
    const skeleton = readSkeleton(tree, member);
    const partial = skeleton === null ? undefined : this.#partials.get(skeleton.id);
    return partial === undefined || skeleton === null ? undefined : { partial, skeleton };
  }
}

const MEAN_NAME = 'text12'.length;
const PLACEHOLDER = parameterTag('text12').length;
const sum = (numbers: Uint8Array | Uint32Array): number => {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
};
const lanes = { low: 0, high: 0 };

function hashOf(source: Uint8Array, start: number, end: number): number {
  hashBytes(source, start, end, lanes);
  return (lanes.high & 0x1fffff) * 0x100000000 + (lanes.low >>> 0);
}

/** A slot of a skeleton: a text or an attribute value that differs between members. */
interface Slot {
  /** `[start, end)` of the source; empty for an attribute without a value. */
  start: number;
  end: number;
  name: string;
}

/** The slots of a fragment, and the identity of the bytes between them. */
export interface Skeleton {
  /** Digest of the bytes between the slots. */
  id: string;
  slots: Slot[];
}

/** Maximum number of slots of a partial; calls with more would be unreadable. */
const MAX_SLOTS = 2000;
const MAX_NAME = 12;

/**
 * Returns the slots of a fragment, ordered and disjoint; null when there are too many or its bytes are out of
 * order.
 */
function readSkeleton(tree: Tree, { node, sibling, start, end }: FragmentMember): Skeleton | null {
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

/** A byte that does not occur in UTF-8. */
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

/** A span of a page, by offsets of its source, as bytes of an include. */
export type Slice = (start: number, end: number) => Uint8Array;

/**
 * A byte string of a complete fragment class. Fragments of a class are equal as trees but may differ in bytes
 * (order of attributes, white space). An include is one byte string, so each is counted and judged alone.
 */
export interface Variant {
  /** Digest of its bytes. */
  id: string;
  bytes: number;
  uses: number;
  /** Longest chain of includes from its file on, 1 when it includes nothing; 0 until the file is written. */
  depth: number;
  /** Number of includes that including it costs, itself included. */
  includes: number;
}

/** An occurrence of a variant, `[start, end)` of a source. */
export interface Occurrence {
  variant: Variant;
  start: number;
  end: number;
}

/** Maximum number of lengths per content hash; equal trees rarely have more than a few spellings. */
const MAX_LENGTHS = 32;

/**
 * Counts the variants of complete fragments, and chooses those worth a file:
 *
 *     worth a file  ⇔  (uses − 1) × bytes  >  uses × (bytes of the tag + cost of an include)
 *
 * Occurrences are found by the content hash of their first node, which the tree has already, and confirmed by
 * a digest of their bytes. Memory: 20 bytes for a variant seen once, an entry for one seen again.
 */
export class FragmentTable {
  readonly #seen = new HashCounter();
  readonly #variants = new Map<string, Variant>();
  /** By content hash of the first node: the source lengths of variants that start with it. */
  readonly #lengths = new Map<number, Set<number>>();

  /** Counts a use of the fragment `[start, end)` whose first node is `node`. */
  count(tree: Tree, node: number, end: number, slice: Slice): void {
    const start = tree.start[node];
    const bytes = slice(start, end);
    const id = contentId(bytes);
    const variant = this.#variants.get(id);
    if (variant !== undefined) variant.uses++;
    else if (this.#sawBefore(id)) {
      this.#variants.set(id, { id, bytes: bytes.length, uses: 2, depth: 0, includes: 0 });
    } else return;
    const key = contentKey(tree, node);
    const lengths = this.#lengths.get(key);
    if (lengths === undefined) this.#lengths.set(key, new Set([end - start]));
    else if (lengths.size < MAX_LENGTHS) lengths.add(end - start);
  }

  /** Drops fragments that are not worth a file and returns the number of the others. */
  choose(tagBytes: number, includeCostBytes: number): number {
    this.#seen.clear();
    for (const [id, { bytes, uses }] of this.#variants) {
      if ((uses - 1) * bytes <= uses * (tagBytes + includeCostBytes)) this.#variants.delete(id);
    }
    for (const [key, lengths] of this.#lengths) {
      this.#lengths.set(key, new Set([...lengths].sort((a, b) => b - a)));
    }
    return this.#variants.size;
  }

  /** Returns the longest chosen fragment that starts with a node, ends by `limit` and satisfies `suits`. */
  find(
    tree: Tree,
    node: number,
    limit: number,
    slice: Slice,
    suits: (variant: Variant) => boolean,
  ): Occurrence | undefined {
    const lengths = this.#lengths.get(contentKey(tree, node));
    if (lengths === undefined) return undefined;
    const start = tree.start[node];
    for (const length of lengths) {
      const end = start + length;
      if (end > limit) continue;
      const variant = this.#variants.get(contentId(slice(start, end)));
      if (variant !== undefined && suits(variant)) return { variant, start, end };
    }
    return undefined;
  }

  #sawBefore(id: string): boolean {
    const low = Number.parseInt(id.slice(0, 8), 16) | 0;
    const high = Number.parseInt(id.slice(8, 16), 16) | 0;
    this.#seen.add(low, high, 0);
    return this.#seen.occurrencesOf(low, high) > 1;
  }
}

/** Returns 53 bits of a node's content hash as a number. */
function contentKey(tree: Tree, node: number): number {
  return (tree.contentHigh[node] & 0x1fffff) * 0x100000000 + (tree.contentLow[node] >>> 0);
}
