/** Recognises forum pages. Their posts are the main text; below an article the same markup holds comments. */
import * as layout from '../../kernel/block-layout.ts';
import { TAG } from '../../parse/tag-names.ts';
import { ELEMENT as ELEMENT_KIND, type Tree } from '../../parse/tree.ts';
import type { PageBlocks } from './block-reader.ts';
import { FEATURE } from './feature-names.ts';
import * as name from './role-words.ts';

const ELEMENT = layout.ELEMENT_WORDS_SIZE;
/** URL patterns of threads: `viewtopic.php?t=3`, `/forums/x`, `/t/title/12`, `/questions/12`. */
const FORUM_URL =
  /(viewtopic|showthread|showtopic|viewthread|forumdisplay|topic=|[/.]forums?[./]|[/.-]forum[./-]|\/(threads?|topics?|t|questions|discussions?)\/[^?#]{0,200}\d|\/(threads|discussion)\/.|\/r\/\w+\/comments\/)/i;
/** Minimum share of the page's words in elements named after threads and posts: without, then with such a URL. */
const FORUM_SHARE = 0.5;
const FORUM_URL_SHARE = 0.2;

/** Whether the URL has the form that forum software uses, whatever the page. */
export function isForumUrl(url: string): boolean {
  return FORUM_URL.test(url);
}

/** Whether a page is a forum thread: by its JSON-LD, or by the share of its text in elements named after posts. */
export function isForum(tree: Tree, blocks: PageBlocks, url: string): boolean {
  if (blocks.rows[FEATURE.isForumData] > 0) return true;
  const { elements } = blocks;
  const floats = new Float32Array(elements.buffer, elements.byteOffset, elements.length);
  const bits = isForumUrl(url) ? name.FORUM | name.POST | name.COMMENTS : name.FORUM;
  let words = 0;
  let end = 0;
  for (let node = 1; node < tree.nodeCount; node++) {
    if (tree.kind[node] !== ELEMENT_KIND || tree.name[node] === TAG.body) continue;
    if ((elements[node * ELEMENT + layout.ELEMENT_ROLES] & bits) === 0) continue;
    if (node < end) continue;
    words += floats[node * ELEMENT + layout.ELEMENT_WORDS];
    end = tree.last[node];
  }
  const share = words / blocks.rows[FEATURE.pageWords];
  return share >= (bits === name.FORUM ? FORUM_SHARE : FORUM_URL_SHARE);
}
