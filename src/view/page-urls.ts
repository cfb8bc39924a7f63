/** Makes URLs of a page absolute and safe. */
import { BaseUrl, parseUrl } from '../model/resolve-url.ts';
import { readAttribute } from '../parse/attributes.ts';
import { TAG } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';

const SAFE = /^(?:https?|mailto):/;
const BASE_IS_AMONG_FIRST = 2000;

/** The base of relative URLs on a page: its `<base>`, else its own URL; empty when it has neither. */
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

/**
 * Resolves `href` to an absolute http, https or mailto URL; undefined for every other scheme and for invalid input. On
 * a page that is a file, a relative URL gives a file URL.
 */
export function safeUrl(href: string, base: BaseUrl): string | undefined {
  const address = href.trim();
  const url = base.resolve(address);
  if (url === undefined || SAFE.test(url)) return url;
  return url.startsWith('file:') && !HAS_SCHEME.test(address) ? url : undefined;
}

/** Also matches `//host/path`, which is not a path of this page. */
const HAS_SCHEME = /^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i;
