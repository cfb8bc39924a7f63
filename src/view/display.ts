/** How elements show in text: what is a line of its own, what is never seen. One table for all views. */

import {
  DISPLAY_APART,
  DISPLAY_BLOCK,
  DISPLAY_BREAK,
  DISPLAY_CELL,
  DISPLAY_HIDDEN,
  DISPLAY_PRE,
} from '../kernel/text-layout.ts';
import { FIRST_FOREIGN_TAG, TAG } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';

export const INLINE = 0;
export const BLOCK = DISPLAY_BLOCK;
export const CELL = DISPLAY_CELL;
export const BREAK = DISPLAY_BREAK;
export const PRE = DISPLAY_PRE;
export const HIDDEN = DISPLAY_HIDDEN;
export const APART = DISPLAY_APART;

const NAMES: [display: number, names: string][] = [
  [
    BLOCK,
    `html body address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure
     footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup option p search
     noscript section summary ul table caption colgroup thead tbody tfoot tr`,
  ],
  [CELL, 'td th'],
  [BREAK, 'br'],
  [APART, 'img button select input label object applet marquee'],
  [PRE, 'pre listing xmp plaintext textarea'],
  [HIDDEN, 'head title script style template iframe noembed noframes datalist audio video'],
];

const ids = TAG as Readonly<Record<string, number>>;
/** By tag of HTML. */
export const displayOfTag = new Uint8Array(FIRST_FOREIGN_TAG);
for (const [display, names] of NAMES) {
  for (const name of names.split(/\s+/)) if (ids[name] !== undefined) displayOfTag[ids[name]] = display;
}

/** INLINE, BLOCK, … of an element; elements that are not HTML's own are inline. */
export function displayOf(tree: Tree, node: number): number {
  const tag = tree.name[node];
  return tag < FIRST_FOREIGN_TAG ? displayOfTag[tag] : INLINE;
}

/** Whether the text directly in this element holds no character references. */
export function isRawText(tree: Tree, element: number): boolean {
  const tag = tree.name[element];
  return tag === TAG.xmp || tag === TAG.plaintext;
}
