/** A growing buffer for the bytes of a file: little-endian numbers, varints and texts. */

export class ByteWriter {
  #bytes: Buffer;
  size = 0;

  constructor(roomBytes = 1 << 14) {
    this.#bytes = Buffer.allocUnsafeSlow(roomBytes);
  }

  /** Bytes written so far; valid until the next write. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.size);
  }

  clear(): void {
    this.size = 0;
  }

  /** Returns the buffer with room for this many bytes after `size`. */
  reserve(bytes: number): Buffer {
    const needed = this.size + bytes;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.size);
      this.#bytes = larger;
    }
    return this.#bytes;
  }

  byte(value: number): void {
    this.reserve(1)[this.size++] = value;
  }

  /** Writes a varint: seven bits per byte, lowest first; for integers from 0 to 2^53. */
  varint(value: number): void {
    const out = this.reserve(8);
    let rest = value;
    for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 128)) out[this.size++] = (rest % 128) | 0x80;
    for (; rest > 0x7f; rest >>>= 7) out[this.size++] = (rest & 0x7f) | 0x80;
    out[this.size++] = rest;
  }

  /** Writes a signed integer as a zigzag varint: 0, -1, 1, -2 … become 0, 1, 2, 3 … */
  zigzag(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** Writes four bytes, little-endian. */
  word(value: number): void {
    const at = this.size;
    this.reserve(4);
    this.size = at + 4;
    this.setWord(at, value);
  }

  /** Overwrites four bytes at a position. */
  setWord(at: number, value: number): void {
    const bytes = this.#bytes;
    bytes[at] = value;
    bytes[at + 1] = value >>> 8;
    bytes[at + 2] = value >>> 16;
    bytes[at + 3] = value >>> 24;
  }

  add(bytes: Uint8Array): void {
    this.reserve(bytes.length).set(bytes, this.size);
    this.size += bytes.length;
  }

  /** Writes a text in UTF-8, with U+FFFD for half a surrogate pair; returns the number of bytes. */
  text(text: string): number {
    const bytes = this.reserve(MAX_PER_CHARACTER * text.length).write(text, this.size);
    this.size += bytes;
    return bytes;
  }
}

/** Maximum UTF-8 bytes per UTF-16 unit. */
const MAX_PER_CHARACTER = 3;
