/**
 * Makes a failing case small by delta debugging: removes chunks, from halves down to single bytes, while the
 * case still fails, then replaces bytes by plain ones. The number of checks is bounded, so the result may not
 * be minimal.
 */

/** Limits of `minimise`. */
export interface MinimiseOptions {
  /** @default 3000 */
  maxChecks?: number;
  /** No check starts after this many milliseconds; for cases that fail by being slow. @default 60,000 */
  maxMs?: number;
}

const PLAIN_BYTES = Buffer.from('a0 \n');

/** Returns a small case that still fails. */
export async function minimise(
  bytes: Uint8Array,
  fails: (bytes: Uint8Array) => Promise<boolean>,
  { maxChecks = 3000, maxMs = 60_000 }: MinimiseOptions = {},
): Promise<Uint8Array> {
  const endMs = performance.now() + maxMs;
  let smallest = bytes;
  let checks = 0;
  const isDone = () => checks >= maxChecks || performance.now() > endMs;
  const keepIfFailing = async (candidate: Uint8Array): Promise<boolean> => {
    checks++;
    if (!(await fails(candidate))) return false;
    smallest = candidate;
    return true;
  };

  const removeChunks = async (): Promise<void> => {
    let chunkBytes = Math.ceil(smallest.length / 2);
    while (smallest.length > 0 && !isDone()) {
      const before = smallest.length;
      // from the end to the start, so that positions of untried bytes do not change
      for (let end = smallest.length; end > 0 && !isDone(); end -= chunkBytes) {
        await keepIfFailing(without(smallest, Math.max(0, end - chunkBytes), end));
      }
      if (smallest.length < before) continue;
      if (chunkBytes === 1) return;
      chunkBytes = Math.ceil(chunkBytes / 2);
    }
  };

  await removeChunks();
  for (let at = 0; at < smallest.length; at++) {
    for (const plain of PLAIN_BYTES) {
      if (smallest[at] === plain || isDone()) break;
      if (await keepIfFailing(withByte(smallest, at, plain))) break;
    }
  }
  await removeChunks();
  return smallest;
}

function without(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
}

function withByte(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[at] = value;
  return copy;
}
