/** All functions that the host may call. */
export { deflate, makeCode } from './deflate';
export {
  countLinePositions,
  countNodes,
  countPositions,
  findDomSpans,
  keepContexts,
  keepStable,
  markInside,
  selectLinePositions,
  sketchNodes,
} from './dom';
export { hashBytes } from './hash';
export { beginInflate, inflate, moveInflate } from './inflate';
export { fillIndex, moveCounted, readCounted, selectCounted } from './keys';
export { findBounds, packDeltas, packGroups, packRuns } from './pack';
export { parse } from './parse-page';
export { renderText } from './text';
export { scoreTrees } from './tree';

/** The address after the static data of the kernel. */
export function staticEnd(): u32 {
  return <u32>__heap_base;
}
