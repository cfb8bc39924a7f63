/**
 * Which structural shared fragments become partials with parameters. Members whose skeletons are the same are
 * one partial; a slot whose value is the same in all of them is part of it, the others are its parameters.
 *
 *     worth a partial  ⇔  (uses − 1) × constant bytes
 *                           − uses × (bytes of the call and of the parameters' names + cost of an include)
 *                         >  what includes of the complete fragments within the members would save
 *
 * Memory: 13 bytes for a slot of a skeleton that is remembered, and those are bounded; what comes later than
 * that is left as it is.
 */
import { hashBytes } from '../../analysis/byte-hash.ts';
import type { Tree } from '../../parse/tree.ts';
import type { FragmentMember } from '../shared-page.ts';
import { CALL_OVERHEAD, PARAMETER_OVERHEAD, parameterTag } from './nunjucks-syntax.ts';
import { readSkeleton, type Skeleton } from './skeleton.ts';

export interface ChosenPartial {
  id: string;
  uses: number;
  /** For each slot, whether its value differs between members. */
  varies: Uint8Array;
  /** For each slot, a hash of its value in the first member. */
  hashes: Float64Array;
  /** For each slot, the bytes of its value in the first member. */
  sizes: Uint32Array;
  /** Bytes between the slots. */
  skeletonBytes: number;
  /** What complete includes within the members would save. */
  rivalBytes: number;
  /** Whether its file is written. */
  written: boolean;
}

const MAX_REMEMBERED_SLOTS = 4_000_000;

export class PartialTable {
  readonly #partials = new Map<string, ChosenPartial>();
  #remembered = 0;

  /** Counts a member; `rivalBytes` is what complete includes within it would save. */
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

  /** Drops what is not worth a partial; gives the number that is. */
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
