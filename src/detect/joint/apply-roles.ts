/**
 * What roles change in the verdict on a page's blocks. By default, on pages of every age: the headline is kept, captions
 * and code are kept between kept texts, comments are left out except on a forum, menus and footers are left out of a text,
 * and the verdict decides on the rest. The caller may choose otherwise.
 */

import { ROW_FLOATS } from '../../kernel/block-layout.ts';
import { CHOOSABLE_ROLES, type ChoosableRole, type RoleChoice } from '../../model/role.ts';
import { type PageRoles, ROLE } from './block-roles.ts';
import { BY_ROLE, type KeptBlocks } from './block-verdict.ts';
import { FEATURE } from './feature-names.ts';

/** Comments are left out of a page with so many other words, or so many to each word of a comment. */
const TEXT_WORDS = 60;
const TEXT_SHARE = 0.2;
/** Menus and footers are left out when they are at most this share of the words. */
const ASIDE_SHARE = 0.6;
/** Blocks of one role between two texts, at most. */
const BETWEEN_BLOCKS = 3;

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
  keepBetween(verdict, roles, ROLE.caption, set);
  keepBetween(verdict, roles, ROLE.code, set);

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
    // parts of a text are wanted where the text is: teasers of other pages have dates and bylines, too
    const isPart = role !== ROLE.text && block >= first && block <= last;
    if (isIn[role] && (isRegion || isPart)) set(block, 1);
    else if (choice.only && !isIn[role]) set(block, 0);
  }
}

/** Whether text beside comments is kept. Without, the comments on a link, say, are what the page is about. */
function hasText(words: Float64Array): boolean {
  const comments = words[ROLE.comments];
  const others = words.reduce((sum, ofRole) => sum + ofRole, 0) - comments - words[ROLE.title];
  return others >= Math.min(TEXT_WORDS, TEXT_SHARE * comments);
}

/** Whether menus and footers are a small part of what is kept. A page that is mostly links is perhaps a list. */
function areAside(words: Float64Array): boolean {
  const all = words.reduce((sum, ofRole) => sum + ofRole, 0);
  return words[ROLE.navigation] + words[ROLE.footer] <= ASIDE_SHARE * all;
}

/** Words of the blocks that are kept, by number of a role. */
function wordsByRole({ blocks, kept }: KeptBlocks, roles: Uint8Array): Float64Array {
  const { rows } = blocks;
  const words = new Float64Array(CHOOSABLE_ROLES.length);
  for (let block = 0; block < roles.length; block++) {
    if (kept[block] === 1) words[roles[block]] += rows[block * ROW_FLOATS + FEATURE.words];
  }
  return words;
}

/** By number of a role, 1 for those in a list. */
function flagsOf(roles: readonly ChoosableRole[]): Uint8Array {
  const flags = new Uint8Array(CHOOSABLE_ROLES.length);
  for (const role of roles) flags[ROLE[role]] = 1;
  return flags;
}

/** Keeps blocks of a role that stand between texts that are kept. */
function keepBetween(
  { kept }: KeptBlocks,
  roles: Uint8Array,
  role: number,
  set: (block: number, isKept: 0 | 1) => void,
): void {
  const isTextKept = (block: number, step: 1 | -1) => {
    for (let k = 0, other = block + step; k < BETWEEN_BLOCKS && other >= 0 && other < roles.length; k++) {
      if (roles[other] !== role) return kept[other] === 1;
      other += step;
    }
    return false;
  };
  for (let block = 0; block < roles.length; block++) {
    if (roles[block] !== role) continue;
    if (isTextKept(block, -1) && isTextKept(block, 1)) set(block, 1);
  }
}

/** The first and the last block that are kept. */
function spanOf(kept: Uint8Array): { first: number; last: number } {
  return { first: kept.indexOf(1), last: kept.lastIndexOf(1) };
}
