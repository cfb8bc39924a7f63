/**
 * Finds the role of each block of a page: headline, byline, comments, navigation and so on. It uses rules, not a model:
 * words of class, id, role, rel and item attributes (role-words.ts), tags, dates and links, the page's title, and
 * position. The nearest element above a block that matches a rule decides.
 *
 * Regions (comments, related, navigation, breadcrumb, footer, legal, toc) take precedence over parts of a text (title,
 * byline, date, caption, code, facts): the date of a comment belongs to the comment. Names on wrappers mislead: an
 * element with most of the prose is never a region, and bylines, dates and captions must be short.
 */
import * as layout from '../../kernel/block-layout.ts';
import { CHOOSABLE_ROLES, type ChoosableRole } from '../../model/role.ts';
import { TAG, tagsOf } from '../../parse/tag-names.ts';
import type { Tree } from '../../parse/tree.ts';
import type { PageBlocks } from './block-reader.ts';
import { FEATURE } from './feature-names.ts';
import { findHeadline } from './find-headline.ts';
import { isForum } from './forum-page.ts';
import * as name from './role-words.ts';

/** Number of each role: parts of a text first, then regions; `text` is not a role and is 0. */
export const ROLE = Object.fromEntries(CHOOSABLE_ROLES.map((role, number) => [role, number])) as Record<
  ChoosableRole,
  number
>;

/** Maximum words of a breadcrumb, a byline and other short roles. */
const BREADCRUMB_WORDS = 60;
const LEGAL_WORDS = 200;
const BYLINE_WORDS = 20;
const DATE_WORDS = 12;
const BARE_DATE_WORDS = 5;
const CAPTION_WORDS = 90;
const FORM_WORDS = 80;
const PICTURE_WORDS = 150;
/** Maximum words of a fact, on average. */
const CELL_WORDS = 12;
/** Maximum share of the prose in a region; an element with more is a wrapper. */
const MAX_PROSE = 0.4;
/** Minimum link shares of menus and of tables of contents; their other words are titles and counts. */
const MENU_LINKS = 0.4;
const TOC_LINKS = 0.6;
/** Minimum share of brackets, equals signs and similar characters in code. */
const CODE_SIGNS = 0.025;

const ELEMENT = layout.ELEMENT_WORDS_SIZE;
const RECORD = layout.BLOCK_RECORD_WORDS;
const ROW = layout.ROW_FLOATS;
/** Bit of <article> in ELEMENT_ABOVE: the first tag of `BITS` in block-reader.ts. */
const ABOVE_ARTICLE = 1;
/** Marks an element that was not examined yet. */
const UNKNOWN = 255;
/** Marks a region without a role, such as a small form; no parts of a text are searched inside it. */
const NO_ROLE = 254;

/** The role of every block of one page, and whether the page is a forum thread. */
export interface PageRoles {
  /** A number of `ROLE` for each block. */
  roles: Uint8Array;
  /** Whether the page is a thread of a forum: its posts are text, not comments. */
  isForum: boolean;
}

/**
 * The roles of the blocks of the page that the reader has read.
 * @param hasEvidence whether the rows hold site evidence; the site's name is then never the headline. @default false
 */
export function rolesOf(tree: Tree, blocks: PageBlocks, url: string, hasEvidence = false): PageRoles {
  const roles = new Uint8Array(blocks.count);
  if (blocks.count === 0) return { roles, isForum: false };
  const page = new RolePage(tree, blocks, url, hasEvidence);
  for (let block = 0; block < roles.length; block++) roles[block] = page.roleOf(block);
  return { roles, isForum: page.isForum };
}

class RolePage {
  readonly isForum: boolean;
  readonly #tree: Tree;
  readonly #count: number;
  readonly #records: Int32Array;
  readonly #rows: Float32Array;
  readonly #elements: Int32Array;
  readonly #floats: Float32Array;
  /** For each element with blocks: its region, then its part of a text. */
  readonly #regions: Uint8Array;
  readonly #parts: Uint8Array;
  readonly #path: number[] = [];
  readonly #prose: number;
  /** The block with the most prose; the first headline block and the one after the last; -1 for none. */
  readonly #largest: number;
  readonly #title: number;
  readonly #titleEnd: number;
  // measurements of the element being examined
  #bits = 0;
  #words = 0;
  #links = 0;
  #elementProse = 0;
  #first = 0;
  #last = 0;
  #isInArticle = false;

  constructor(tree: Tree, blocks: PageBlocks, url: string, hasEvidence: boolean) {
    this.#tree = tree;
    this.#count = blocks.count;
    this.#records = blocks.records;
    this.#rows = blocks.rows;
    this.#elements = blocks.elements;
    this.#floats = new Float32Array(this.#elements.buffer, this.#elements.byteOffset, this.#elements.length);
    this.#regions = new Uint8Array(tree.nodeCount).fill(UNKNOWN);
    this.#parts = new Uint8Array(tree.nodeCount);
    this.#regions[0] = ROLE.text;
    this.#prose = this.#rows[FEATURE.pageWords] * this.#rows[FEATURE.pageProseShare];
    this.#largest = -this.#rows[FEATURE.largestDistance];
    const headline = findHeadline(tree, blocks, hasEvidence);
    this.#title = headline.first;
    this.#titleEnd = headline.end;
    this.isForum = isForum(tree, blocks, url);
  }

  roleOf(block: number): number {
    if (block >= this.#title && block < this.#titleEnd) return ROLE.title;
    const record = block * RECORD;
    const container = this.#records[record + layout.BLOCK_CONTAINER];
    this.#settle(container);
    // inline elements inside the block first, then the elements around it
    this.#measureBlock(block);
    let region = UNKNOWN;
    for (
      let node = this.#records[record + layout.BLOCK_LEAF];
      node !== container;
      node = this.#tree.parent[node]
    ) {
      // a link inside a paragraph, such as a comment count, does not describe the paragraph
      if (this.#tree.last[node] <= this.#records[record + layout.BLOCK_LAST_TEXT]) continue;
      this.#bits = this.#bitsOf(node);
      if (region === UNKNOWN) region = this.#region();
    }
    if (region === UNKNOWN) region = this.#regions[container];
    if (region === NO_ROLE) return ROLE.text;
    if (region !== ROLE.text) return region;
    this.#bits = this.#records[record + layout.BLOCK_ROLES];
    if (this.#flags(block) & layout.BLOCK_TIME) this.#bits |= name.DATE;
    const own = this.#part(block);
    return own === UNKNOWN ? this.#checkPart(this.#parts[container], block) : own;
  }

  /** Finds the region and the part of an element, and those of its ancestors. */
  #settle(container: number): void {
    const { parent } = this.#tree;
    const path = this.#path;
    let node = container;
    for (; this.#regions[node] === UNKNOWN; node = parent[node]) path.push(node);
    for (let above = node; path.length > 0; above = node) {
      node = path.pop()!;
      const tag = this.#tree.name[node];
      this.#regions[node] = this.#regions[above];
      this.#parts[node] = this.#parts[above];
      this.#bits = this.#bitsOf(node);
      const isTable = tag === TAG.table || tag === TAG.dl;
      if ((this.#bits === 0 && !isTable) || tag === TAG.body || tag === TAG.html) continue;
      this.#measure(node);
      const region = this.#region();
      if (region !== UNKNOWN) this.#regions[node] = region;
      if (this.#bits & name.CAPTION && !this.#hasPicture(node)) this.#bits &= ~name.CAPTION;
      const part = isTable || this.#bits & name.FACTS ? this.#factsOf(node) : this.#part(-1);
      if (part !== UNKNOWN) this.#parts[node] = part;
    }
  }

  #bitsOf(node: number): number {
    return this.#elements[node * ELEMENT + layout.ELEMENT_ROLES] | name.tagBits(this.#tree.name[node]);
  }

  #measure(node: number): void {
    const at = node * ELEMENT;
    this.#words = this.#floats[at + layout.ELEMENT_WORDS];
    this.#links = this.#words > 0 ? this.#floats[at + layout.ELEMENT_LINK_WORDS] / this.#words : 0;
    this.#elementProse = this.#floats[at + layout.ELEMENT_PROSE];
    this.#first = this.#elements[at + layout.ELEMENT_FIRST];
    this.#last = this.#elements[at + layout.ELEMENT_LAST];
    this.#isInArticle = (this.#elements[at + layout.ELEMENT_ABOVE] & ABOVE_ARTICLE) !== 0;
  }

  #measureBlock(block: number): void {
    const row = block * ROW;
    this.#words = this.#rows[row + FEATURE.words];
    this.#links = this.#rows[row + FEATURE.linkShare];
    this.#elementProse = this.#words * (1 - this.#links) >= 10 ? this.#words : 0;
    this.#first = this.#last = block;
  }

  /** The element's own region; UNKNOWN defers to its ancestors. */
  #region(): number {
    const bits = this.#bits;
    if (bits === 0) return UNKNOWN;
    const words = this.#words;
    const links = this.#links;
    const isMost = this.#elementProse > MAX_PROSE * this.#prose;
    if (bits & name.BREADCRUMB && words <= BREADCRUMB_WORDS) return ROLE.breadcrumb;
    const isContents = (bits & (name.CONTENTS | name.TABLE)) === (name.CONTENTS | name.TABLE);
    if ((bits & name.TOC || isContents) && links >= TOC_LINKS && !isMost) return ROLE.toc;
    // the headline is never inside one of these regions
    if (this.#title >= this.#first && this.#title <= this.#last) return UNKNOWN;
    if (bits & name.NAVIGATION && links >= MENU_LINKS && !isMost) return ROLE.navigation;
    if (bits & name.FORM && words < FORM_WORDS) return NO_ROLE;
    if (bits & name.COMMENTS && this.#isCommentList()) return ROLE.comments;
    if (isMost) return UNKNOWN;
    if (bits & name.RELATED) return ROLE.related;
    if (bits & name.RECENT && bits & name.SIDE) return ROLE.related;
    if (bits & name.LEGAL && words <= LEGAL_WORDS) return ROLE.legal;
    const isAfter = this.#first > this.#largest && this.#last >= 0.8 * this.#count && !this.#isInArticle;
    if (bits & name.FOOTER && isAfter) return ROLE.footer;
    return UNKNOWN;
  }

  /**
   * Whether an element with a comments name holds comments. A link `3 comments` does not; the list comes after the
   * headline.
   */
  #isCommentList(): boolean {
    if (this.isForum || this.#first <= this.#title) return false;
    return this.#words > 6 || (this.#words >= 2 && this.#links < 0.5);
  }

  /** The part of a text that the element is, or that a block is by the names inside it. */
  #part(block: number): number {
    const bits = this.#bits;
    if (bits === 0) return UNKNOWN;
    const words = this.#words;
    if (bits & name.SIDE && block < 0) return ROLE.text;
    if (bits & name.CODE) return ROLE.code;
    if (bits & name.CAPTION && words <= CAPTION_WORDS) return this.#checkPart(ROLE.caption, block);
    if (bits & name.BYLINE && words <= BYLINE_WORDS) return this.#checkPart(ROLE.byline, block);
    if (bits & name.DATE && words <= DATE_WORDS) return this.#checkPart(ROLE.date, block);
    return UNKNOWN;
  }

  /** The part, if the block has its shape; a `block` of -1 checks an element. */
  #checkPart(part: number, block: number): number {
    if (block < 0) return part;
    const record = block * RECORD;
    const isHeading = this.#records[record + layout.BLOCK_HEADING] > 0;
    if (part === ROLE.caption && isHeading) return ROLE.text;
    if (part === ROLE.code && !this.#isCode(block)) return ROLE.text;
    const hasYear = this.#records[record + layout.BLOCK_DATES] > 0;
    const words = this.#rows[block * ROW + FEATURE.words];
    const hasDate = hasYear || this.#flags(block) & layout.BLOCK_TIME;
    if (part === ROLE.date && (!hasDate || words > DATE_WORDS)) return ROLE.text;
    if (part === ROLE.byline && hasYear && words <= BARE_DATE_WORDS) return ROLE.date;
    return part;
  }

  #flags(block: number): number {
    return this.#records[block * RECORD + layout.BLOCK_FLAGS];
  }

  /** Whether the text has code characters; prose inside a <pre> has few of them. */
  #isCode(block: number): boolean {
    const { text, textStart } = this.#tree;
    const start = textStart[this.#records[block * RECORD + layout.BLOCK_FIRST_TEXT]];
    const end = textStart[this.#records[block * RECORD + layout.BLOCK_LAST_TEXT] + 1];
    if (this.#rows[block * ROW + FEATURE.words] < 20) return true;
    let signs = 0;
    for (let at = start; at < end; at++) signs += CODE_SIGN[text[at]];
    return signs >= CODE_SIGNS * (end - start);
  }

  /** Whether an element named caption is one: a caption tag, or an element near a picture. */
  #hasPicture(node: number): boolean {
    const { name: tags, last, parent } = this.#tree;
    if (tags[node] === TAG.figcaption || tags[node] === TAG.caption) return true;
    let around = node;
    for (let step = 0; step < 3 && around > 0; step++, around = parent[around]) {
      if (this.#floats[around * ELEMENT + layout.ELEMENT_WORDS] > PICTURE_WORDS) return false;
      for (let inner = around; inner < last[around]; inner++) if (PICTURE_TAGS.has(tags[inner])) return true;
    }
    return false;
  }

  /** Whether a table or a definition list has several short cells and few links. */
  #factsOf(node: number): number {
    const cells = this.#elements[node * ELEMENT + layout.ELEMENT_BLOCKS];
    const words = this.#words;
    const isShort = cells >= 4 && words <= CELL_WORDS * cells && this.#elementProse <= 0.5 * words;
    if (!isShort || this.#links > 0.4) return UNKNOWN;
    return this.#isTable(node) ? ROLE.facts : UNKNOWN;
  }

  /**
   * Whether a table has rows of several cells and no nested table, or a definition list has terms. Layout tables fail
   * this.
   */
  #isTable(node: number): boolean {
    const { name: tags, last } = this.#tree;
    const outer = tags[node];
    if (outer !== TAG.table && outer !== TAG.dl) return true;
    let rows = 0;
    let cells = 0;
    for (let inner = node + 1; inner < last[node]; inner++) {
      const tag = tags[inner];
      if (tag === TAG.table || tag === TAG.form) return false;
      if (tag === TAG.tr || tag === TAG.dt) rows++;
      else if (tag === TAG.td || tag === TAG.th || tag === TAG.dd) cells++;
    }
    return rows >= 2 && cells >= (outer === TAG.dl ? rows : 1.5 * rows);
  }
}

const PICTURE_TAGS = new Set<number>(tagsOf('img picture figure video object embed iframe'));
const CODE_SIGN = new Uint8Array(256);
for (const sign of '{}[]()<>;=_*/#$|\\+~`') CODE_SIGN[sign.charCodeAt(0)] = 1;
