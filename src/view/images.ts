/**
 * The image that a browser would show for an `<img>`: lazy loading and sizes are resolved, blanks and counters omitted.
 */
import type { BaseUrl } from '../model/resolve-url.ts';
import { readAttribute } from '../parse/attributes.ts';
import { TAG } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';
import type { Replacement } from './find-math.ts';
import { safeUrl } from './page-urls.ts';

/** An image that a page shows. */
export interface PageImage {
  /** Absolute URL. */
  url: string;
  alt: string;
  /** Whether it is a small picture in place of a character. */
  isEmoji: boolean;
}

/** Attributes that scripts copy to `src` and `srcset`. */
const LAZY = ['data-src', 'data-lazy-src', 'data-original', 'data-original-src', 'data-hi-res-src'];
const LAZY_SETS = ['data-srcset', 'data-lazy-srcset'];
/**
 * File names of blank images. `clear-lake.jpg` is a picture. Linear: a run of digits is taken whole, and at most 8 words
 * are read from each place where a name may start.
 */
const PLACEHOLDER =
  /(?:^|[/_-])(?:blank|spacer|pixel|placeholder|transparent|1x1|clear|lazy)(?:[_.-]?(?:image|img|pixel|bg|dot|gif|load(?:er|ing)?|\d+(?:x\d+)?(?!\d))){0,8}\.(?:gif|png|svg|jpe?g)/i;
/** Images of at most this width or height, in pixels, are counters. */
const SMALLEST = 3;

/** Reads the image of an `<img>`; undefined for counters, blanks and images without a safe URL. */
export function readImage(tree: Tree, node: number, base: BaseUrl): PageImage | undefined {
  const read = (name: string): string | undefined => readAttribute(tree, node, name);
  const first = (names: readonly string[]): string | undefined => {
    for (const name of names) {
      const value = read(name);
      if (value !== undefined && value.trim() !== '') return value;
    }
    return undefined;
  };
  for (const side of ['width', 'height']) {
    const size = read(side);
    if (size !== undefined && /^\s*\d+(?:px)?\s*$/.test(size) && Number.parseInt(size, 10) < SMALLEST)
      return undefined;
  }
  const source = read('src') ?? '';
  const isBlank = source.trim() === '' || /^\s*data:/i.test(source) || PLACEHOLDER.test(source);
  const largest = largestOf(read('srcset')) ?? largestOf(first(LAZY_SETS));
  const lazy = first(LAZY);
  for (const candidate of [largest, isBlank ? lazy : source, lazy, source]) {
    const url = candidate === undefined || candidate === '' ? undefined : safeUrl(candidate, base);
    if (url === undefined || url.startsWith('mailto:') || PLACEHOLDER.test(url)) continue;
    const alt = read('alt') ?? '';
    return { url, alt, isEmoji: isEmoji(alt, read('class')) };
  }
  return undefined;
}

const EMOJI_CLASS = /(?:^|[\s_-])(?:emoji|emoticon|smil(?:ey|ie))s?(?:[\s_-]|$)/i;
/** Signs without letters, or `:D`. */
const EMOJI = /^(?:[^\p{L}\p{N}\s]{1,12}|[:;=][^\s:]{1,3})$/u;

function isEmoji(alt: string, names = ''): boolean {
  return EMOJI.test(alt) && (EMOJI_CLASS.test(names) || /^\p{Extended_Pictographic}/u.test(alt));
}

/** Finds the images whose class says that they are emoji, with the text that they replace. */
export function findEmoji(tree: Tree): Replacement[] {
  const found: Replacement[] = [];
  for (let node = 1; node < tree.nodeCount; node++) {
    if (tree.name[node] !== TAG.img) continue;
    const names = readAttribute(tree, node, 'class');
    if (names === undefined || !EMOJI_CLASS.test(names)) continue;
    const alt = (readAttribute(tree, node, 'alt') ?? '').trim();
    // `:D` and the word after it are two words
    if (EMOJI.test(alt)) found.push({ node, text: /[\p{L}\p{N}]$/u.test(alt) ? `${alt} ` : alt });
  }
  return found;
}

/** The candidate of a srcset with the greatest width or density. Commas may be part of an address. */
function largestOf(set: string | undefined): string | undefined {
  if (set === undefined) return undefined;
  let best: string | undefined;
  let most = 0;
  for (const candidate of set.split(/,(?=\s|https?:)|\n/)) {
    const [url, descriptor = '1x'] = candidate.trim().split(/\s+/, 2);
    const size = Number.parseFloat(descriptor);
    if (url === '' || url.startsWith('data:') || !(size > most)) continue;
    most = size;
    best = url;
  }
  return best;
}
