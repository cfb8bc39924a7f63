/** All functions that the host may call. */
export { hashBytes } from './hash';
export { renderText } from './text';
export { scoreTrees } from './tree';
