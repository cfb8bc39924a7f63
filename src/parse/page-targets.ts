/** The links of a page: where they lead, and whether they stay on the site. */
import { BaseUrl } from '../model/resolve-url.ts';
import { type SiteRule, siteOf } from '../model/site.ts';
import { readAttribute } from './attributes.ts';
import { decodeAttribute } from './character-references.ts';
import { TAG } from './tag-names.ts';
import type { Tree } from './tree.ts';

/** Where a link leads. */
export interface Target {
  node: number;
  /** Absolute, with its fragment. */
  href: string;
  sameSite: boolean;
}

export interface LinkOptions {
  /** The page's own address, to which its links are relative unless it names a base. */
  url: string;
  /** The page's site; by default that of its address. */
  site?: string;
  /** @default 'host' */
  siteRule?: SiteRule;
}

/**
 * Links to pages: `javascript:`, `mailto:` and the like and broken addresses are left out. An address is resolved when
 * it is first asked for.
 */
export class PageTargets {
  readonly #tree: Tree;
  readonly #base: BaseUrl;
  readonly #site: string;
  readonly #siteRule: SiteRule;
  /** By link; null for one that leads to no page. */
  readonly #resolved: (Target | null | undefined)[] = [];

  constructor(tree: Tree, { url, siteRule = 'host', site = siteOf(url, siteRule) }: LinkOptions) {
    this.#tree = tree;
    this.#base = baseOf(tree, new BaseUrl(url));
    this.#site = site;
    this.#siteRule = siteRule;
  }

  /** Those of the links that begin in a stretch of the source, in document order. */
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

  /** The first link that begins at an offset or after it; links are in document order. */
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

/** The address links are relative to: that of the first base element with an href. */
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
