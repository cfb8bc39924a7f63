/** Constants of text windows (assembly/windows.ts, candidate-spans.ts, known-texts.ts) that both compilers read. */

/** The two polynomial hashes of a window have these bases. */
export const WINDOW_BASE_A = 0x2c1b3c6d;
export const WINDOW_BASE_B = 0x5851f42d;

/** Words of a rolling window's state: its text ends here; bytes that enter and leave next; the hashes; what leaves them next. */
export const ROLL_END = 0;
export const ROLL_HEAD = 1;
export const ROLL_TAIL = 2;
export const ROLL_A = 3;
export const ROLL_B = 4;
export const ROLL_LEAVING_A = 5;
export const ROLL_LEAVING_B = 6;
/** Width in characters; powers of the bases. */
export const ROLL_WIDTH = 7;
export const ROLL_POWER_A = 8;
export const ROLL_POWER_B = 9;
/** A window is given when its low lane is a multiple of D = odd * 2^twos: the inverse of odd, twos, and 2^32 / D. */
export const ROLL_INVERSE = 10;
export const ROLL_TWOS = 11;
export const ROLL_LIMIT = 12;
/** The window given last: its start; it ends at ROLL_HEAD; its lanes. */
export const ROLL_START = 13;
export const ROLL_LOW = 14;
export const ROLL_HIGH = 15;
export const ROLL_WORDS = 16;

/** Words of a window in a list: start and end as offsets in the text, lanes. */
export const WINDOW_START = 0;
export const WINDOW_END = 1;
export const WINDOW_LOW = 2;
export const WINDOW_HIGH = 3;
export const WINDOW_WORDS = 4;

/** Bytes of the grams that candidate spans are found by, and the leading bits of a hash that are zero when one counts. */
export const SPAN_GRAM = 12;
export const SPAN_GRAM_BITS = 2;
/** Slots of the gram sketch have two bytes for at most so many texts, else four. */
export const MAX_NARROW_TEXTS = 255;
/** Words of a candidate span: addresses of its start and end. */
export const CANDIDATE_WORDS = 2;

/** No text holds this byte; it ends every text among joined texts. */
export const TEXT_END = 0xff;

/**
 * Words of numbered windows: addresses of slots (a number plus one in each, by high lane), of entries, of the joined
 * bytes, and of a word by byte of these: the number plus one of the window that starts there. Then the number of slots
 * minus one, and how many windows have numbers.
 */
export const NUMBERS_SLOTS = 0;
export const NUMBERS_ENTRIES = 1;
export const NUMBERS_BYTES = 2;
export const NUMBERS_AT = 3;
export const NUMBERS_MASK = 4;
export const NUMBERS_SIZE = 5;
export const NUMBERS_WORDS = 6;
/** Words of an entry: lanes; offset of the first occurrence; the last text, from 1; texts; occurrences. */
export const NUMBERED_LOW = 0;
export const NUMBERED_HIGH = 1;
export const NUMBERED_FIRST = 2;
export const NUMBERED_LAST_TEXT = 3;
export const NUMBERED_TEXTS = 4;
export const NUMBERED_OCCURRENCES = 5;
export const NUMBERED_WORDS = 6;

/** Bytes of the grams that known texts are found by. Windows with at least twice as many less one hold a whole one. */
export const KNOWN_GRAM = 16;
/** Words of known texts: addresses. Their bytes; by byte its run; by run its pages and its end. */
export const KNOWN_BYTES = 0;
export const KNOWN_RUNS = 1;
export const KNOWN_RUN_PAGES = 2;
export const KNOWN_RUN_ENDS = 3;
/** By frequent window: the offset of its first occurrence, -1 without one; its pages. The index of all. */
export const KNOWN_FIRST = 4;
export const KNOWN_PAGES = 5;
export const KNOWN_INDEX = 6;
/** Slots of windows by low lane, two words each: the lane and the first offset plus one; number of slots minus one. */
export const KNOWN_SLOTS = 7;
export const KNOWN_SLOT_MASK = 8;
/** The filter of grams, and its shift. */
export const KNOWN_GRAMS = 9;
export const KNOWN_GRAM_SHIFT = 10;
/** Width of windows in characters, runs so far. */
export const KNOWN_WIDTH = 11;
export const KNOWN_RUN_COUNT = 12;
/** Where the search of a text goes on, as addresses: the next byte, and the first byte that has not been looked at. */
export const KNOWN_SEARCHED = 13;
export const KNOWN_WALL = 14;
export const KNOWN_WORDS = 16;

/** Words of a fragment run in a list: start and end as offsets in the text, and pages. */
export const FRAGMENT_WORDS = 3;
/** The search pauses after this many runs; those of one known text are still listed. */
export const MAX_FRAGMENTS = 16_384;
