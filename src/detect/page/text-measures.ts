/**
 * What every judged node of a page says and links to, all that is inside it included. Each text and element adds
 * to the row it stands in, then rows add up to their parents. Language-free: words are runs of letters and
 * digits, in scripts without spaces two characters make one; stops and commas are Unicode's of any script.
 *
 * Cost: one walk over the nodes and one over the bytes of the text, about 3 ns a byte; two over the rows.
 */
import { reserveColumns } from '../../model/growing-array.ts';
import { siteOf } from '../../model/site.ts';
import { breaksWords, isHeading, TAG } from '../../parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../../parse/tree.ts';
import type { JudgedNodes } from './judged-nodes.ts';
import { TextScanner } from './text-scanner.ts';

/** Words of a block that make it prose, links not counted, when it has a stop or a comma. */
const PROSE_WORDS = 12;

/** Numbers of a row in `sums`: two lines of the cache. */
export const MEASURES = 16;
export const WORDS = 0;
/** Words inside links. */
export const LINK_WORDS = 1;
export const LETTERS = 2;
export const STOPS = 3;
export const COMMAS = 4;
export const DIGITS = 5;
/** Signs that part links or stand in footers: | · • » © and their like. */
export const SIGNS = 6;
/** Words that the title has too. */
export const TITLE_WORDS = 7;
/** Blocks with text directly in them. */
export const BLOCKS = 8;
export const LINKS = 9;
/** Links that stay on the site, and of these those to a place of the same page. */
export const SITE_LINKS = 10;
export const PAGE_LINKS = 11;
export const IMAGES = 12;
/** Fields and buttons. */
export const CONTROLS = 13;
export const HEADING_WORDS = 14;
/** Words directly in `p`. */
export const PARAGRAPH_WORDS = 15;

export class TextMeasures {
  /** By row: the measures above. */
  sums = new Float64Array(0);
  /** By row: words outside links of blocks that read like prose. */
  proseWords = new Float64Array(0);
  /** By row: words and prose of the page that stand before it. */
  wordsBefore = new Float64Array(0);
  proseBefore = new Float64Array(0);
  /** By row: which words of the title it has, as bits. */
  titleBits = new Int32Array(0);
  titleCount = 0;
  /** By row: most words, links not counted, of one block in it. */
  longestBlock = new Float32Array(0);
  readonly #nodes = {
    /** By node: words directly in this block, in links or not, and those in links. */
    blockWords: new Float32Array(0),
    blockLinkWords: new Float32Array(0),
    blockMarks: new Int32Array(0),
    /** By node except texts: the block that its content flows in. */
    blockOf: new Int32Array(0),
    /** Texts with words: their node, their block, and words outside links. */
    texts: new Int32Array(0),
    textBlock: new Int32Array(0),
    plainWords: new Float32Array(0),
  };
  #textCount = 0;
  readonly #scanner = new TextScanner();
  readonly #linkKinds = new LinkKinds();

  measure(tree: Tree, judged: JudgedNodes, url: string): void {
    this.#reserve(tree.nodeCount, judged.count);
    this.titleCount = this.#scanner.setTitle(tree);
    this.#linkKinds.open(siteOf(url));
    this.#readNodes(tree, judged);
    this.#findProse(judged);
    this.#addUp(judged);
  }

  /** One walk: what each row has itself, but for prose, which needs whole blocks. */
  #readNodes(tree: Tree, { count, node: rows, rowOf }: JudgedNodes): void {
    const { nodeCount, kind, name, parent, last, textStart, linkNode, linkCount } = tree;
    const { sums, titleBits, wordsBefore } = this;
    const scanner = this.#scanner;
    const { blockOf, texts, textBlock, plainWords } = this.#nodes;
    const blockWords = this.#nodes.blockWords.fill(0, 0, nodeCount);
    const blockLinkWords = this.#nodes.blockLinkWords.fill(0, 0, nodeCount);
    const blockMarks = this.#nodes.blockMarks.fill(0, 0, nodeCount);
    sums.fill(0, 0, count * MEASURES);
    titleBits.fill(0, 0, count);

    let link = 0;
    let linkEnd = 0;
    let headingEnd = 0;
    let textCount = 0;
    let pageWords = 0;
    for (let node = 0; node < nodeCount; node++) {
      const row = rowOf[node];
      const at = row * MEASURES;
      if (kind[node] === TEXT) {
        if (textStart[node + 1] === textStart[node]) continue;
        const block = blockOf[parent[node]];
        scanner.scan(tree.text, textStart[node], textStart[node + 1]);
        const words = scanner.words;
        sums[at + LETTERS] += scanner.letters;
        sums[at + STOPS] += scanner.stops;
        sums[at + COMMAS] += scanner.commas;
        sums[at + DIGITS] += scanner.digits;
        sums[at + SIGNS] += scanner.signs;
        blockMarks[block] += scanner.stops + scanner.commas;
        if (words === 0) continue;
        sums[at + WORDS] += words;
        pageWords += words;
        sums[at + TITLE_WORDS] += scanner.titleWords;
        titleBits[row] |= scanner.titleBits;
        if (blockWords[block] === 0) sums[at + BLOCKS]++;
        blockWords[block] += words;
        const isLinked = node < linkEnd;
        if (isLinked) {
          sums[at + LINK_WORDS] += words;
          blockLinkWords[block] += words;
        }
        if (node < headingEnd) sums[at + HEADING_WORDS] += words;
        if (name[block] === TAG.p) sums[at + PARAGRAPH_WORDS] += words;
        texts[textCount] = node;
        textBlock[textCount] = block;
        plainWords[textCount++] = isLinked ? 0 : words;
        continue;
      }
      const tag = name[node];
      blockOf[node] = node === 0 || (breaksWords(tag) && tag !== TAG.br) ? node : blockOf[parent[node]];
      if (rows[row] === node) wordsBefore[row] = pageWords;
      if (kind[node] !== ELEMENT) continue;
      if (link < linkCount && linkNode[link] === node) {
        const linkKind = this.#linkKinds.kindOf(tree.source, tree.linkStart[link], tree.linkEnd[link]);
        sums[at + LINKS]++;
        if (linkKind > 0) sums[at + SITE_LINKS]++;
        if (linkKind > 1) sums[at + PAGE_LINKS]++;
        link++;
        if (node >= linkEnd) linkEnd = last[node];
      }
      if (tag === TAG.img || tag === TAG.video || tag === TAG.svg) sums[at + IMAGES]++;
      else if (tag === TAG.input || tag === TAG.select || tag === TAG.textarea || tag === TAG.button) {
        sums[at + CONTROLS]++;
      } else if (isHeading(tag) && node >= headingEnd) headingEnd = last[node];
    }
    this.#textCount = textCount;
  }

  /** Prose and the longest block of each row itself, from the texts whose blocks are known by now. */
  #findProse({ count, node: rows, rowOf }: JudgedNodes): void {
    const { proseWords, proseBefore, longestBlock } = this;
    const { blockWords, blockLinkWords, blockMarks, texts, textBlock, plainWords } = this.#nodes;
    proseWords.fill(0, 0, count);
    longestBlock.fill(0, 0, count);
    let pageProse = 0;
    let next = 0; // the first row that has not begun
    for (let text = 0; text < this.#textCount; text++) {
      const node = texts[text];
      const block = textBlock[text];
      for (; next < count && rows[next] < node; next++) proseBefore[next] = pageProse;
      const plain = blockWords[block] - blockLinkWords[block];
      const blockRow = rowOf[block];
      if (plain > longestBlock[blockRow]) longestBlock[blockRow] = plain;
      if (plain < PROSE_WORDS || blockMarks[block] === 0) continue;
      proseWords[rowOf[node]] += plainWords[text];
      pageProse += plainWords[text];
    }
    for (; next < count; next++) proseBefore[next] = pageProse;
  }

  /** Rows to their parents; a row's own are complete when it is reached from the end. */
  #addUp({ count, parent }: JudgedNodes): void {
    const { sums, proseWords, titleBits, longestBlock } = this;
    for (let row = count - 1; row > 0; row--) {
      const above = parent[row];
      const from = row * MEASURES;
      const to = above * MEASURES;
      for (let k = 0; k < MEASURES; k++) sums[to + k] += sums[from + k];
      proseWords[above] += proseWords[row];
      titleBits[above] |= titleBits[row];
      if (longestBlock[row] > longestBlock[above]) longestBlock[above] = longestBlock[row];
    }
  }

  #reserve(nodeCount: number, rowCount: number): void {
    if (this.proseWords.length < rowCount) {
      reserveColumns(this, rowCount);
      this.sums = new Float64Array(this.proseWords.length * MEASURES);
    }
    if (this.#nodes.blockOf.length < nodeCount) reserveColumns(this.#nodes, nodeCount);
  }
}

/**
 * Whether a link stays on its page or site, told from its bytes. The same answer as `siteOf` by host gives for
 * all but odd addresses, without making a URL of each: an address that names no host is relative and stays.
 */
export const ELSEWHERE = 0;
export const SAME_SITE = 1;
export const SAME_PAGE = 2;

const COLON = 0x3a;
const SLASH = 0x2f;
const HASH = 0x23;
const QUESTION = 0x3f;
const BACKSLASH = 0x5c;

export class LinkKinds {
  #site: Uint8Array = new Uint8Array(0);

  /** Starts on a page of this site, a host without `www.`. */
  open(site: string): void {
    this.#site = new TextEncoder().encode(site);
  }

  kindOf(source: Uint8Array, start: number, end: number): number {
    let p = start;
    while (p < end && source[p] <= 0x20) p++;
    if (p === end || source[p] === HASH) return SAME_PAGE;

    // a colon before any slash ends a scheme
    let q = p;
    while (q < end && source[q] !== COLON && !endsHost(source[q])) q++;
    if (q < end && source[q] === COLON) {
      const isWeb =
        q - p >= 4 && q - p <= 5 && (source[p] | 0x20) === 0x68 && (source[p + 3] | 0x20) === 0x70;
      if (!isWeb) return ELSEWHERE;
      p = q + 1;
    }
    if (!(p + 1 < end && isSlash(source[p]) && isSlash(source[p + 1]))) return SAME_SITE;
    return this.#isSite(source, p + 2, end) ? SAME_SITE : ELSEWHERE;
  }

  /** Whether the host at `start` is the site's. */
  #isSite(source: Uint8Array, start: number, end: number): boolean {
    const site = this.#site;
    let p = start;
    if (end - p > 4 && source[p + 3] === 0x2e) {
      const isWww =
        (source[p] | 0x20) === 0x77 && (source[p + 1] | 0x20) === 0x77 && (source[p + 2] | 0x20) === 0x77;
      if (isWww) p += 4;
    }
    for (let i = 0; i < site.length; i++, p++) {
      if (p >= end) return false;
      const byte = source[p];
      if ((byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte) !== site[i]) return false;
    }
    return p === end || source[p] === COLON || endsHost(source[p]);
  }
}

function isSlash(byte: number): boolean {
  return byte === SLASH || byte === BACKSLASH;
}

function endsHost(byte: number): boolean {
  return byte === SLASH || byte === QUESTION || byte === HASH || byte === BACKSLASH;
}
