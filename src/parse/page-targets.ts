/** The targets of a page's links, and whether they stay on the site. */
import { BaseUrl } from '../model/resolve-url.ts';
import { type SiteRule, siteOf } from '../model/site.ts';
import { readAttribute } from './attributes.ts';
import { decodeAttribute } from './character-references.ts';
import { TAG } from './tag-names.ts';
import type { Tree } from './tree.ts';

/** The target of one link. */
export interface Target {
  /** Id of the a or area element. */
  node: number;
  /** Absolute URL with its fragment. */
  href: string;
  /** Whether the target has the site key of the page. */
  sameSite: boolean;
}

/** Options of `PageTargets`. */
export interface LinkOptions {
  /** URL of the page. Links are relative to it unless the page names a base. */
  url: string;
  /** The page's site. @default the site of `url` */
  site?: string;
  /** @default 'host' */
  siteRule?: SiteRule;
}

/**
 * The links of a page that lead to other pages; schemes such as `javascript:` and `mailto:` and broken
 * addresses are left out. Each address is resolved on its first use and cached.
 */
export class PageTargets {
  readonly #tree: Tree;
  readonly #base: BaseUrl;
  readonly #site: string;
  readonly #siteRule: SiteRule;
  /** By link; null for a link that does not lead to a page. */
  readonly #resolved: (Target | null | undefined)[] = [];

  constructor(tree: Tree, { url, siteRule = 'host', site = siteOf(url, siteRule) }: LinkOptions) {
    this.#tree = tree;
    this.#base = baseOf(tree, new BaseUrl(url));
    this.#site = site;
    this.#siteRule = siteRule;
  }

  /** Returns the targets of the links that start in bytes `[start, end)` of the source, in document order. */
  inside(start: number, end: number): Target[] {
    const { linkCount, linkNode, start: starts } = this.#tree;
    const targets: Target[] = [];
    for (let link = this.#firstFrom(start); link < linkCount && starts[linkNode[link]] < end; link++) {
      let target = this.#resolved[link];
      if (target === undefined) this.#resolved[link] = target = this.#resolve(link);
      if (target !== null) targets.push(target);
    }
    return targets;
  }

  /** Returns the first link that starts at or after an offset; links are in document order. */
  #firstFrom(offset: number): number {
    const { linkCount, linkNode, start } = this.#tree;
    let low = 0;
    let high = linkCount;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (start[linkNode[middle]] >= offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #resolve(link: number): Target | null {
    const { source, linkStart, linkEnd, linkNode } = this.#tree;
    const written = decoder.decode(source.subarray(linkStart[link], linkEnd[link]));
    const href = resolve(decodeAttribute(written), this.#base);
    if (href === undefined) return null;
    return { node: linkNode[link], href, sameSite: siteOf(href, this.#siteRule) === this.#site };
  }
}

const decoder = new TextDecoder();
const ON_THE_WEB = /^https?:/;

/**
 * Returns the base of the page's links: the href of the first base element that has one, else the page's own
 * URL.
 */
function baseOf(tree: Tree, own: BaseUrl): BaseUrl {
  for (let node = 1; node < tree.nodeCount && tree.name[node] !== TAG.body; node++) {
    if (tree.name[node] !== TAG.base) continue;
    const href = readAttribute(tree, node, 'href');
    if (href === undefined) continue;
    const named = resolve(href, own);
    return named === undefined ? own : new BaseUrl(named);
  }
  return own;
}

function resolve(href: string, base: BaseUrl): string | undefined {
  const url = base.resolve(href);
  return url !== undefined && ON_THE_WEB.test(url) ? url : undefined;
}
