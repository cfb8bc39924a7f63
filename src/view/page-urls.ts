/** Addresses on a page, made absolute and safe to hand on. */

import { readAttribute } from '../parse/attributes.ts';
import { tagName } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';

const SAFE_SCHEMES = new Set(['http:', 'https:', 'mailto:']);
const BASE_IS_AMONG_FIRST = 2000;

/** The address that relative ones on a page start from: its `<base>`, else its own. */
export function baseUrl(tree: Tree, url: string): string {
  const nodes = Math.min(tree.nodeCount, BASE_IS_AMONG_FIRST);
  for (let node = 0; node < nodes; node++) {
    if (tree.kind[node] !== ELEMENT || tagName(tree, node) !== 'base') continue;
    const href = readAttribute(tree, node, 'href');
    if (href !== undefined) return safeUrl(href, url) ?? url;
  }
  return url;
}

/** `href` as an absolute http, https or mailto address; undefined for every other scheme and for nonsense. */
export function safeUrl(href: string, base: string): string | undefined {
  const trimmed = href.trim();
  if (!URL.canParse(trimmed, URL.canParse(base) ? base : undefined)) return undefined;
  const url = new URL(trimmed, URL.canParse(base) ? base : undefined);
  return SAFE_SCHEMES.has(url.protocol) ? url.href : undefined;
}
