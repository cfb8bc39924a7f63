/**
 * Real pages with other real texts inserted: the pages of three weblogs that have one element of the class
 * which their system gives to the text of a post, and the texts of two other weblogs. Everything else on a
 * page stays: its title, boxes, menus and dates. Comments are removed, because they are texts of their own.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../../src/model/page.ts';
import { Parser } from '../../src/parse/parser.ts';
import { textOf } from '../../src/parse/source-map.ts';
import { ELEMENT, type Tree } from '../../src/parse/tree.ts';
import { closeInputs, openInputs } from '../../src/read/open-inputs.ts';
import { readPages } from '../../src/read/read-captures.ts';
import { escapeHtml } from '../../src/view/escape-html.ts';
import { madePage, type StorySite } from './story-site.ts';

const TEMPLATES = [
  { site: 'afkgamer.com', post: 'entry-content' },
  { site: 'insertcredit.com', post: 'entry-content' },
  { site: '120minuten.net', post: 'entry-content' },
  { site: 'archiveia', post: 'entry-content' },
];
const TEXTS = [
  { site: 'drawerb.com', post: 'entry' },
  { site: 'chartjes-blog', post: 'entry' },
];
const STORIES = 380;
const STORY_SITES = 3;
/** Minimum number of words of a text; lyrics have about two hundred. */
const MIN_WORDS = 60;
/** Maximum number of words of a text. */
export const MAX_WORDS = 200;

/** Pages into which a text can be inserted. */
export interface TemplateSite {
  site: string;
  /** Number of pages. */
  count: number;
  /** Returns page `k` with another text, given as paragraphs of plain text. */
  print(k: number, paragraphs: readonly string[]): Page;
}

/** Opens the first `sites` sites; returns none when the data is missing. */
export async function openTemplateSites(data: string, sites = TEMPLATES.length): Promise<TemplateSite[]> {
  const chosen = TEMPLATES.slice(0, sites);
  if (isMissing(data, chosen)) return [];
  return Promise.all(
    chosen.map(async ({ site, post }) => {
      const posts = await postsOf(data, site, post);
      return {
        site,
        count: posts.length,
        print: (k, paragraphs) => madePage(site, posts[k].page.url, setIn(posts[k], paragraphs)),
      };
    }),
  );
}

/** Makes sites with real texts in three real templates, every text once per site. */
export async function makeRealTemplateSites(data: string): Promise<StorySite[]> {
  const templates = await openTemplateSites(data, STORY_SITES);
  if (templates.length === 0 || isMissing(data, TEXTS)) return [];
  const stories: string[][] = [];
  for (const { site, post } of TEXTS) {
    for (const { tree, node } of await postsOf(data, site, post)) {
      const story = paragraphsOf(tree, node);
      if (story && !stories.some(([first]) => first === story[0])) stories.push(story);
    }
  }
  stories.length = Math.min(stories.length, STORIES);
  return templates.map(({ site, count, print }, k) => {
    // every site has its own order
    const numbers = stories.map((_, i) => (i * [7, 11, 13][k]) % stories.length).slice(0, count);
    return { site, stories: numbers, pages: numbers.map((number, i) => print(i, stories[number])) };
  });
}

function isMissing(data: string, sites: { site: string }[]): boolean {
  const missing = sites
    .map(({ site }) => join(data, 'sites', `${site}.warc.gz`))
    .filter((file) => !existsSync(file));
  if (missing.length > 0) console.error(`no real templates: there is no ${missing.join(', ')}`);
  return missing.length > 0;
}

interface Post {
  page: Page;
  tree: Tree;
  node: number;
}

async function postsOf(data: string, site: string, post: string): Promise<Post[]> {
  const posts: Post[] = [];
  const { inputs } = await openInputs([join(data, 'sites', `${site}.warc.gz`)]);
  try {
    for (const input of inputs) {
      for (const event of readPages(input)) {
        if (event.kind !== 'page') continue;
        const page = { ...event.page, source: event.page.source.slice() };
        const tree = new Parser().parse(page.source);
        const nodes = elementsWith(tree, 'class', post);
        if (nodes.length === 1) posts.push({ page, tree, node: nodes[0] });
      }
    }
  } finally {
    await closeInputs(inputs);
  }
  return posts;
}

function elementsWith(tree: Tree, attribute: string, token: string): number[] {
  const pattern = new RegExp(`\\s${attribute}=["']?(?:[^"'>]*\\s)?${token}[\\s"'>]`);
  const found: number[] = [];
  for (let node = 0; node < tree.nodeCount; node++) {
    if (tree.kind[node] !== ELEMENT || tree.openEnd[node] === tree.start[node]) continue;
    const tag = Buffer.from(
      tree.source.buffer,
      tree.source.byteOffset + tree.start[node],
      tree.openEnd[node] - tree.start[node],
    );
    if (pattern.test(tag.toString('latin1'))) found.push(node);
  }
  return found;
}

/** Returns the paragraphs of a post as plain text, without the markup of its site. */
function paragraphsOf(tree: Tree, node: number): string[] | undefined {
  const paragraphs: string[] = [];
  let words = 0;
  for (let child = node + 1; child < tree.last[node] && words < MAX_WORDS; child++) {
    if (tree.kind[child] !== ELEMENT || !/^<p[\s>]/i.test(startOf(tree, child))) continue;
    const text = textOf(tree, child);
    if (text.length < 40) continue;
    paragraphs.push(text);
    words += text.split(' ').length;
  }
  return words < MIN_WORDS ? undefined : paragraphs;
}

function startOf(tree: Tree, node: number): string {
  return Buffer.from(tree.source.subarray(tree.start[node], tree.start[node] + 3)).toString('latin1');
}

function setIn({ page, tree, node }: Post, paragraphs: readonly string[]): Uint8Array {
  const story = paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
  const source = Buffer.from(page.source);
  const innerEnd = source.lastIndexOf('</', tree.end[node] - 1);
  const cuts = [{ start: tree.openEnd[node], end: Math.max(innerEnd, tree.openEnd[node]), by: story }];
  const comments = elementsWith(tree, 'id', 'comments')[0];
  if (
    comments !== undefined &&
    (tree.start[comments] >= tree.end[node] || tree.end[comments] <= tree.start[node])
  ) {
    cuts.push({ start: tree.start[comments], end: tree.end[comments], by: '' });
  }
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end, by } of cuts.sort((a, b) => a.start - b.start)) {
    parts.push(source.subarray(at, start), Buffer.from(by));
    at = end;
  }
  return Buffer.concat([...parts, source.subarray(at)]);
}
