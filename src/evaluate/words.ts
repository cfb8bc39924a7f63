/** What scores count as a word is what shingles are made of. */
export { segmentWords } from '../compare/words.ts';
