/**
 * Constants of the kernel's hash tables (assembly/keys.ts) that both compilers read. Keys are hashes of 64 bits in two
 * lanes. All tables are open-addressing, with a power of two of slots.
 */

/** Words of a counter's header: address of its slots, number of slots minus one, slots that may still be filled, keys. */
export const COUNTER_SLOTS = 0;
export const COUNTER_MASK = 1;
export const COUNTER_FREE = 2;
export const COUNTER_SIZE = 3;
export const COUNTER_WORDS = 4;
/**
 * Words of a counter's slot: the key; the last page it was seen on, from 1; the distinct pages, 0 in a free slot; the
 * occurrences; and the key's number in the order of first occurrence.
 */
export const COUNTED_LOW = 0;
export const COUNTED_HIGH = 1;
export const COUNTED_LAST_PAGE = 2;
export const COUNTED_PAGES = 3;
export const COUNTED_OCCURRENCES = 4;
export const COUNTED_NUMBER = 5;
export const COUNTED_WORDS = 6;

/**
 * Words of an index's header: address of its slots, number of slots minus one, and a filter of the low lanes: the
 * address of its bits, and by how much a lane is shifted to become the number of its bit.
 */
export const INDEX_SLOTS = 0;
export const INDEX_MASK = 1;
export const INDEX_FILTER = 2;
export const INDEX_SHIFT = 3;
export const INDEX_WORDS = 4;
/** Words of an index's slot: the key, and its position plus one, 0 in a free slot. */
export const INDEXED_LOW = 0;
export const INDEXED_HIGH = 1;
export const INDEXED_POSITION = 2;
export const INDEXED_WORDS = 3;

/**
 * Words of a sketch's header: address of its slots, the shift of a low lane to its slot, the count that makes a key
 * likely, and the address of the filter of likely slots. A slot has the last page, from 1, above SKETCH_PAGE_SHIFT and
 * the pages seen, at most SKETCH_MAX_COUNT, below.
 */
export const SKETCH_SLOTS = 0;
export const SKETCH_SHIFT = 1;
export const SKETCH_ENOUGH = 2;
export const SKETCH_FILTER = 3;
export const SKETCH_WORDS = 4;
export const SKETCH_PAGE_SHIFT = 8;
export const SKETCH_MAX_COUNT = 255;
