/**
 * How much of a page is template: bytes of HTML, bytes of text and links, in all and inside templates, as in
 * section 4 of Gibson, Punera and Tomkins 2005. Unsure is not template.
 */

import { textBytesByLabel } from '../detect/ranges.ts';
import { Block } from '../kernel/heap.ts';
import { threadKernel } from '../kernel/thread-kernel.ts';
import { checkChoice } from '../model/check-option.ts';
import { isInTemplate, type Range } from '../model/range.ts';
import type { Tree } from '../parse/tree.ts';

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
  checkChoice('linksBy', linksBy, LINKS_BY);
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
  for (const { start, end, label } of ranges) if (isInTemplate(label)) templateHtmlBytes += end - start;
  const { template, slot } = textBytesByLabel(tree, ranges);
  return {
    htmlBytes: tree.source.length,
    templateHtmlBytes,
    textBytes: tree.textLength,
    templateTextBytes: template + slot,
    links: tree.linkCount,
    templateLinks: tree.linkCount === 0 ? 0 : countTemplateLinks(tree, ranges, linksBy),
  };
}

let rangeWords: Block | undefined;

/**
 * By its text, a link is decided by where its first text begins, and by its start tag when it has none: text templates
 * begin with a text, after the tag of the link around it. By its tag (the paper's offsets of nodes), the start tag
 * decides.
 */
function countTemplateLinks(tree: Tree, ranges: readonly Range[], linksBy: LinksBy): number {
  const kernel = threadKernel();
  rangeWords ??= new Block(kernel);
  const address = rangeWords.room(8 * ranges.length);
  let word = address >> 2;
  for (const { end, label } of ranges) {
    kernel.words[word++] = end;
    kernel.words[word++] = Number(isInTemplate(label));
  }
  return kernel.functions.countTemplateLinks(tree.address, address, ranges.length, Number(linksBy === 'tag'));
}
