/**
 * Hash tables of 64-bit keys in two lanes: a counter of keys, an index of a fixed set of keys, and a sketch
 * that rules out keys on too few pages. The host allocates their memory and enlarges counters
 * (key-tables.ts).
 */
import * as Keys from '../key-layout.ts';

const COUNTED_BYTES: u32 = Keys.COUNTED_WORDS << 2;
const INDEXED_BYTES: u32 = Keys.INDEXED_WORDS << 2;
/** Result of `findKey` for a key that the index lacks. */
export const NONE: u32 = 0xffffffff;

/**
 * Returns the bucket of a key in a counter, or the free bucket for it. The high lane selects the bucket, because
 * low lanes may all be multiples of one number.
 */
export function findCounted(counter: u32, low: u32, high: u32): u32 {
  const buckets = load<u32>(counter, Keys.COUNTER_BUCKETS << 2);
  const mask = load<u32>(counter, Keys.COUNTER_MASK << 2);
  let index = high & mask;
  while (true) {
    const bucket = buckets + index * COUNTED_BYTES;
    if (load<u32>(bucket, Keys.COUNTED_PAGES << 2) === 0) return bucket;
    if (
      load<u32>(bucket, Keys.COUNTED_HIGH << 2) === high &&
      load<u32>(bucket, Keys.COUNTED_LOW << 2) === low
    )
      return bucket;
    index = (index + 1) & mask;
  }
}

/**
 * Counts an occurrence of a key on a page, numbered from 0, and returns the key's bucket. The counter must have
 * a free bucket.
 */
export function countKey(counter: u32, low: u32, high: u32, page: u32): u32 {
  const bucket = findCounted(counter, low, high);
  if (load<u32>(bucket, Keys.COUNTED_PAGES << 2) === 0) {
    store<u32>(bucket, low, Keys.COUNTED_LOW << 2);
    store<u32>(bucket, high, Keys.COUNTED_HIGH << 2);
    store<u32>(bucket, page + 1, Keys.COUNTED_LAST_PAGE << 2);
    store<u32>(bucket, 1, Keys.COUNTED_PAGES << 2);
    store<u32>(bucket, 1, Keys.COUNTED_OCCURRENCES << 2);
    const size = load<u32>(counter, Keys.COUNTER_SIZE << 2);
    store<u32>(bucket, size, Keys.COUNTED_NUMBER << 2);
    store<u32>(counter, size + 1, Keys.COUNTER_SIZE << 2);
    store<u32>(counter, load<u32>(counter, Keys.COUNTER_FREE << 2) - 1, Keys.COUNTER_FREE << 2);
    return bucket;
  }
  store<u32>(bucket, load<u32>(bucket, Keys.COUNTED_OCCURRENCES << 2) + 1, Keys.COUNTED_OCCURRENCES << 2);
  if (load<u32>(bucket, Keys.COUNTED_LAST_PAGE << 2) !== page + 1) {
    store<u32>(bucket, page + 1, Keys.COUNTED_LAST_PAGE << 2);
    store<u32>(bucket, load<u32>(bucket, Keys.COUNTED_PAGES << 2) + 1, Keys.COUNTED_PAGES << 2);
  }
  return bucket;
}

/** Moves all keys of `bucketCount` buckets to an empty counter with room for them. */
export function moveCounted(buckets: u32, bucketCount: u32, counter: u32): void {
  const end = buckets + bucketCount * COUNTED_BYTES;
  for (let bucket = buckets; bucket < end; bucket += COUNTED_BYTES) {
    if (load<u32>(bucket, Keys.COUNTED_PAGES << 2) === 0) continue;
    const to = findCounted(
      counter,
      load<u32>(bucket, Keys.COUNTED_LOW << 2),
      load<u32>(bucket, Keys.COUNTED_HIGH << 2),
    );
    memory.copy(to, bucket, COUNTED_BYTES);
  }
}

/**
 * Selects the keys that have at least `least` in a word of their bucket and returns their number. Writes them
 * as u64 to `keys` unless that is 0.
 */
export function selectCounted(counter: u32, word: u32, least: u32, keys: u32): u32 {
  const buckets = load<u32>(counter, Keys.COUNTER_BUCKETS << 2);
  const end = buckets + (load<u32>(counter, Keys.COUNTER_MASK << 2) + 1) * COUNTED_BYTES;
  let count: u32 = 0;
  for (let bucket = buckets; bucket < end; bucket += COUNTED_BYTES) {
    if (load<u32>(bucket, Keys.COUNTED_PAGES << 2) === 0 || load<u32>(bucket + (word << 2)) < least) continue;
    if (keys !== 0) store<u64>(keys + (count << 3), load<u64>(bucket, Keys.COUNTED_LOW << 2));
    count++;
  }
  return count;
}

/**
 * Writes four columns of `count` words each for keys of a counter: low lanes, high lanes, pages, occurrences.
 */
export function readCounted(counter: u32, keys: u32, count: u32, columns: u32): void {
  const columnBytes = count << 2;
  for (let i: u32 = 0; i < count; i++) {
    const low = load<u32>(keys + (i << 3));
    const high = load<u32>(keys + (i << 3), 4);
    const bucket = findCounted(counter, low, high);
    let to = columns + (i << 2);
    store<u32>(to, low);
    store<u32>((to += columnBytes), high);
    store<u32>((to += columnBytes), load<u32>(bucket, Keys.COUNTED_PAGES << 2));
    store<u32>(to + columnBytes, load<u32>(bucket, Keys.COUNTED_OCCURRENCES << 2));
  }
}

/** Whether a filter has the bit of a low lane. */
export function isInFilter(filter: u32, shift: u32, low: u32): bool {
  const bit = low >> shift;
  return ((load<u32>(filter + ((bit >> 5) << 2)) >> (bit & 31)) & 1) !== 0;
}

/** Sets the bit of a low lane in a filter. */
export function addToFilter(filter: u32, shift: u32, low: u32): void {
  const bit = low >> shift;
  const at = filter + ((bit >> 5) << 2);
  store<u32>(at, load<u32>(at) | (1 << (bit & 31)));
}

/** Fills an empty index with `count` distinct keys; the value of a key is its position among them. */
export function fillIndex(index: u32, lows: u32, highs: u32, count: u32): void {
  const buckets = load<u32>(index, Keys.INDEX_BUCKETS << 2);
  const mask = load<u32>(index, Keys.INDEX_MASK << 2);
  const filter = load<u32>(index, Keys.INDEX_FILTER << 2);
  const shift = load<u32>(index, Keys.INDEX_SHIFT << 2);
  for (let position: u32 = 0; position < count; position++) {
    const low = load<u32>(lows + (position << 2));
    const high = load<u32>(highs + (position << 2));
    let at = high & mask;
    while (load<u32>(buckets + at * INDEXED_BYTES, Keys.INDEXED_POSITION << 2) !== 0) at = (at + 1) & mask;
    const bucket = buckets + at * INDEXED_BYTES;
    store<u32>(bucket, low, Keys.INDEXED_LOW << 2);
    store<u32>(bucket, high, Keys.INDEXED_HIGH << 2);
    store<u32>(bucket, position + 1, Keys.INDEXED_POSITION << 2);
    addToFilter(filter, shift, low);
  }
}

/** Returns the position of a key, or NONE. */
export function findKey(index: u32, low: u32, high: u32): u32 {
  if (!isInFilter(load<u32>(index, Keys.INDEX_FILTER << 2), load<u32>(index, Keys.INDEX_SHIFT << 2), low))
    return NONE;
  const buckets = load<u32>(index, Keys.INDEX_BUCKETS << 2);
  const mask = load<u32>(index, Keys.INDEX_MASK << 2);
  let at = high & mask;
  while (true) {
    const bucket = buckets + at * INDEXED_BYTES;
    const position = load<u32>(bucket, Keys.INDEXED_POSITION << 2);
    if (position === 0) return NONE;
    if (
      load<u32>(bucket, Keys.INDEXED_HIGH << 2) === high &&
      load<u32>(bucket, Keys.INDEXED_LOW << 2) === low
    )
      return position - 1;
    at = (at + 1) & mask;
  }
}

/**
 * Counts a low lane on a page, numbered from 0, in a sketch. A bucket is shared by all keys with the same
 * leading bits, so its count may be too high but never too low.
 */
export function sketchKey(sketch: u32, low: u32, page: u32): void {
  const index = low >> load<u32>(sketch, Keys.SKETCH_SHIFT << 2);
  const bucket = load<u32>(sketch, Keys.SKETCH_BUCKETS << 2) + (index << 2);
  const seen = load<u32>(bucket);
  if (seen >> Keys.SKETCH_PAGE_SHIFT === page + 1) return;
  const pages = min<u32>((seen & Keys.SKETCH_MAX_COUNT) + 1, Keys.SKETCH_MAX_COUNT);
  store<u32>(bucket, ((page + 1) << Keys.SKETCH_PAGE_SHIFT) | pages);
  if (pages >= load<u32>(sketch, Keys.SKETCH_ENOUGH << 2))
    addToFilter(load<u32>(sketch, Keys.SKETCH_FILTER << 2), 0, index);
}

/** Counts an occurrence of a low lane in a sketch, on any page. */
export function sketchOccurrence(sketch: u32, low: u32): void {
  const index = low >> load<u32>(sketch, Keys.SKETCH_SHIFT << 2);
  const bucket = load<u32>(sketch, Keys.SKETCH_BUCKETS << 2) + (index << 2);
  const count = min<u32>(load<u32>(bucket) + 1, Keys.SKETCH_MAX_COUNT);
  store<u32>(bucket, count);
  if (count >= load<u32>(sketch, Keys.SKETCH_ENOUGH << 2))
    addToFilter(load<u32>(sketch, Keys.SKETCH_FILTER << 2), 0, index);
}
