/**
 * Whole articles that a page shows below its own, as some news sites load them while the reader scrolls. They are content of
 * other pages. The second headline looks like the page's own, and another page of the site has its text; everything from
 * there on is left out.
 */
import * as layout from '../../kernel/block-layout.ts';
import { ROLE } from './block-roles.ts';
import { IS_NEXT_ARTICLE, type KeptBlocks } from './block-verdict.ts';
import { FEATURE } from './feature-names.ts';

/** Levels and words of a headline. */
const MAX_LEVEL = 3;
const MIN_WORDS = 3;
/**
 * The page's own headline has the role, or this share of its words in the page's title; another one has at most the other
 * share. The headlines of a list are links.
 */
const OWN_SHARE = 0.8;
const MAX_LINKS = 0.5;
const OTHER_SHARE = 0.5;
/** Kept words between the two headlines. */
const MIN_TEXT = 40;
/** A heading on a larger share of the other pages is the heading of a section. */
const SECTION_SHARE = 0.2;
const SECTION_PAGES = 3;

/** Drops the articles below the page's own, in place. */
export function dropNextArticles({ blocks, kept, reasons }: KeptBlocks, roles: Uint8Array): void {
  const { count, records, rows, elements } = blocks;
  const record = (block: number, field: number) => records[block * layout.BLOCK_RECORD_WORDS + field];
  const feature = (block: number, name: keyof typeof FEATURE) =>
    rows[block * layout.ROW_FLOATS + FEATURE[name]];
  const make = (block: number) =>
    elements[record(block, layout.BLOCK_CONTAINER) * layout.ELEMENT_WORDS_SIZE + layout.ELEMENT_OWN];
  const isHeadline = (block: number) => {
    const level = record(block, layout.BLOCK_HEADING);
    return level > 0 && level <= MAX_LEVEL && record(block, layout.BLOCK_WORD_COUNT) >= MIN_WORDS;
  };
  const isOwn = (block: number) =>
    (roles[block] === ROLE.title || feature(block, 'titleWordShare') >= OWN_SHARE) &&
    feature(block, 'linkShare') < MAX_LINKS;
  let own = 0;
  while (own < count && !(isHeadline(own) && isOwn(own))) own++;
  if (own === count || !(feature(own, 'sitePages') >= 1)) return;
  let words = 0;
  let next = own + 1;
  for (; next < count; words += kept[next] * record(next, layout.BLOCK_WORD_COUNT), next++) {
    if (words < MIN_TEXT || !isHeadline(next) || feature(next, 'titleWordShare') > OTHER_SHARE) continue;
    if (make(next) !== make(own) || record(next, layout.BLOCK_HEADING) !== record(own, layout.BLOCK_HEADING))
      continue;
    const pages = feature(next, 'textPages');
    if (pages >= 1 && pages <= Math.max(SECTION_PAGES, SECTION_SHARE * feature(next, 'sitePages'))) break;
  }
  for (let block = next; block < count; block++) {
    if (kept[block] === 0) continue;
    kept[block] = 0;
    reasons[block] = IS_NEXT_ARTICLE;
  }
}
