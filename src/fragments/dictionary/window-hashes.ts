/**
 * The hash of each window of `WINDOW_BYTES` bytes, by two polynomials that roll over the bytes: what two texts
 * share in stretches at least that long shows as equal hashes. About 3 ns a byte.
 */
import { mix32, power } from '../../analysis/byte-hash.ts';

/** A stretch shorter than this is not worth a copy from a dictionary by much. */
export const WINDOW_BYTES = 16;

const BASE_A = 0x2c1b3c6d;
const BASE_B = 0x5851f42d;

/** Two lanes a window; window i is bytes [i, i + WINDOW_BYTES). */
export interface WindowHashes {
  count: number;
  low: Int32Array;
  high: Int32Array;
}

export function hashWindows(bytes: Uint8Array): WindowHashes {
  const count = Math.max(0, bytes.length - WINDOW_BYTES + 1);
  const low = new Int32Array(count);
  const high = new Int32Array(count);
  let a = 0;
  let b = 0;
  for (let i = 0; i < bytes.length; i++) {
    a = (Math.imul(a, BASE_A) + bytes[i] + 1) | 0;
    b = (Math.imul(b, BASE_B) + bytes[i] + 1) | 0;
    const start = i - WINDOW_BYTES + 1;
    if (start < 0) continue;
    low[start] = mix32(a);
    high[start] = mix32(b);
    // the first byte leaves
    a = (a - Math.imul(POWER_A, bytes[start] + 1)) | 0;
    b = (b - Math.imul(POWER_B, bytes[start] + 1)) | 0;
  }
  return { count, low, high };
}

const POWER_A = power(BASE_A, WINDOW_BYTES - 1);
const POWER_B = power(BASE_B, WINDOW_BYTES - 1);
