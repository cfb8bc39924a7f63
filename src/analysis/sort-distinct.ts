/**
 * Sorts 32-bit numbers and leaves out repeats. Hashes are spread evenly: cut by their leading bits they fall into groups
 * of one or two, and what is left to do within a group is an exchange or two. Numbers that are not spread, and long lists,
 * are sorted a byte at a time from the last, each pass a counting sort: linear whatever the numbers are, where a
 * comparing sort of hashes mispredicts every other branch.
 */

const DIGITS = 256;
const PASSES = 4;
/** Groups of numbers that agree in their leading bits, and how many may be in one. */
const GROUPS = 1024;
const GROUP_SHIFT = 22;
const MOST_IN_GROUP = 16;

/** Sorts list after list; keeps its memory. */
export class DistinctSorter {
  #from = new Int32Array(1024);
  #to = new Int32Array(1024);
  /** By digit and pass, or by group: how many numbers have it, then where they begin. */
  readonly #places = new Int32Array(DIGITS * PASSES);

  /** The distinct ones of the first `count` numbers, read without a sign, ascending; they hold until the next are sorted. */
  sort(numbers: Int32Array, count: number): Uint32Array {
    if (this.#from.length < count) {
      this.#from = new Int32Array(2 * count);
      this.#to = new Int32Array(2 * count);
    }
    const sorted = this.#sortGroups(numbers, count) ? this.#to : this.#sortBytes(numbers, count);
    return new Uint32Array(sorted.buffer, 0, keepDistinct(sorted, count));
  }

  /** Sorts into `#to`; false when the numbers are not spread. */
  #sortGroups(numbers: Int32Array, count: number): boolean {
    if (count > GROUPS * MOST_IN_GROUP) return false;
    const to = this.#to;
    const places = this.#places.fill(0);
    for (let i = 0; i < count; i++) places[numbers[i] >>> GROUP_SHIFT]++;
    for (let group = 0, begin = 0; group < GROUPS; group++) {
      const size = places[group];
      if (size > MOST_IN_GROUP) return false;
      places[group] = begin;
      begin += size;
    }
    for (let i = 0; i < count; i++) to[places[numbers[i] >>> GROUP_SHIFT]++] = numbers[i];
    for (let i = 1; i < count; i++) {
      const number = to[i];
      let at = i;
      for (; at > 0 && to[at - 1] >>> 0 > number >>> 0; at--) to[at] = to[at - 1];
      to[at] = number;
    }
    return true;
  }

  #sortBytes(numbers: Int32Array, count: number): Int32Array {
    const from = this.#from;
    const to = this.#to;
    const places = this.#places.fill(0);
    for (let i = 0; i < count; i++) {
      const number = numbers[i];
      from[i] = number;
      places[number & 255]++;
      places[256 + ((number >>> 8) & 255)]++;
      places[512 + ((number >>> 16) & 255)]++;
      places[768 + (number >>> 24)]++;
    }
    for (let first = 0; first < places.length; first += DIGITS) toBegins(places, first);
    // an even number of passes: they end where they began
    for (let pass = 0; pass < PASSES; pass += 2) {
      placeByByte(from, count, to, { places, pass });
      placeByByte(to, count, from, { places, pass: pass + 1 });
    }
    return from;
  }
}

/** How often each byte occurs becomes where the numbers with it begin. */
function toBegins(places: Int32Array, first: number): void {
  for (let digit = first, begin = 0; digit < first + DIGITS; digit++) {
    const count = places[digit];
    places[digit] = begin;
    begin += count;
  }
}

function placeByByte(
  from: Int32Array,
  count: number,
  to: Int32Array,
  { places, pass }: { places: Int32Array; pass: number },
): void {
  const shift = 8 * pass;
  const first = DIGITS * pass;
  for (let i = 0; i < count; i++) {
    const number = from[i];
    to[places[first + ((number >>> shift) & 255)]++] = number;
  }
}

/** Moves each of some sorted numbers to the front, once; how many they are. */
function keepDistinct(sorted: Int32Array, count: number): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if (kept === 0 || sorted[i] !== sorted[kept - 1]) sorted[kept++] = sorted[i];
  }
  return kept;
}
