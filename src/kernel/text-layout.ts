/** Constants of the text renderer (assembly/render-text.ts) that both compilers read. */

/** How elements show in text. Begins and ends a line: */
export const DISPLAY_BLOCK = 1;
/** A table cell: a tab separates it from the cell before it. */
export const DISPLAY_CELL = 2;
/** `<br>`. */
export const DISPLAY_BREAK = 3;
/** A block whose white space counts. */
export const DISPLAY_PRE = 4;
/** Never shown, nor is anything in it. */
export const DISPLAY_HIDDEN = 5;
/** Inline, but separates the words on its sides. */
export const DISPLAY_APART = 6;
/** `<sup>` and `<sub>`; only the text renderer tells them from other inline elements. */
export const DISPLAY_SUPERSCRIPT = 7;
export const DISPLAY_SUBSCRIPT = 8;

/** A longer text of a superscript or subscript, in bytes, stays as it is. */
export const LONGEST_SCRIPT = 32;

/**
 * Words of a range: addresses of its start and its end in the source, and bits: whether its text is kept, and from
 * RANGE_BRACKET_SHIFT on the control byte of the bracket around its text, 0 for none. Ranges tile the source.
 */
export const RANGE_WORDS = 3;
export const RANGE_KEPT = 1;
export const RANGE_BRACKET_SHIFT = 1;

/** The control byte for the end of a bracket. No text holds control bytes. */
export const CLOSING_BRACKET = 8;

/** Tables of the renderer: display by tag; one reference that is too long for a slot; slots of references by hash. */
export const DISPLAY_TAGS = 256;
/** The long reference: its address in the source, the address of its characters, and where these end. */
export const LONG_REFERENCE_AT = DISPLAY_TAGS;
export const REFERENCE_SLOTS_AT = DISPLAY_TAGS + 16;
/** A slot: the size of the reference and of its characters, in words; then the bytes of both. */
export const REFERENCE_SLOT_BYTES = 128;
export const REFERENCE_SLOTS = 2048;
export const REFERENCE_BYTES_AT = 8;
export const DECODED_BYTES_AT = 48;
export const TEXT_TABLE_BYTES = REFERENCE_SLOTS_AT + REFERENCE_SLOTS * REFERENCE_SLOT_BYTES;

/** A reference with more bytes is not kept in the table. `&CounterClockwiseContourIntegral;` has this many. */
export const LONGEST_REFERENCE = 34;

/** A byte of source gives at most a separator and itself, both escaped; or two brackets, a separator and itself. */
export const MAX_OUTPUT_PER_BYTE = 4;
