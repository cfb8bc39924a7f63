/**
 * How much of a page is template: bytes of HTML, bytes of text and links, in all and inside templates, as in
 * section 4 of Gibson, Punera and Tomkins 2005. Unsure is not template.
 */
import { isInTemplate, type Range } from '../model/range.ts';
import { TextCursor } from '../parse/text.ts';
import { TEXT, type Tree } from '../parse/tree.ts';

export interface Shares {
  /** Bytes of source. */
  htmlBytes: number;
  templateHtmlBytes: number;
  /** Bytes of detagged, collapsed text. */
  textBytes: number;
  templateTextBytes: number;
  /** Elements that link somewhere; one is inside a template when its text begins there, or its start tag. */
  links: number;
  templateLinks: number;
}

export const LINKS_BY = ['text', 'tag'] as const;
/** What decides whether a link is inside a template: where its text begins, or where its start tag does. */
export type LinksBy = (typeof LINKS_BY)[number];

export function checkLinksBy(linksBy: LinksBy): void {
  if (!LINKS_BY.includes(linksBy))
    throw new RangeError(`linksBy must be ${LINKS_BY.join(' or ')}, not "${linksBy}"`);
}

export interface ShareOptions {
  /** @default 'text' */
  linksBy?: LinksBy;
}

/** `ranges` must tile the page's source. The space before a text goes with it. */
export function measureShares(
  tree: Tree,
  ranges: readonly Range[],
  { linksBy = 'text' }: ShareOptions = {},
): Shares {
  let templateHtmlBytes = 0;
  let templateTextBytes = 0;
  const text = new TextCursor(tree);
  for (const { start, end, label } of ranges) {
    if (!isInTemplate(label)) continue;
    templateHtmlBytes += end - start;
    templateTextBytes -= text.positionOf(start);
    templateTextBytes += text.positionOf(end);
  }
  return {
    htmlBytes: tree.source.length,
    templateHtmlBytes,
    textBytes: tree.textLength,
    templateTextBytes,
    links: tree.linkCount,
    templateLinks: countTemplateLinks(tree, ranges, linksBy),
  };
}

/**
 * By its text, a link is decided by where its first text begins, and by its start tag when it has none: text
 * templates begin with a text, after the tag of the link around it. By its tag (the paper's offsets of nodes),
 * the start tag decides.
 */
function countTemplateLinks(tree: Tree, ranges: readonly Range[], linksBy: LinksBy): number {
  const { start, end } = tree;
  let links = 0;
  let at = 0;
  for (let link = 0; link < tree.linkCount; link++) {
    const element = tree.linkNode[link];
    const node = linksBy === 'tag' ? element : firstText(tree, element);
    while (at < ranges.length && ranges[at].end <= start[node]) at++;
    // a range that ends inside the text may have no more of it than the white space before the first word
    if (at < ranges.length && ranges[at].end < end[node] && tree.kind[node] === TEXT) {
      const word = firstWord(tree, node);
      while (at < ranges.length && ranges[at].end <= word) at++;
    }
    if (at === ranges.length) break;
    if (isInTemplate(ranges[at].label)) links++;
  }
  return links;
}

/** The first node with text in a subtree; the subtree's own when there is none. */
function firstText({ kind, last, textStart }: Tree, node: number): number {
  const end = last[node];
  if (textStart[end] === textStart[node]) return node;
  for (let child = node + 1; child < end; child++) {
    if (kind[child] === TEXT && textStart[child + 1] > textStart[child]) return child;
  }
  return node;
}

function firstWord({ source, start, end }: Tree, node: number): number {
  let offset = start[node];
  while (offset < end[node] - 1 && source[offset] <= 0x20) offset++;
  return offset;
}
