/** The rows of pages that were judged alone: what `chaff page` writes. */
import { renderHtml } from '../../view/html.ts';
import { renderMarkdown } from '../../view/markdown.ts';
import { type TextRow, textRow } from '../../view/rows.ts';
import { renderText } from '../../view/visible-text.ts';
import type { JudgedPage, PlacedSection } from './judge-pages.ts';

/** A page judged alone: what it says, its sections, and how much of it is template. */
export interface PageVerdictRow extends TextRow {
  /** Shares of its bytes of text, of its bytes of HTML and of its links that are template, 0 to 1. */
  templateText: number;
  templateHtml: number;
  templateLinks: number;
  sections: PlacedSection[];
}

export type PageVerdictContent = 'text' | 'markdown' | 'html';

export function pageVerdictRow(
  { page, tree, title, ranges, sections, shares }: JudgedPage,
  want: PageVerdictContent,
): PageVerdictRow {
  return {
    ...textRow(page, {
      title,
      text: want === 'text' ? renderText(tree, ranges) : '',
      markdown: want === 'markdown' ? renderMarkdown(tree, ranges, page) : undefined,
      html: want === 'html' ? renderHtml(tree, ranges, page) : undefined,
    }),
    templateText: shareOf(shares.templateTextBytes, shares.textBytes),
    templateHtml: shareOf(shares.templateHtmlBytes, shares.htmlBytes),
    templateLinks: shareOf(shares.templateLinks, shares.links),
    sections: sections.map((section) => ({ ...section, score: rounded(section.score) })),
  };
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : rounded(part / whole);
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
