/**
 * Changes the verdict on a page's blocks by their roles. By default, whatever the age of the page: the headline is
 * kept, captions and code between kept texts are kept, comments are dropped except on a forum, menus and footers beside
 * a text are dropped, and other blocks keep their verdict. The caller may choose other roles.
 */

import { ROW_FLOATS } from '../../kernel/block-layout.ts';
import { CHOOSABLE_ROLES, type ChoosableRole, type RoleChoice } from '../../model/role.ts';
import { type PageRoles, ROLE } from './block-roles.ts';
import { BY_ROLE, type KeptBlocks } from './block-verdict.ts';
import { FEATURE } from './feature-names.ts';

/** Comments are dropped when the page has at least this many other words, or this many for each word of a comment. */
const TEXT_WORDS = 60;
const TEXT_SHARE = 0.2;
/** Menus and footers are dropped when they have at most this share of the words. */
const ASIDE_SHARE = 0.6;
/** Maximum number of captions between two kept texts. Code needs its own bound: a listing has one block per line. */
const CAPTIONS_BETWEEN = 5;
/** Maximum number of blocks (a file name, copy buttons) between code and the kept text that it belongs to. */
const BESIDE_CODE = 4;

/** Changes the verdict on a page's blocks by their roles, in place; each block that changes gets the reason BY_ROLE. */
export function applyRoles(
  verdict: KeptBlocks,
  { roles, isForum }: PageRoles,
  choice: RoleChoice = {},
): void {
  const { kept, reasons } = verdict;
  const set = (block: number, isKept: 0 | 1) => {
    if (kept[block] === isKept) return;
    kept[block] = isKept;
    reasons[block] = BY_ROLE;
  };
  const words = wordsByRole(verdict, roles);
  const isOut = new Uint8Array(CHOOSABLE_ROLES.length);
  if (!isForum && hasText(words)) isOut[ROLE.comments] = 1;
  if (areAside(words)) isOut[ROLE.navigation] = isOut[ROLE.footer] = 1;
  for (let block = 0; block < roles.length; block++) {
    if (roles[block] === ROLE.title) set(block, 1);
    else if (isOut[roles[block]]) set(block, 0);
  }
  keepBetween(verdict, roles, { role: ROLE.caption, most: CAPTIONS_BETWEEN, reach: 1 }, set);
  keepBetween(verdict, roles, { role: ROLE.code, most: roles.length, reach: BESIDE_CODE }, set);

  if (choice.without) {
    const isUnwanted = flagsOf(choice.without);
    for (let block = 0; block < roles.length; block++) if (isUnwanted[roles[block]]) set(block, 0);
  }
  const wanted = choice.only ?? choice.with;
  if (!wanted) return;
  const isIn = flagsOf(wanted);
  const { first, last } = spanOf(kept);
  for (let block = 0; block < roles.length; block++) {
    const role = roles[block];
    const isRegion = role >= ROLE.comments;
    // parts of a text are kept only inside the main text: teasers of other pages have dates and bylines too
    const isPart = role !== ROLE.text && block >= first && block <= last;
    if (isIn[role] && (isRegion || isPart)) set(block, 1);
    else if (choice.only && !isIn[role]) set(block, 0);
  }
}

/** Whether text besides comments is kept. Without such text, the comments are what the page is about. */
function hasText(words: Float64Array): boolean {
  const comments = words[ROLE.comments];
  const others = words.reduce((sum, ofRole) => sum + ofRole, 0) - comments - words[ROLE.title];
  return others >= Math.min(TEXT_WORDS, TEXT_SHARE * comments);
}

/** Whether menus and footers are a small part of the kept text. A page that is mostly links may be a list. */
function areAside(words: Float64Array): boolean {
  const all = words.reduce((sum, ofRole) => sum + ofRole, 0);
  return words[ROLE.navigation] + words[ROLE.footer] <= ASIDE_SHARE * all;
}

/** Number of words in kept blocks, indexed by role number. */
function wordsByRole({ blocks, kept }: KeptBlocks, roles: Uint8Array): Float64Array {
  const { rows } = blocks;
  const words = new Float64Array(CHOOSABLE_ROLES.length);
  for (let block = 0; block < roles.length; block++) {
    if (kept[block] === 1) words[roles[block]] += rows[block * ROW_FLOATS + FEATURE.words];
  }
  return words;
}

/** Flags indexed by role number: 1 for each listed role. */
function flagsOf(roles: readonly ChoosableRole[]): Uint8Array {
  const flags = new Uint8Array(CHOOSABLE_ROLES.length);
  for (const role of roles) flags[ROLE[role]] = 1;
  return flags;
}

/** Keeps a run of at most `most` blocks of a role when texts within `reach` blocks before and after it are kept. */
function keepBetween(
  { kept }: KeptBlocks,
  roles: Uint8Array,
  { role, most, reach }: { role: number; most: number; reach: number },
  set: (block: number, isKept: 0 | 1) => void,
): void {
  const isTextKept = (from: number, step: 1 | -1) => {
    for (let k = 0, block = from; k < reach && block >= 0 && block < roles.length; k++, block += step) {
      if (kept[block] === 1) return true;
    }
    return false;
  };
  for (let start = 0; start < roles.length; start++) {
    if (roles[start] !== role) continue;
    let end = start + 1;
    while (end < roles.length && roles[end] === role) end++;
    if (end - start <= most && isTextKept(start - 1, -1) && isTextKept(end, 1)) {
      for (let block = start; block < end; block++) set(block, 1);
    }
    start = end - 1;
  }
}

/** The first and the last block that are kept. */
function spanOf(kept: Uint8Array): { first: number; last: number } {
  return { first: kept.indexOf(1), last: kept.lastIndexOf(1) };
}
