import { mix32 } from '../src/analysis/byte-hash.ts';
import * as layout from '../src/kernel/window-layout.ts';

/** One window from its characters, as code points: the definition of its hash. */
export function hashWindow(characters: readonly number[]): { low: number; high: number } {
  let a = 0;
  let b = 0;
  for (const character of characters) {
    const x = Math.imul(character + 1, 0x9e3779b1);
    const y = Math.imul(character + 1, 0x85ebca6b);
    a = (Math.imul(a, layout.WINDOW_BASE_A) + (x ^ (x >>> 15))) | 0;
    b = (Math.imul(b, layout.WINDOW_BASE_B) + (y ^ (y >>> 13))) | 0;
  }
  return { low: Math.imul(a ^ (a >>> 15), 0x85ebca6b), high: mix32(b ^ a) };
}
