/** Addresses on a page, made absolute and safe to hand on. */
import { BaseUrl, parseUrl } from '../model/resolve-url.ts';
import { readAttribute } from '../parse/attributes.ts';
import { TAG } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';

const SAFE = /^(?:https?|mailto):/;
const BASE_IS_AMONG_FIRST = 2000;

/** The address that relative ones on a page start from: its `<base>`, else its own; empty when it has none. */
export function baseUrl(tree: Tree, url: string): string {
  const own = parseUrl(url) ? url : '';
  const nodes = Math.min(tree.nodeCount, BASE_IS_AMONG_FIRST);
  for (let node = 0; node < nodes; node++) {
    if (tree.name[node] !== TAG.base) continue;
    const href = readAttribute(tree, node, 'href');
    if (href !== undefined) return safeUrl(href, new BaseUrl(own)) ?? own;
  }
  return own;
}

/** `href` as an absolute http, https or mailto address; undefined for every other scheme and for nonsense. */
export function safeUrl(href: string, base: BaseUrl): string | undefined {
  const url = base.resolve(href.trim());
  return url !== undefined && SAFE.test(url) ? url : undefined;
}
