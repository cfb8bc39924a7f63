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
 * Of blocks that are dropped whole the nodes are not visited. Cost: linear in the nodes and bytes that are kept.
 */
import type { Label, Range } from '../model/range.ts';
import type { Tree } from '../parse/tree.ts';
import { TextKernel } from './text-kernel.ts';
import { TextWriter } from './text-writer.ts';
import { walkPage } from './walk.ts';

export interface TextOptions {
  /** Labels whose text is kept. @default all but 'template' */
  keep?: readonly Label[];
  /** Keep everything and mark what is not content. @default false */
  mark?: boolean;
}

export const KEPT_LABELS: readonly Label[] = ['content', 'slot', 'unsure'];

export function renderText(tree: Tree, ranges: readonly Range[], options: TextOptions = {}): string {
  const { keep = KEPT_LABELS, mark = false } = options;
  if (keep === KEPT_LABELS && !mark) return textOf(renderJsonText(tree, ranges));
  const writer = new TextWriter(tree, { keep, mark, json: false });
  walkPage(tree, ranges, writer);
  const text = writer.finish().toString('utf8');
  return mark ? text.replace(/[⟦⟧\x01-\x04]/g, (character) => BRACKETS[character]) : text;
}

/** The same text in UTF-8, as it stands between the quotes of a string in JSON; it holds until the next is rendered. */
export function renderJsonText(tree: Tree, ranges: readonly Range[]): Uint8Array {
  kernel ??= new TextKernel();
  return kernel.render(tree, ranges) ?? renderPlainJsonText(tree, ranges);
}

/** What stands between the quotes of a string in JSON, as text. */
function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return JSON.parse(`"${Buffer.from(buffer, byteOffset, length).toString()}"`) as string;
}

/** One for the thread: it has memory of its own. */
let kernel: TextKernel | undefined;

/** Twin of the kernel, for pages that are too large for it. */
export function renderPlainJsonText(tree: Tree, ranges: readonly Range[]): Uint8Array {
  const writer = new TextWriter(tree, { keep: KEPT_LABELS, mark: false, json: true });
  walkPage(tree, ranges, writer);
  return writer.finish();
}

const BRACKETS: Record<string, string> = {
  '\x01': '⟦template: ',
  '\x02': '⟦unsure: ',
  '\x03': '⟧',
  '\x04': '⟦slot: ',
  '⟦': '[',
  '⟧': ']',
};
