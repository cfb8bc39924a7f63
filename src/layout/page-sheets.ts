/**
 * The style sheet of a page: its style elements, read together. Pages of a site carry the same ones as a rule,
 * so the last few sheets are kept, by the hashes of the elements they were read from.
 */
import { TAG } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';
import { mediaHolds, readCss } from './css-reader.ts';
import { ATTRIBUTE, StartTag } from './start-tag.ts';
import { StyleSheet } from './style-sheet.ts';

/** Of one page; what comes after is not read. */
const MAX_CSS_BYTES = 1 << 18;
const SHEETS_KEPT = 8;

export class PageSheets {
  readonly #tag = new StartTag();
  /** By key, least recently used first. */
  readonly #kept = new Map<string, StyleSheet>();

  /** The page's style sheet; null when it carries none that says where things stand. */
  sheetOf(tree: Tree): StyleSheet | null {
    const { nodeCount, name, contentLow, contentHigh, start, end } = tree;
    let key = '';
    for (let node = 0; node < nodeCount; node++) {
      if (name[node] === TAG.style)
        key += `${contentLow[node]},${contentHigh[node]},${end[node] - start[node]};`;
    }
    if (key === '') return null;
    let sheet = this.#kept.get(key);
    if (sheet === undefined) {
      sheet = this.#read(tree);
      if (this.#kept.size === SHEETS_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    } else this.#kept.delete(key);
    this.#kept.set(key, sheet);
    return sheet.selectorCount === 0 ? null : sheet;
  }

  #read(tree: Tree): StyleSheet {
    const { nodeCount, name, start, openEnd, end, source } = tree;
    const sheet = new StyleSheet();
    let bytesLeft = MAX_CSS_BYTES;
    for (let node = 0; node < nodeCount && bytesLeft > 0; node++) {
      if (name[node] !== TAG.style) continue;
      this.#tag.read(source, start[node], openEnd[node]);
      const hasMedia = this.#tag.has(ATTRIBUTE.media);
      const [from, to] = [this.#tag.start[ATTRIBUTE.media], this.#tag.end[ATTRIBUTE.media]];
      if (hasMedia && from < to && !mediaHolds(source, from, to)) continue;
      const stop = Math.min(end[node], openEnd[node] + bytesLeft);
      readCss(source, openEnd[node], stop, sheet);
      bytesLeft -= stop - openEnd[node];
    }
    return sheet;
  }
}
