/**
 * Labels the nodes of cached training pages (page-tables.ts), and learns weights of names. Labels come from
 * the sites alone: a node is template when 85 % of its text is, by the dom detector, by the text detector, or
 * because the same texts (digits ignored) are on a tenth of the pages. For sites of fewer than 8 pages only
 * the last rule applies, with two pages as threshold. Gold is never used.
 */
import { FEATURES } from '../src/detect/page/feature-list.ts';
import { type Lexicon, LexiconBuilder } from '../src/detect/page/lexicon.ts';
import { ReplyShape } from '../src/detect/page/replies.ts';
import type { CachedPage } from './page-tables.ts';

const TEMPLATE_SHARE = 0.85;
/** Minimum number of pages for the detectors. */
const DETECTED_PAGES = 8;
/** On a small site, a page with a larger share of text in common with another page is a copy of it. */
const TWIN_SHARE = 0.9;

/** Returns 1 for template, 0 for content, -1 for nodes without text. */
export function labelOf({ evidence, sitePages = DETECTED_PAGES }: CachedPage, row: number): number {
  const { domText, textText, unique, few, many } = evidence!;
  const bytes = unique[row] + few[row] + many[row];
  if (bytes === 0) return -1;
  const repeated = many[row] / bytes;
  if (sitePages >= DETECTED_PAGES) {
    return Math.max(domText[row], textText[row], repeated) > TEMPLATE_SHARE ? 1 : 0;
  }
  if (many[0] > TWIN_SHARE * (unique[0] + few[0] + many[0])) return -1;
  return repeated > TEMPLATE_SHARE ? 1 : 0;
}

/** Learns the weights of names from groups of pages of one site each, except for some groups. */
export function learnNames(groups: CachedPage[][], isLeftOut: (group: number) => boolean): Lexicon {
  const builder = new LexiconBuilder();
  for (const [number, group] of groups.entries()) {
    if (isLeftOut(number)) continue;
    for (const page of group) {
      for (let row = 0; row < page.rowCount; row++) {
        const label = page.names[row] === '' ? -1 : labelOf(page, row);
        if (label >= 0) builder.add(page.names[row].split(' '), label);
      }
    }
    builder.endSite();
  }
  return builder.build();
}

/**
 * Learns names that occur in lists of replies, found by their shape alone, more often than elsewhere on the
 * same pages.
 */
export function learnReplyNames(groups: CachedPage[][]): Lexicon {
  const builder = new LexiconBuilder();
  const shape = new ReplyShape();
  for (const group of groups) {
    let hasReplies = false;
    for (const page of group) {
      const { rowCount, parent, names } = page;
      const marks = shape.find({ ...page, width: FEATURES.length }, () => true).slice(0, rowCount);
      if (!marks.includes(1)) continue;
      hasReplies = true;
      // the parent of a list is often named for replies, too
      for (let row = 1; row < rowCount; row++) {
        if (marks[row] === 1 && marks[parent[row]] === 0) marks[parent[row]] = 2;
      }
      for (let row = 1; row < rowCount; row++) {
        if (names[row] !== '') builder.add(names[row].split(' '), marks[row] > 0 ? 1 : 0);
      }
    }
    if (hasReplies) builder.endSite();
  }
  const { words, weights } = builder.build();
  const kept = words.filter((_, index) => weights[index] > 0);
  return { words: kept, weights: weights.filter((weight) => weight > 0) };
}
