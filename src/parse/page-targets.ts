/** The links of a page: where they lead, and whether they stay on the site. */
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
 * it is first asked for, which takes 5 µs.
 */
export class PageTargets {
  readonly #tree: Tree;
  readonly #base: string;
  readonly #site: string;
  readonly #siteRule: SiteRule;
  /** By link; null for one that leads to no page. */
  readonly #resolved: (Target | null | undefined)[] = [];

  constructor(tree: Tree, { url, siteRule = 'host', site = siteOf(url, siteRule) }: LinkOptions) {
    this.#tree = tree;
    this.#base = baseOf(tree, url);
    this.#site = site;
    this.#siteRule = siteRule;
  }

  /** Those of the links that begin in a stretch of the source, in document order. */
  inside(start: number, end: number): Target[] {
    const { linkCount, linkNode, start: starts } = this.#tree;
    const targets: Target[] = [];
    for (let link = 0; link < linkCount; link++) {
      const at = starts[linkNode[link]];
      if (at < start || at >= end) continue;
      let target = this.#resolved[link];
      if (target === undefined) this.#resolved[link] = target = this.#resolve(link);
      if (target !== null) targets.push(target);
    }
    return targets;
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

/** The address links are relative to: that of the first base element with an href. */
function baseOf(tree: Tree, url: string): string {
  for (let node = 1; node < tree.nodeCount && tree.name[node] !== TAG.body; node++) {
    if (tree.name[node] !== TAG.base) continue;
    const href = readAttribute(tree, node, 'href');
    if (href !== undefined) return resolve(href, url) ?? url;
  }
  return url;
}

function resolve(href: string, base: string): string | undefined {
  if (!URL.canParse(href, base)) return undefined;
  const { href: absolute, protocol } = new URL(href, base);
  return protocol === 'http:' || protocol === 'https:' ? absolute : undefined;
}
