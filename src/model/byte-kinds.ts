/** What a byte of markup is, as the HTML standard reads it. Constants, which V8 calls without asking each time what they are. */
export const isSpace = (byte: number): boolean =>
  byte <= 0x20 && (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d && byte !== 0x0b));

export const isLetter = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);

export const lowerCase = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);
