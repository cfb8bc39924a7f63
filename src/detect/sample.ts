/**
 * The sample of a site: the k URLs with the smallest seeded hashes, one capture of each. Such a bottom-k
 * sample is uniform over URLs, does not depend on the order of arrival, and two of them can be merged. It
 * holds at most 2k items; an item costs one hash and one comparison on average.
 *
 * When `keyOf` maps several URLs to one page, the URL with the smallest hash represents the page.
 */
import { urlHash } from '../analysis/byte-hash.ts';
import { checkNumber } from '../model/check-option.ts';
import { compare } from '../model/order.ts';

/** Fields that the sample needs; items can have any others. */
export interface Sampled {
  url: string;
  time: string;
  file: string;
  offset: number;
  /** If it is bytes, it decides between captures of one URL with the same time and place. */
  source?: unknown;
}

interface Drawn<Item> {
  hash: bigint;
  item: Item;
}

/** A bottom-k sample over URLs. */
export class BottomK<Item extends Sampled> {
  readonly #size: number;
  readonly #seed: number;
  readonly #keyOf: (url: string) => string;
  #drawn = new Map<string, Drawn<Item>>();
  #highest: bigint | undefined; // no URL with a higher hash can be in the sample any more

  /**
   * `size`: number of URLs to keep, from 1. Samples can be merged only with equal seeds and the same `keyOf`.
   */
  constructor(size: number, seed = 0, keyOf: (url: string) => string = (url) => url) {
    checkNumber('sample size', size, { min: 1, max: 10_000_000, whole: true });
    checkNumber('seed', seed, { min: -(2 ** 31), max: 2 ** 32 - 1, whole: true });
    this.#size = size;
    this.#seed = seed;
    this.#keyOf = keyOf;
  }

  /** Returns whether a capture would be kept now, so that a reader can skip the bodies of others. */
  wants(item: Sampled): boolean {
    const hash = urlHash(item.url, this.#seed);
    if (this.#highest !== undefined && hash > this.#highest) return false;
    const kept = this.#drawn.get(this.#keyOf(item.url));
    return kept === undefined || isDrawnBefore({ hash, item }, kept);
  }

  /** Adds a capture; it is kept as long as it can be in the sample. */
  add(item: Item): void {
    const hash = urlHash(item.url, this.#seed);
    if (this.#highest !== undefined && hash > this.#highest) return;
    const key = this.#keyOf(item.url);
    const kept = this.#drawn.get(key);
    if (kept === undefined || isDrawnBefore({ hash, item }, kept)) this.#drawn.set(key, { hash, item });
    if (this.#drawn.size >= this.#size * 2) this.#prune();
  }

  /** Adds the sample of another part of the site, drawn with the same seed. */
  merge(other: BottomK<Item>): void {
    if (other.#seed !== this.#seed) throw new RangeError('samples with different seeds do not merge');
    for (const { item } of other.#drawn.values()) this.add(item);
  }

  /** Returns the sample, smallest hash first. */
  items(): Item[] {
    this.#prune();
    return [...this.#drawn.values()].map(({ item }) => item);
  }

  #prune(): void {
    const sorted = [...this.#drawn].sort(
      ([urlA, a], [urlB, b]) => compare(a.hash, b.hash) || compare(urlA, urlB),
    );
    this.#drawn = new Map(sorted.slice(0, this.#size));
    if (sorted.length >= this.#size) this.#highest = sorted[this.#size - 1][1].hash;
  }
}

/** Returns the bottom-k sample of some captures: the earliest one of each URL or key, smallest hash first. */
export function bottomK<Item extends Sampled>(
  items: Iterable<Item>,
  size: number,
  seed = 0,
  keyOf?: (url: string) => string,
): Item[] {
  const sample = new BottomK<Item>(size, seed, keyOf);
  for (const item of items) sample.add(item);
  return sample.items();
}

/** Returns whether `a` represents its page rather than `b`: by the hash of its URL, then by `comesFirst`. */
function isDrawnBefore(a: Drawn<Sampled>, b: Drawn<Sampled>): boolean {
  return a.hash === b.hash ? comesFirst(a.item, b.item) : a.hash < b.hash;
}

/** Returns whether `a` represents its URL rather than `b`: by time, offset, file name, then content. */
function comesFirst(a: Sampled, b: Sampled): boolean {
  const order = compare(a.time, b.time) || compare(a.offset, b.offset) || compare(a.file, b.file);
  return (order || compareBytes(a.source, b.source)) < 0;
}

function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value);
}

/** Orders bytes by length, then by the first byte that differs. */
function compareBytes(a: unknown, b: unknown): number {
  if (!isBytes(a) || !isBytes(b)) return 0;
  if (a.length !== b.length) return a.length - b.length;
  const at = a.findIndex((byte, i) => byte !== b[i]);
  return at < 0 ? 0 : a[at] - b[at];
}
