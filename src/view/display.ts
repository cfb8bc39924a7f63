/** How elements are displayed in text: which start a line, which are never visible. All views use this table. */

import * as layout from '../kernel/text-layout.ts';
import { FIRST_FOREIGN_TAG, TAG } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';

/** Display of an element that starts a new line. */
export const BLOCK = layout.DISPLAY_BLOCK;
/** Display of a table cell. */
export const CELL = layout.DISPLAY_CELL;
/** Display of a line break. */
export const BREAK = layout.DISPLAY_BREAK;
/** Display of an element that keeps its white space. */
export const PRE = layout.DISPLAY_PRE;
/** Display of an element that is never visible. */
export const HIDDEN = layout.DISPLAY_HIDDEN;
/** Display of an inline element that is separated from the text around it. */
export const APART = layout.DISPLAY_APART;

const NAMES: [display: number, names: string][] = [
  [
    BLOCK,
    `html body address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure
     footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup option p search
     noscript section summary ul table caption colgroup thead tbody tfoot tr`,
  ],
  [CELL, 'td th'],
  [BREAK, 'br'],
  [APART, 'img button input label object applet marquee'],
  [layout.DISPLAY_GONE, 'select'],
  [layout.DISPLAY_QUOTE, 'q'],
  [layout.DISPLAY_RUBY, 'rt'],
  [layout.DISPLAY_ADJACENT, 'a time'],
  [layout.DISPLAY_SUPERSCRIPT, 'sup'],
  [layout.DISPLAY_SUBSCRIPT, 'sub'],
  [PRE, 'pre listing xmp plaintext textarea'],
  [HIDDEN, 'head title script style template iframe noembed noframes datalist audio video rp'],
];

const ids = TAG as Readonly<Record<string, number>>;
/** Display of each HTML tag, indexed by tag number; 0 is inline. */
export const displayOfTag = new Uint8Array(FIRST_FOREIGN_TAG);
for (const [display, names] of NAMES) {
  for (const name of names.split(/\s+/)) if (ids[name] !== undefined) displayOfTag[ids[name]] = display;
}

/** Display (BLOCK, CELL, …) of an element; 0 for inline elements and for elements outside HTML. */
export function displayOf(tree: Tree, node: number): number {
  const tag = tree.name[node];
  return tag < FIRST_FOREIGN_TAG ? displayOfTag[tag] : 0;
}

/** Whether text directly inside this element has no character references. */
export function isRawText(tree: Tree, element: number): boolean {
  const tag = tree.name[element];
  return tag === TAG.xmp || tag === TAG.plaintext;
}
