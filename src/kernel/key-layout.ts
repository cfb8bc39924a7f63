/**
 * Layout of the kernel's hash tables (assembly/keys.ts), read by both compilers. Keys are hashes of 64 bits
 * in two lanes. All tables use open addressing, with a power of two of buckets. The value of a constant that
 * names a word is its offset, in words of four bytes.
 */

/** Header word of a counter: address of its buckets. */
export const COUNTER_BUCKETS = 0;
/** Header word of a counter: number of buckets minus one. */
export const COUNTER_MASK = 1;
/** Header word of a counter: number of buckets that may still be filled. */
export const COUNTER_FREE = 2;
/** Header word of a counter: number of keys. */
export const COUNTER_SIZE = 3;
/** Words of a counter's header. */
export const COUNTER_WORDS = 4;
/** Word of a counter's bucket: low lane of the key. */
export const COUNTED_LOW = 0;
/** Word of a counter's bucket: high lane of the key. */
export const COUNTED_HIGH = 1;
/** Word of a counter's bucket: the last page with the key, from 1. */
export const COUNTED_LAST_PAGE = 2;
/** Word of a counter's bucket: number of distinct pages; 0 in a free bucket. */
export const COUNTED_PAGES = 3;
/** Word of a counter's bucket: number of occurrences. */
export const COUNTED_OCCURRENCES = 4;
/** Word of a counter's bucket: number of the key in the order of first occurrence. */
export const COUNTED_NUMBER = 5;
/** Words of a counter's bucket. */
export const COUNTED_WORDS = 6;

/** Header word of an index: address of its buckets. */
export const INDEX_BUCKETS = 0;
/** Header word of an index: number of buckets minus one. */
export const INDEX_MASK = 1;
/** Header word of an index: address of a bit filter of low lanes. */
export const INDEX_FILTER = 2;
/** Header word of an index: shift that turns a low lane into the number of its bit in the filter. */
export const INDEX_SHIFT = 3;
/** Words of an index's header. */
export const INDEX_WORDS = 4;
/** Word of an index's bucket: low lane of the key. */
export const INDEXED_LOW = 0;
/** Word of an index's bucket: high lane of the key. */
export const INDEXED_HIGH = 1;
/** Word of an index's bucket: position of the key plus one; 0 in a free bucket. */
export const INDEXED_POSITION = 2;
/** Words of an index's bucket. */
export const INDEXED_WORDS = 3;

/**
 * Header word of a sketch: address of its buckets. A bucket has the last page, from 1, above SKETCH_PAGE_SHIFT
 * and the number of pages, at most SKETCH_MAX_COUNT, below.
 */
export const SKETCH_BUCKETS = 0;
/** Header word of a sketch: shift that turns a low lane into the number of its bucket. */
export const SKETCH_SHIFT = 1;
/** Header word of a sketch: number of pages that makes a key likely to be frequent. */
export const SKETCH_ENOUGH = 2;
/** Header word of a sketch: address of the bit filter of likely buckets. */
export const SKETCH_FILTER = 3;
/** Words of a sketch's header. */
export const SKETCH_WORDS = 4;
/** First bit of the last page in a sketch's bucket. */
export const SKETCH_PAGE_SHIFT = 8;
/** Largest number of pages that a sketch counts. */
export const SKETCH_MAX_COUNT = 255;
