/**
 * Inflates raw deflate streams one after the other with one zlib state, into one buffer that the next stream
 * overwrites. node:zlib's own call makes a stream object, a zlib state and buffers for every gzip member: a third
 * of the time that small members take, and memory the collector is soon called for. The state of a zlib stream can
 * be reset and used again, but only by its handle, which Node does not document: it is tried out when first needed,
 * and where it does not do as expected the documented call is used.
 */
import { constants, createInflateRaw, inflateRawSync } from 'node:zlib';

/** A stream that was inflated whole. */
export interface InflatedBytes {
  bytes: Uint8Array;
  /** Of the input, up to the end of the stream. */
  consumedBytes: number;
}

/** Most bytes a stream may give. */
export const MOST_INFLATED_BYTES = 16 * 1024 * 1024;
const FIRST_BYTES = 256 * 1024;

/**
 * Inflates a stream into memory of its own. Throws as node:zlib does: `Z_BUF_ERROR` when the input ends before the
 * stream, `ERR_BUFFER_TOO_LARGE` when it gives more than `MOST_INFLATED_BYTES`, other codes when it is damaged.
 */
export function inflateBytes(input: Uint8Array): InflatedBytes {
  const options = { info: true, chunkSize: 64 * 1024, maxOutputLength: MOST_INFLATED_BYTES };
  // `info` adds the engine, which knows how much input it took; the types do not know it
  const { buffer, engine } = inflateRawSync(input, options) as unknown as {
    buffer: Buffer;
    engine: { bytesWritten: number };
  };
  const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  return { bytes, consumedBytes: engine.bytesWritten };
}

/** Memory for what is inflated: each stream overwrites the one before. */
export class InflateMemory {
  #output = new Uint8Array(FIRST_BYTES);
  /** Null where there is none to be had. */
  #zlib: ZlibState | null | undefined;

  /** As `inflateBytes`, but the bytes hold only until the next call. */
  inflate(input: Uint8Array): InflatedBytes {
    if (this.#zlib === undefined) this.#zlib = ZlibState.open();
    const zlib = this.#zlib;
    if (!zlib) return inflateBytes(input);
    zlib.reset();
    let inflatedBytes = 0;
    let consumedBytes = 0;
    for (;;) {
      const roomBytes = this.#output.length - inflatedBytes;
      const fault = zlib.write(input, consumedBytes, this.#output, inflatedBytes);
      if (fault !== '') throw Object.assign(new Error(`deflate: ${fault}`), { code: fault });
      inflatedBytes += roomBytes - zlib.roomLeft;
      consumedBytes = input.length - zlib.inputLeft;
      if (zlib.roomLeft > 0) return { bytes: this.#output.subarray(0, inflatedBytes), consumedBytes };
      if (inflatedBytes > MOST_INFLATED_BYTES) {
        throw Object.assign(new Error('too large'), { code: 'ERR_BUFFER_TOO_LARGE' });
      }
      const larger = new Uint8Array(Math.min(4 * inflatedBytes, MOST_INFLATED_BYTES + 1));
      larger.set(this.#output);
      this.#output = larger;
    }
  }
}

/** What lies behind a stream of node:zlib. */
interface ZlibHandle {
  reset(): void;
  writeSync(
    flush: number,
    input: Uint8Array,
    inputStart: number,
    inputBytes: number,
    output: Uint8Array,
    outputStart: number,
    outputBytes: number,
  ): void;
  onerror: (message: string, errno: number, code: string) => void;
}

interface ZlibStream {
  _handle: ZlibHandle;
  /** What a write leaves of the output's room and of the input. */
  _writeState: Uint32Array;
}

class ZlibState {
  readonly #stream: ZlibStream;
  #fault = '';

  private constructor(stream: ZlibStream) {
    this.#stream = stream;
    stream._handle.onerror = (_message, _errno, code) => {
      this.#fault = code;
    };
  }

  /** Null where Node is made otherwise than this expects. */
  static open(): ZlibState | null {
    const stream = createInflateRaw() as unknown as Partial<ZlibStream>;
    const { _handle: handle, _writeState: left } = stream;
    if (!(left instanceof Uint32Array) || left.length !== 2) return null;
    if (typeof handle?.writeSync !== 'function' || typeof handle.reset !== 'function') return null;
    const state = new ZlibState(stream as ZlibStream);
    return state.#works() ? state : null;
  }

  get roomLeft(): number {
    return this.#stream._writeState[0];
  }

  get inputLeft(): number {
    return this.#stream._writeState[1];
  }

  reset(): void {
    this.#fault = '';
    this.#stream._handle.reset();
  }

  /** Inflates until the stream ends or the output is full; the code of what went wrong, else empty. */
  write(input: Uint8Array, inputStart: number, output: Uint8Array, outputStart: number): string {
    const inputBytes = input.length - inputStart;
    const roomBytes = output.length - outputStart;
    const { Z_FINISH } = constants;
    this.#stream._handle.writeSync(Z_FINISH, input, inputStart, inputBytes, output, outputStart, roomBytes);
    return this.#fault;
  }

  /** Whether `aaaa` is inflated to just that, as often as it comes, and faults are told. */
  #works(): boolean {
    const deflated = Uint8Array.of(0x4b, 0x4c, 0x4c, 0x4c, 0x04, 0x00, 0xff);
    for (let round = 0; round < 2; round++) {
      const output = new Uint8Array(8);
      this.reset();
      if (this.write(deflated, 0, output, 1) !== '') return false;
      if (this.roomLeft !== 3 || this.inputLeft !== 1 || output.join() !== '0,97,97,97,97,0,0,0')
        return false;
      this.reset();
      if (this.write(deflated.subarray(0, 2), 0, output, 0) !== 'Z_BUF_ERROR') return false;
      this.reset();
      if (this.write(Uint8Array.of(0xff), 0, output, 0) !== 'Z_DATA_ERROR') return false;
    }
    return true;
  }
}
