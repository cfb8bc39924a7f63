/**
 * Layout of the tables for text windows (assembly/windows.ts, candidate-spans.ts, find-known-texts.ts), read
 * by both compilers. The value of a constant that names a word is its offset, in words of four bytes.
 */

/** Base of the first of a window's two polynomial hashes. */
export const WINDOW_BASE_A = 0x2c1b3c6d;
/** Base of the second hash. */
export const WINDOW_BASE_B = 0x5851f42d;

/** Word of a rolling window: address of the end of its text. */
export const ROLL_END = 0;
/** Word of a rolling window: address of the byte that enters next. */
export const ROLL_HEAD = 1;
/** Word of a rolling window: address of the byte that leaves next. */
export const ROLL_TAIL = 2;
/** Word of a rolling window: its first hash. */
export const ROLL_A = 3;
/** Word of a rolling window: its second hash. */
export const ROLL_B = 4;
/** Word of a rolling window: the term that leaves the first hash next. */
export const ROLL_LEAVING_A = 5;
/** Word of a rolling window: the term that leaves the second hash next. */
export const ROLL_LEAVING_B = 6;
/** Word of a rolling window: width in characters. */
export const ROLL_WIDTH = 7;
/** Word of a rolling window: power of the first base for the width. */
export const ROLL_POWER_A = 8;
/** Word of a rolling window: power of the second base for the width. */
export const ROLL_POWER_B = 9;
/**
 * Word of a rolling window: inverse of `odd`. A window is selected if its low lane is a multiple of D = odd ×
 * 2^twos.
 */
export const ROLL_INVERSE = 10;
/** Word of a rolling window: `twos`. */
export const ROLL_TWOS = 11;
/** Word of a rolling window: 2^32 / D. */
export const ROLL_LIMIT = 12;
/** Word of a rolling window: start of the last selected window, which ends at ROLL_HEAD. */
export const ROLL_START = 13;
/** Word of a rolling window: low lane of the last selected window. */
export const ROLL_LOW = 14;
/** Word of a rolling window: high lane of the last selected window. */
export const ROLL_HIGH = 15;
/** Words of a rolling window. */
export const ROLL_WORDS = 16;

/** Word of a window in a list: start, as an offset in the text. */
export const WINDOW_START = 0;
/** Word of a window in a list: end, as an offset in the text. */
export const WINDOW_END = 1;
/** Word of a window in a list: low lane. */
export const WINDOW_LOW = 2;
/** Word of a window in a list: high lane. */
export const WINDOW_HIGH = 3;
/** Words of a window in a list. */
export const WINDOW_WORDS = 4;

/** Bytes of the grams by which candidate spans are found. */
export const SPAN_GRAM = 12;
/** Leading bits of a gram's hash that must be zero for the gram to count. */
export const SPAN_GRAM_BITS = 2;
/** Maximum number of texts for which buckets of the gram sketch have two bytes; for more texts they have four. */
export const MAX_NARROW_TEXTS = 255;
/** Words of a candidate span: addresses of its start and end. */
export const CANDIDATE_WORDS = 2;

/** The byte after every text among joined texts; it occurs in no text. */
export const TEXT_END = 0xff;

/** Word of numbered windows: address of the buckets, found by high lane, each with a number plus one. */
export const NUMBERS_BUCKETS = 0;
/** Word of numbered windows: address of the entries, by number. */
export const NUMBERS_ENTRIES = 1;
/** Word of numbered windows: address of the joined texts. */
export const NUMBERS_BYTES = 2;
/**
 * Word of numbered windows: address of one word per byte of these, the number plus one of the window that
 * starts there.
 */
export const NUMBERS_AT = 3;
/** Word of numbered windows: number of buckets minus one. */
export const NUMBERS_MASK = 4;
/** Word of numbered windows: number of windows. */
export const NUMBERS_SIZE = 5;
/** Words of the header of numbered windows. */
export const NUMBERS_WORDS = 6;
/** Word of an entry: low lane. */
export const NUMBERED_LOW = 0;
/** Word of an entry: high lane. */
export const NUMBERED_HIGH = 1;
/** Word of an entry: offset of the first occurrence. */
export const NUMBERED_FIRST = 2;
/** Word of an entry: the last text with it, from 1. */
export const NUMBERED_LAST_TEXT = 3;
/** Word of an entry: number of texts with it. */
export const NUMBERED_TEXTS = 4;
/** Word of an entry: number of occurrences. */
export const NUMBERED_OCCURRENCES = 5;
/** Words of an entry. */
export const NUMBERED_WORDS = 6;

/**
 * Bytes of the grams by which known texts are found. A window of at least twice as many bytes minus one
 * contains a whole gram.
 */
export const KNOWN_GRAM = 16;
/** Word of known texts: address of their bytes. */
export const KNOWN_BYTES = 0;
/** Word of known texts: address of the run of each byte. */
export const KNOWN_RUNS = 1;
/** Word of known texts: address of the number of pages of each run. */
export const KNOWN_RUN_PAGES = 2;
/** Word of known texts: address of the end of each run. */
export const KNOWN_RUN_ENDS = 3;
/** Word of known texts: address of the offset of each frequent window's first occurrence; -1 without one. */
export const KNOWN_FIRST = 4;
/** Word of known texts: address of the number of pages of each frequent window. */
export const KNOWN_PAGES = 5;
/** Word of known texts: address of the index of frequent windows. */
export const KNOWN_INDEX = 6;
/**
 * Word of known texts: address of buckets found by low lane, of two words: the lane, and the first offset plus
 * one.
 */
export const KNOWN_BUCKETS = 7;
/** Word of known texts: number of these buckets minus one. */
export const KNOWN_BUCKET_MASK = 8;
/** Word of known texts: address of the filter of grams. */
export const KNOWN_GRAMS = 9;
/** Word of known texts: shift of a gram's hash for the filter. */
export const KNOWN_GRAM_SHIFT = 10;
/** Word of known texts: width of windows in characters. */
export const KNOWN_WIDTH = 11;
/** Word of known texts: number of runs. */
export const KNOWN_RUN_COUNT = 12;
/** Word of known texts: address of the next byte to search. */
export const KNOWN_SEARCHED = 13;
/** Word of known texts: address of the first byte that has not been examined. */
export const KNOWN_WALL = 14;
/** Words of the header of known texts. */
export const KNOWN_WORDS = 16;

/** Words of a fragment run in a list: start and end as offsets in the text, and pages. */
export const FRAGMENT_WORDS = 3;
/** Number of runs after which a search pauses; the runs of one known text are always completed. */
export const MAX_FRAGMENTS = 16_384;
