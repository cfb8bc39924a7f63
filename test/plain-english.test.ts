/**
 * Docs, comments, help texts and messages avoid phrases that readers of English as a second language read twice.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesByArea } from './source-areas.ts';

const root = join(import.meta.dirname, '..');

/** What to write instead is in brackets. */
const AVOIDED = [
  'at hand', // (given, current)
  '(?<!there )(is|are|was|were) none', // (has no …; there is no …)
  'tells?(?!( \\w+)? apart)|told(?! apart)|telling', // (says, shows, reports; distinguishes)
  '[Ww]hoever', // (a caller that …)
  'says? nothing of', // (does not mention)
  '(has|have) no say', // (does not count)
  '(stands?|stood) (in|on|at|above|alone|apart|before|below|beside|between|inside|outside|there|together)(?! for)', // (is, occurs)
  'anew|all the same', // (again; anyway)
  '[Ww]hat is \\w+ is', // (name the thing)
  'as it comes',
  'for want of', // (without)
  'so (many|much)(?! that)', // (this many)
  '(MOST|LEAST|FEWEST)_[A-Z_]+', // (MAX_, MIN_)
];
const PATTERN = new RegExp(`\\b(${AVOIDED.join('|')})\\b`, 'g');

const areas = filesByArea(/\.(md|ts|tsx|mjs|sh|py|html)$/);

test.each([...areas.keys()])('%s has no phrase of the list to avoid', (area) => {
  expect(areas.get(area)!.flatMap(phrasesOf)).toEqual([]);
});

function phrasesOf(path: string): string[] {
  if (path === 'CHANGELOG.md' || path === 'test/plain-english.test.ts') return [];
  // a phrase may begin on one line of a comment or of a concatenated message and end on the next
  const text = readFileSync(join(root, path), 'utf8').replace(/['`] \+\n\s*['`]|\n\s*(\/\/|\*|#)? ?/g, ' ');
  return [...text.matchAll(PATTERN)].map(([phrase]) => `${path}: ${phrase}`);
}
