/** The links of a page: where they lead, what they say, whether they stay on the site. */
import { type SiteRule, siteOf } from '../model/site.ts';
import { readAttribute } from './attributes.ts';
import { decodeAttribute, decodeReferences } from './character-references.ts';
import { TAG } from './tag-names.ts';
import { textOf } from './text.ts';
import type { Tree } from './tree.ts';

export interface Link {
  node: number;
  /** Absolute, with its fragment. */
  href: string;
  /** The text of the link, references decoded; for an image the alternative text. */
  anchor: string;
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

/** Links to pages, in document order; `javascript:`, `mailto:` and the like and broken addresses are left out. */
export function readLinks(
  tree: Tree,
  { url, siteRule = 'host', site = siteOf(url, siteRule) }: LinkOptions,
): Link[] {
  const base = baseOf(tree, url);
  const links: Link[] = [];
  for (let i = 0; i < tree.linkCount; i++) {
    const written = decoder.decode(tree.source.subarray(tree.linkStart[i], tree.linkEnd[i]));
    const href = resolve(decodeAttribute(written), base);
    if (href === undefined) continue;
    const node = tree.linkNode[i];
    links.push({ node, href, anchor: anchorOf(tree, node), sameSite: siteOf(href, siteRule) === site });
  }
  return links;
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

function anchorOf(tree: Tree, node: number): string {
  const text = decodeReferences(textOf(tree, node)).replace(/\s+/g, ' ').trim();
  if (text !== '') return text;
  for (let inner = node; inner < tree.last[node]; inner++) {
    if (tree.name[inner] === TAG.img || tree.name[inner] === TAG.area) {
      const alternative = readAttribute(tree, inner, 'alt');
      if (alternative) return alternative.replace(/\s+/g, ' ').trim();
    }
  }
  return '';
}
