/** All functions that the host may call. */

export { addContext, countScores } from './block-context';
export { makeBlockFeatures } from './block-features';
export { countGrams, cutSpans, joinSpans } from './candidate-spans';
export { countSitePage, finishSite, indexEntries } from './count-evidence';
export { describeSite } from './describe-site';
export { findDomSpans } from './dom-find';
export {
  countLinePositions,
  countNodes,
  countPositions,
  keepContexts,
  keepStable,
  markInside,
  selectLinePositions,
  sketchNodes,
} from './dom-learn';
export { weighNames } from './element-names';
export { makeFeatures } from './feature-values';
export { findBlocks } from './find-blocks';
export { addKnownText, fillKnownBuckets, findFragments, openSearch } from './find-known-texts';
export { hashBytes, hashText } from './hash';
export { beginInflate, inflate, moveInflate } from './inflate';
export { fillIndex, moveCounted, readCounted, selectCounted } from './keys';
export { countGroupPairs, listEntries } from './layout-group';
export { countTemplateLinks, sourceOffset, textPosition } from './locate-text';
export { findBounds, packDeltas, packGroups, packRuns } from './pack';
export { parse } from './parse-page';
export { listNameBuckets } from './read-names';
export { renderText } from './render-text';
export { scoreTrees } from './score-trees';
export { measureTexts } from './text-width';
export { isUnseen } from './unseen-elements';
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

/** Returns the address after the static data of the kernel. */
export function staticEnd(): u32 {
  return <u32>__heap_base;
}
export { addEvidence } from './evidence-features';
