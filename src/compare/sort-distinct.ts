/**
 * Sorts 32-bit numbers and leaves out repeats: a byte at a time from the last, each pass a counting sort. Linear
 * whatever the numbers are, where a comparing sort of hashes mispredicts every other branch. Most repeats never
 * come to it: a small table knows the numbers that were met lately.
 */

const DIGITS = 256;
const PASSES = 4;
/** Numbers met lately, a power of two: about as many as a page has distinct words. */
const RECENT = 2048;

/** Sorts list after list; keeps its memory. */
export class DistinctSorter {
  #from = new Int32Array(1024);
  #to = new Int32Array(1024);
  readonly #places = new Int32Array(DIGITS * PASSES);
  readonly #recent = new Int32Array(RECENT);

  /** The distinct ones of the first `count` numbers, read without a sign, ascending; they hold until the next are sorted. */
  sort(numbers: Int32Array, count: number): Uint32Array {
    if (this.#from.length < count) {
      this.#from = new Int32Array(2 * count);
      this.#to = new Int32Array(2 * count);
    }
    const from = this.#from;
    const to = this.#to;
    const places = this.#places.fill(0);
    const recent = this.#recent.fill(0);
    let left = 0;
    for (let i = 0; i < count; i++) {
      const number = numbers[i];
      // zero is what an unused place holds
      if (recent[number & (RECENT - 1)] === number && number !== 0) continue;
      recent[number & (RECENT - 1)] = number;
      from[left++] = number;
      places[number & 255]++;
      places[256 + ((number >>> 8) & 255)]++;
      places[512 + ((number >>> 16) & 255)]++;
      places[768 + (number >>> 24)]++;
    }
    for (let first = 0; first < places.length; first += DIGITS) toBegins(places, first);
    // an even number of passes: they end where they began
    for (let pass = 0; pass < PASSES; pass += 2) {
      placeByByte(from, left, to, { places, pass });
      placeByByte(to, left, from, { places, pass: pass + 1 });
    }
    return new Uint32Array(from.buffer, 0, keepDistinct(from, left));
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
