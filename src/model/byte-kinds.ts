/**
 * Whether a byte is white space in HTML: tab, line feed, form feed, carriage return or space. The three
 * functions of this file are constants, not declarations, because V8 then inlines their calls.
 */
export const isSpace = (byte: number): boolean =>
  byte <= 0x20 && (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d && byte !== 0x0b));

/** Whether a byte is an ASCII letter. */
export const isLetter = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);

/** Turns an ASCII capital into its small letter; any other byte is returned as it is. */
export const lowerCase = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);
