/**
 * Which pages a dictionary is built from and which are kept apart to measure it: by a hash of the URL, so that
 * it depends on neither order nor machine, and all captures of a URL fall on the same side.
 */
import { urlHashLanes } from '../../analysis/url-hash.ts';

/** One page in five is kept apart. */
export const DEFAULT_HOLD_OUT = 0.2;

/** Apart from the seeds of samples, so that the split has nothing to do with them. */
const SEED = 9842;

export function isHeldOut(url: string, holdOut: number): boolean {
  return (urlHashLanes(url, SEED).low >>> 0) / 2 ** 32 < holdOut;
}

/** Orders pages of one side for drawing some of them: the smallest are drawn. */
export function drawOf(url: string): number {
  return urlHashLanes(url, SEED).high >>> 0;
}
