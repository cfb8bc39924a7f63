/** All functions that the host may call. */

export { countGrams, cutSpans, joinSpans } from './candidate-spans';
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
export { hashBytes, hashText } from './hash';
export { beginInflate, inflate, moveInflate } from './inflate';
export { fillIndex, moveCounted, readCounted, selectCounted } from './keys';
export { addKnownText, fillKnownSlots, findFragments, openSearch } from './known-texts';
export { findBounds, packDeltas, packGroups, packRuns } from './pack';
export { parse } from './parse-page';
export { countTemplateLinks, sourceOffset, textPosition } from './source-map';
export { renderText } from './text';
export { scoreTrees } from './tree';
export {
  countTextWindows,
  listFragments,
  listWindows,
  numberWindows,
  openRoll,
  readNumbered,
  refillNumbers,
  selectNumbered,
} from './windows';

/** The address after the static data of the kernel. */
export function staticEnd(): u32 {
  return <u32>__heap_base;
}
