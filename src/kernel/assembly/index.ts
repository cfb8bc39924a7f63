/** All functions that the host may call. */
export { deflate, makeCode } from './deflate';
export { hashBytes } from './hash';
export { beginInflate, inflate, moveInflate } from './inflate';
export { findBounds, packDeltas, packGroups, packRuns } from './pack';
export { renderText } from './text';
export { scoreTrees } from './tree';

/** The address after the static data of the kernel. */
export function staticEnd(): u32 {
  return <u32>__heap_base;
}
