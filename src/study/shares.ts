/**
 * Measures how much of a page is template: bytes of HTML, bytes of text, and links, in total and inside
 * templates, as in section 4 of Gibson, Punera and Tomkins 2005. Ranges labelled `unsure` do not count as
 * template.
 */

import { textBytesByLabel } from '../detect/ranges.ts';
import { Block } from '../kernel/heap.ts';
import { threadKernel } from '../kernel/thread-kernel.ts';
import { checkChoice } from '../model/check-option.ts';
import { isInTemplate, type Range } from '../model/range.ts';
import type { Tree } from '../parse/tree.ts';

/** Sizes of a page, in total and inside templates. */
export interface Shares {
  /** Bytes of source. */
  htmlBytes: number;
  templateHtmlBytes: number;
  /** Bytes of text without tags, with white space collapsed. */
  textBytes: number;
  templateTextBytes: number;
  /** Elements that link to an address. `LinksBy` decides which of them are inside a template. */
  links: number;
  templateLinks: number;
}

/** All values of `LinksBy`. */
export const LINKS_BY = ['text', 'tag'] as const;
/**
 * Whether the start of a link's text (`text`) or its start tag (`tag`) decides if the link is inside a
 * template.
 */
export type LinksBy = (typeof LINKS_BY)[number];

/** Throws a `RangeError` when `linksBy` is not one of `LINKS_BY`. */
export function checkLinksBy(linksBy: LinksBy): void {
  checkChoice('linksBy', linksBy, LINKS_BY);
}

/** Measures a page. `ranges` must tile its source. The space before a text is counted with the text. */
export function measureShares(
  tree: Tree,
  ranges: readonly Range[],
  { linksBy = 'text' }: { linksBy?: LinksBy } = {},
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
 * Counts the links inside templates. By `text`, the start of a link's first text decides, or its start tag
 * when it has no text: templates of the text detector begin with a text, after the tag of the link around it.
 * By `tag` (the paper's offsets of nodes), the start tag decides.
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
