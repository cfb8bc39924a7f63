/** All functions that the host may call. */
export { hashBytes } from './hash';
export { beginInflate, inflate, moveInflate } from './inflate';
export { renderText } from './text';
export { scoreTrees } from './tree';
