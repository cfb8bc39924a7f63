/** Text and link targets of a range, enough to recognise a template. */
import { decodeReferences } from '../../parse/character-references.ts';
import type { PageTargets } from '../../parse/page-targets.ts';
import { TextCursor } from '../../parse/source-map.ts';
import type { Tree } from '../../parse/tree.ts';

/** Maximum characters of a template's text that are kept. */
const SAMPLE_CHARS = 300;

/** The text of a range. Calls for several ranges in order share a cursor and walk the tree once. */
export function rangeText(
  tree: Tree,
  start: number,
  end: number,
  { maxChars = SAMPLE_CHARS, cursor = new TextCursor(tree) } = {},
): string {
  const first = cursor.positionOf(start);
  const last = Math.min(cursor.positionOf(end), first + maxChars * 4);
  const bytes = tree.text.subarray(first, last);
  const text = decodeReferences(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  return firstCharacters(text.trim(), maxChars).replace(/(?<!\ufffd)\ufffd+$/, '');
}

/** Maximum number of link targets of a template: enough for a menu. */
const MAX_TARGETS = 100;

/** The number of links in a range, and the distinct targets on the same site, without URL fragments. */
export function rangeLinks(
  links: PageTargets,
  start: number,
  end: number,
): { links: number; targets: string[] } {
  const inside = links.inside(start, end);
  const targets = new Set(
    inside.filter(({ sameSite }) => sameSite).map(({ href }) => href.replace(/#.*$/s, '')),
  );
  return { links: inside.length, targets: [...targets].slice(0, MAX_TARGETS) };
}

function firstCharacters(text: string, count: number): string {
  return text.length <= count ? text : Array.from(text).slice(0, count).join('');
}
