/**
 * A page as clean text: what a reader sees, without its templates.
 *
 * Every block (paragraph, heading, list item, table row, `<br>`) is a line; no line is blank outside
 * `<pre>`; cells of a row are parted by a tab. White space is collapsed (no-break spaces too) except in
 * `<pre>` and `<textarea>`, character references are decoded, control characters are left out; nothing of
 * script, style, template, head and image alternatives. A page of which all is dropped gives ''.
 *
 * With `mark` nothing is dropped; on every line, what is not content stands in brackets with its label:
 * `⟦template: Home · About⟧`, `⟦slot: …⟧`, `⟦unsure: …⟧`. The page's own ⟦ and ⟧ become [ and ] then.
 *
 * Nodes of blocks that are dropped as a whole are not visited. Cost: linear in the nodes and bytes that are kept.
 */
import { CLOSING_BRACKET } from '../kernel/text-layout.ts';
import type { Label, Range } from '../model/range.ts';
import type { Tree } from '../parse/tree.ts';
import { threadTextRenderer } from './text-renderer.ts';

export interface TextOptions {
  /** Labels whose text is kept. @default all but 'template' */
  keep?: readonly Label[];
  /** Keep everything and mark what is not content. @default false */
  mark?: boolean;
}

export const KEPT_LABELS: readonly Label[] = ['content', 'slot', 'unsure'];
const ALL_LABELS: readonly Label[] = [...KEPT_LABELS, 'template'];

export function renderText(tree: Tree, ranges: readonly Range[], options: TextOptions = {}): string {
  const { keep = KEPT_LABELS, mark = false } = options;
  const renderer = threadTextRenderer();
  if (!mark) return decoder.decode(renderer.render(tree, ranges, { keep, json: false }));
  const marked = renderer.render(tree, ranges, { keep: ALL_LABELS, brackets: BRACKET_BYTES, json: false });
  return decoder.decode(marked).replace(/[⟦⟧\x01-\x08]/g, (character) => BRACKETS[character]);
}

/** The same text in UTF-8, escaped as the inside of a JSON string. It holds until the next text is rendered. */
export function renderJsonText(
  tree: Tree,
  ranges: readonly Range[],
  keep = KEPT_LABELS,
): Uint8Array<ArrayBuffer> {
  return threadTextRenderer().render(tree, ranges, { keep, json: true });
}

/** U+FEFF at the start of a text belongs to it. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Control bytes that mark the brackets in the kernel's output, and the strings that replace them. */
const BRACKET_BYTES = { template: 1, unsure: 2, slot: 3 };
const BRACKETS: Record<string, string> = {
  '\x01': '⟦template: ',
  '\x02': '⟦unsure: ',
  '\x03': '⟦slot: ',
  [String.fromCharCode(CLOSING_BRACKET)]: '⟧',
  '⟦': '[',
  '⟧': ']',
};
