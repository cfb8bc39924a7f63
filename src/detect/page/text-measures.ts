/**
 * What every node of a page says and links to, as sums over its subtree. Each measure is a column of running
 * totals over nodes in document order, so that of a subtree is one subtraction. Language-free: words are runs
 * of letters and digits, in scripts without spaces two characters make one; stops and commas are Unicode's of
 * any script.
 *
 * Cost: one walk over the nodes and one over the bytes of the text, about 5 ns a byte.
 */
import { siteOf } from '../../model/site.ts';
import { breaksWords, isHeading, TAG } from '../../parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../../parse/tree.ts';
import { LinkKinds } from './link-kinds.ts';
import { TextScanner } from './text-scanner.ts';

/** Words of a block that make it prose, links not counted, when it has a stop or a comma. */
const PROSE_WORDS = 12;

/** A column of running totals: what stands before each node; one more entry for all. */
type Totals = Float64Array;

const COLUMNS = [
  'words',
  'linkWords',
  'proseWords',
  'letters',
  'stops',
  'commas',
  'digits',
  'signs',
  'titleWords',
  'blocks',
  'links',
  'siteLinks',
  'pageLinks',
  'images',
  'controls',
  'headingWords',
  'paragraphWords',
] as const;
type Column = (typeof COLUMNS)[number];

export class TextMeasures implements Record<Column, Totals> {
  words: Totals = new Float64Array(0);
  /** Words inside links. */
  linkWords: Totals = new Float64Array(0);
  /** Words outside links of blocks that read like prose. */
  proseWords: Totals = new Float64Array(0);
  letters: Totals = new Float64Array(0);
  stops: Totals = new Float64Array(0);
  commas: Totals = new Float64Array(0);
  digits: Totals = new Float64Array(0);
  /** Signs that part links or stand in footers: | · • » © and their like. */
  signs: Totals = new Float64Array(0);
  /** Words that the title has too. */
  titleWords: Totals = new Float64Array(0);
  /** Blocks with text directly in them. */
  blocks: Totals = new Float64Array(0);
  links: Totals = new Float64Array(0);
  /** Links that stay on the site, and of these those to a place of the same page. */
  siteLinks: Totals = new Float64Array(0);
  pageLinks: Totals = new Float64Array(0);
  images: Totals = new Float64Array(0);
  /** Fields and buttons. */
  controls: Totals = new Float64Array(0);
  headingWords: Totals = new Float64Array(0);
  /** Words directly in `p`. */
  paragraphWords: Totals = new Float64Array(0);
  /** By node: which words of the title its subtree has, as bits. */
  titleBits = new Int32Array(0);
  titleCount = 0;
  /** By node: most words, links not counted, of one block in its subtree. */
  longestBlock = new Float32Array(0);
  /** By node: words directly in this block, in links or not, and those in links. */
  #blockWords = new Float32Array(0);
  #blockLinkWords = new Float32Array(0);
  #blockMarks = new Int32Array(0);
  /** By node: the block its text flows in. */
  #blockOf = new Int32Array(0);
  readonly #scanner = new TextScanner();
  readonly #linkKinds = new LinkKinds();

  measure(tree: Tree, url: string): void {
    this.#reserve(tree.nodeCount);
    this.titleCount = this.#scanner.setTitle(tree);
    this.#linkKinds.open(siteOf(url));
    this.#addUp(tree);
    this.#findProse(tree);
  }

  /** One walk: every column but that of prose, which needs whole blocks. */
  #addUp(tree: Tree): void {
    const { nodeCount, kind, name, parent, last, textStart, linkNode, linkCount } = tree;
    const { words, linkWords, letters, stops, commas, digits, signs, titleWords, blocks } = this;
    const { links, siteLinks, pageLinks, images, controls, headingWords, paragraphWords } = this;
    const { titleBits } = this;
    const scanner = this.#scanner;
    const blockOf = this.#blockOf;
    const blockWords = this.#blockWords;
    const blockLinkWords = this.#blockLinkWords;
    const blockMarks = this.#blockMarks;
    blockWords.fill(0, 0, nodeCount);
    blockLinkWords.fill(0, 0, nodeCount);
    blockMarks.fill(0, 0, nodeCount);
    titleBits.fill(0, 0, nodeCount);

    let link = 0;
    let linkEnd = 0;
    let headingEnd = 0;
    for (let node = 0; node < nodeCount; node++) {
      const next = node + 1;
      const tag = name[node];
      const above = parent[node];
      blockOf[node] = above < 0 || (breaksWords(tag) && tag !== TAG.br) ? node : blockOf[above];
      words[next] = words[node];
      linkWords[next] = linkWords[node];
      letters[next] = letters[node];
      stops[next] = stops[node];
      commas[next] = commas[node];
      digits[next] = digits[node];
      signs[next] = signs[node];
      titleWords[next] = titleWords[node];
      blocks[next] = blocks[node];
      links[next] = links[node];
      siteLinks[next] = siteLinks[node];
      pageLinks[next] = pageLinks[node];
      images[next] = images[node];
      controls[next] = controls[node];
      headingWords[next] = headingWords[node];
      paragraphWords[next] = paragraphWords[node];

      if (kind[node] === TEXT) {
        if (textStart[next] === textStart[node]) continue;
        scanner.scan(tree.text, textStart[node], textStart[next]);
        const block = blockOf[node];
        words[next] += scanner.words;
        letters[next] += scanner.letters;
        stops[next] += scanner.stops;
        commas[next] += scanner.commas;
        digits[next] += scanner.digits;
        signs[next] += scanner.signs;
        titleWords[next] += scanner.titleWords;
        titleBits[node] = scanner.titleBits;
        if (scanner.words > 0 && blockWords[block] === 0) blocks[next]++;
        blockWords[block] += scanner.words;
        blockMarks[block] += scanner.stops + scanner.commas;
        if (node < linkEnd) {
          linkWords[next] += scanner.words;
          blockLinkWords[block] += scanner.words;
        }
        if (node < headingEnd) headingWords[next] += scanner.words;
        if (name[block] === TAG.p) paragraphWords[next] += scanner.words;
      } else if (kind[node] === ELEMENT) {
        if (link < linkCount && linkNode[link] === node) {
          const linkKind = this.#linkKinds.kindOf(tree.source, tree.linkStart[link], tree.linkEnd[link]);
          links[next]++;
          siteLinks[next] += linkKind > 0 ? 1 : 0;
          pageLinks[next] += linkKind > 1 ? 1 : 0;
          link++;
          if (node >= linkEnd) linkEnd = last[node];
        }
        if (tag === TAG.img || tag === TAG.video || tag === TAG.svg) images[next]++;
        else if (tag === TAG.input || tag === TAG.select || tag === TAG.textarea || tag === TAG.button) {
          controls[next]++;
        } else if (isHeading(tag) && node >= headingEnd) headingEnd = last[node];
      }
    }
  }

  /** Two more walks, over texts forward and over nodes from the leaves. */
  #findProse(tree: Tree): void {
    const { nodeCount, kind, parent } = tree;
    const { words, linkWords, proseWords, titleBits, longestBlock } = this;
    const blockOf = this.#blockOf;
    const blockWords = this.#blockWords;
    const blockLinkWords = this.#blockLinkWords;
    const blockMarks = this.#blockMarks;
    for (let node = 0; node < nodeCount; node++) {
      proseWords[node + 1] = proseWords[node];
      longestBlock[node] = blockWords[node] - blockLinkWords[node];
      if (kind[node] !== TEXT || words[node + 1] === words[node]) continue;
      const block = blockOf[node];
      if (blockWords[block] - blockLinkWords[block] < PROSE_WORDS || blockMarks[block] === 0) continue;
      proseWords[node + 1] += words[node + 1] - words[node] - (linkWords[node + 1] - linkWords[node]);
    }
    for (let node = nodeCount - 1; node > 0; node--) {
      const above = parent[node];
      titleBits[above] |= titleBits[node];
      if (longestBlock[node] > longestBlock[above]) longestBlock[above] = longestBlock[node];
    }
  }

  #reserve(nodeCount: number): void {
    if (this.words.length > nodeCount) return;
    const size = Math.max(4096, nodeCount * 2);
    for (const column of COLUMNS) this[column] = new Float64Array(size + 1);
    this.titleBits = new Int32Array(size);
    this.longestBlock = new Float32Array(size);
    this.#blockWords = new Float32Array(size);
    this.#blockLinkWords = new Float32Array(size);
    this.#blockMarks = new Int32Array(size);
    this.#blockOf = new Int32Array(size);
  }
}
