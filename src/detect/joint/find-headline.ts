/**
 * Finds the headline of a page: the block above the text that is most similar to the page's title, headings first, or
 * else the first h1. A heading with line breaks has several blocks.
 */
import * as layout from '../../kernel/block-layout.ts';
import type { Tree } from '../../parse/tree.ts';
import type { PageBlocks } from './block-reader.ts';
import { FEATURE } from './feature-names.ts';
import * as name from './role-words.ts';

/** Bounds of a headline: share of the prose before it, its words, its similarity to the page's title. */
const TITLE_PROSE = 0.3;
const TITLE_WORDS = 40;
const MIN_LIKENESS = 0.25;
/**
 * Minimum number and minimum share of other pages that have a text in the same place before it counts as the site's
 * name.
 */
const SITE_PAGES = 3;
const SITE_SHARE = 0.1;
/** Maximum words of a small element. */
const SMALL_WORDS = 80;

/** Names that no headline has above it. */
const NOT_TITLE = name.LEGAL | name.FORM | name.SITE;
/** Names that only a first-level heading may have above it. */
const NOT_OTHER_TITLE = NOT_TITLE | name.BREADCRUMB | name.NAVIGATION | name.RELATED | name.FOOTER;

const ELEMENT = layout.ELEMENT_WORDS_SIZE;
const RECORD = layout.BLOCK_RECORD_WORDS;
const ROW = layout.ROW_FLOATS;

/**
 * Returns the first block of the headline and the one after its last; -1 for none.
 * @param hasEvidence whether the rows hold site evidence; the site's name is then never the headline
 */
export function findHeadline(
  tree: Tree,
  blocks: PageBlocks,
  hasEvidence: boolean,
): { first: number; end: number } {
  return new HeadlineFinder(tree, blocks).find(hasEvidence);
}

class HeadlineFinder {
  readonly #tree: Tree;
  readonly #count: number;
  readonly #records: Int32Array;
  readonly #rows: Float32Array;
  readonly #elements: Int32Array;
  readonly #floats: Float32Array;

  constructor(tree: Tree, blocks: PageBlocks) {
    this.#tree = tree;
    this.#count = blocks.count;
    this.#records = blocks.records;
    this.#rows = blocks.rows;
    this.#elements = blocks.elements;
    this.#floats = new Float32Array(this.#elements.buffer, this.#elements.byteOffset, this.#elements.length);
  }

  find(hasEvidence: boolean): { first: number; end: number } {
    let best = -1;
    let most = MIN_LIKENESS;
    let firstH1 = -1;
    const share = this.#hasOgTitle() ? FEATURE.ogTitleShare : FEATURE.titleShare;
    for (let block = 0; block < this.#count; block = this.#endOfHeading(block)) {
      const row = block * ROW;
      if (this.#rows[row + FEATURE.proseBefore] > TITLE_PROSE) break;
      if (this.#rows[row + FEATURE.words] > TITLE_WORDS) continue;
      const heading = this.#records[block * RECORD + layout.BLOCK_HEADING];
      if (heading === 1 && firstH1 < 0 && !this.#isElsewhere(block)) firstH1 = block;
      const likeness = this.#likenessToTitle(block, share);
      if (1.3 * likeness < most) continue;
      const factor = heading === 1 ? 1.3 : heading > 0 ? 1.2 : this.#isNamed(block, name.TITLE) ? 1.1 : 0.8;
      // of two equally similar blocks, the first is usually the site's name
      if (factor * likeness < most || this.#isElsewhere(block)) continue;
      if (hasEvidence && this.#isOfSite(row)) continue;
      most = factor * likeness;
      best = block;
    }
    const first = best >= 0 ? best : firstH1;
    return { first, end: first < 0 ? -1 : this.#endOfHeading(first) };
  }

  /**
   * Share of the title's words in a block, or in all lines of a heading, times the share of these words that the title
   * has.
   */
  #likenessToTitle(block: number, titleShare: number): number {
    let share = 0;
    let inTitle = 0;
    let words = 0;
    const end = this.#endOfHeading(block);
    for (let line = block; line < end; line++) {
      const row = line * ROW;
      const size = this.#rows[row + FEATURE.words];
      share += this.#rows[row + titleShare];
      inTitle += size * this.#rows[row + FEATURE.titleWordShare];
      words += size;
    }
    return words > 0 ? (Math.min(1, share) * inTitle) / words : 0;
  }

  /** Whether the page has an og:title, which, unlike the title, seldom includes the site's name. */
  #hasOgTitle(): boolean {
    for (let block = 0; block < this.#count; block++) {
      if (this.#rows[block * ROW + FEATURE.ogTitleShare] > 0.5) return true;
    }
    return false;
  }

  /** Whether a block is hidden, or in a small element whose name excludes a headline. */
  #isElsewhere(block: number): boolean {
    if (this.#records[block * RECORD + layout.BLOCK_FLAGS] & layout.BLOCK_HIDDEN) return true;
    const others = this.#records[block * RECORD + layout.BLOCK_HEADING] === 1 ? NOT_TITLE : NOT_OTHER_TITLE;
    let node = this.#records[block * RECORD + layout.BLOCK_LEAF];
    for (; node > 0; node = this.#tree.parent[node]) {
      if (this.#floats[node * ELEMENT + layout.ELEMENT_WORDS] > SMALL_WORDS) return false;
      const bits =
        this.#elements[node * ELEMENT + layout.ELEMENT_ROLES] | name.tagBits(this.#tree.name[node]);
      if (bits & others) return true;
    }
    return false;
  }

  /** Whether a tenth of the other pages have this very text in this place. */
  #isOfSite(row: number): boolean {
    const rows = this.#rows;
    if (rows[row + FEATURE.samePages] < SITE_PAGES) return false;
    return rows[row + FEATURE.sameShare] >= SITE_SHARE && rows[row + FEATURE.pairShare] >= SITE_SHARE;
  }

  /** The end (exclusive) of the heading that starts with a block. */
  #endOfHeading(block: number): number {
    let end = block + 1;
    if (this.#records[block * RECORD + layout.BLOCK_HEADING] === 0) return end;
    const container = this.#records[block * RECORD + layout.BLOCK_CONTAINER];
    while (end < this.#count && this.#records[end * RECORD + layout.BLOCK_CONTAINER] === container) end++;
    return end;
  }

  /** Whether a block's innermost element or its block-level element has a name. */
  #isNamed(block: number, bit: number): boolean {
    const record = block * RECORD;
    const leaf = this.#records[record + layout.BLOCK_LEAF];
    const container = this.#records[record + layout.BLOCK_CONTAINER];
    const bits =
      this.#records[record + layout.BLOCK_ROLES] |
      this.#elements[leaf * ELEMENT + layout.ELEMENT_ROLES] |
      this.#elements[container * ELEMENT + layout.ELEMENT_ROLES];
    return (bits & bit) !== 0;
  }
}
