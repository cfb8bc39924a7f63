/**
 * Layout of the tables of the text renderer (assembly/render-text.ts), read by both compilers. A display is
 * how an element shows in text.
 */

/** Display: begins and ends a line. */
export const DISPLAY_BLOCK = 1;
/** Display: a table cell, separated by a tab from the cell before it. */
export const DISPLAY_CELL = 2;
/** Display: `<br>`. */
export const DISPLAY_BREAK = 3;
/** Display: a block whose white space counts. */
export const DISPLAY_PRE = 4;
/** Display: never shown, with all its content. */
export const DISPLAY_HIDDEN = 5;
/** Display: inline, but separates the words on its sides. */
export const DISPLAY_APART = 6;
/** Display: `<sup>`; only the text renderer distinguishes it from other inline elements. */
export const DISPLAY_SUPERSCRIPT = 7;
/** Display: `<sub>`. */
export const DISPLAY_SUBSCRIPT = 8;
/** Display: left out with all its content, but separates the words on its sides, like `<select>`. */
export const DISPLAY_GONE = 9;
/** Display: `<q>`, which browsers show in quotes. */
export const DISPLAY_QUOTE = 10;
/** Display: `<rt>`, which browsers print above the text before it. */
export const DISPLAY_RUBY = 11;
/** Display: `<a>` and `<time>`, inline, but two of them side by side are two words. */
export const DISPLAY_ADJACENT = 12;

/** Bits of the display of a tag. The bits above them count only in the stream for Markdown. */
export const DISPLAY_MASK = 0x0f;
/** Bit: the stream has an event where the element begins and ends. */
export const HAS_EVENT = 0x10;
/** Bit: text inside the element is code, which is not escaped. */
export const IS_CODE = 0x20;
/** Bit: the element has an event at its start only. */
export const IS_POINT = 0x40;

/** Mode of the renderer: plain text. */
export const MODE_PLAIN = 0;
/** Mode of the renderer: text escaped for a JSON string. */
export const MODE_JSON = 1;
/**
 * Mode of the renderer: the stream for Markdown, which is text with escapes and with the control bytes below.
 */
export const MODE_MARKDOWN = 2;

/**
 * Control byte of an event, whose node is in the list of events: twice the node, plus one at its end. White
 * space is outside of the inline elements that begin or end beside it.
 */
export const EVENT_BYTE = 1;
/** Control byte of a line break. */
export const BREAK_BYTE = 2;
/** Control byte after the event of a formula, which counts as a word: white space after it is kept. */
export const FORMULA_BYTE = 3;
/** Control byte of the end of a paragraph. */
export const PARAGRAPH_BYTE = 10;

/**
 * Words of a replacement: the element that it replaces, the node after all that is replaced, the address
 * where the source continues, and the addresses of the text and of its end. The list of replacements ends
 * with NO_NODE.
 */
export const REPLACEMENT_WORDS = 5;
/** A node after all nodes. */
export const NO_NODE = 0x7fffffff;

/**
 * Longest text of a superscript or subscript that is written in Unicode's raised or lowered characters, in
 * bytes; a longer text is not changed.
 */
export const LONGEST_SCRIPT = 32;

/** Words of a range: addresses of its start and end in the source, and bits. Ranges tile the source. */
export const RANGE_WORDS = 3;
/** Bit of a range: its text is kept. */
export const RANGE_KEPT = 1;
/** First bit of the control byte of the bracket around the range's text; 0 for no bracket. */
export const RANGE_BRACKET_SHIFT = 1;

/** Control byte of the end of a bracket. Text never has control bytes. */
export const CLOSING_BRACKET = 8;

/** Entries of the table of displays by tag, one byte each; the other tables of the renderer follow it. */
export const DISPLAY_TAGS = 256;
/**
 * Offset of a reference that is too long for a bucket: its address in the source, the address of its
 * characters, and their end.
 */
export const LONG_REFERENCE_AT = DISPLAY_TAGS;
/** Offset of the buckets of references, found by hash. */
export const REFERENCE_BUCKETS_AT = DISPLAY_TAGS + 16;
/** Bytes of a bucket: the size of the reference and of its characters, in words; then the bytes of both. */
export const REFERENCE_BUCKET_BYTES = 128;
/** Number of buckets of references. */
export const REFERENCE_BUCKETS = 2048;
/** Offset in a bucket: bytes of the reference. */
export const REFERENCE_BYTES_AT = 8;
/** Offset in a bucket: bytes of its characters. */
export const DECODED_BYTES_AT = 48;
/** Bytes of all tables of the renderer. */
export const TEXT_TABLE_BYTES = REFERENCE_BUCKETS_AT + REFERENCE_BUCKETS * REFERENCE_BUCKET_BYTES;

/**
 * Longest reference in the table, in bytes: that of `&CounterClockwiseContourIntegral;`. A longer one is not
 * stored.
 */
export const LONGEST_REFERENCE = 34;

/**
 * Maximum bytes of output per byte of source: a separator and the byte, both escaped; or two brackets, a
 * separator and the byte.
 */
export const MAX_OUTPUT_PER_BYTE = 4;
