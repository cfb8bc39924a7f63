/** A page for a browser's layout, and its boxes by name. */

import type { LayoutResult } from '../src/browse/browser-layout.ts';
import { findChromium } from '../src/browse/launch-chromium.ts';
import type { ParsedPage } from '../src/detect/detector.ts';
import { tagName } from '../src/parse/tag-names.ts';
import { TEXT, type Tree } from '../src/parse/tree.ts';
import { parseHeld } from './held-tree.ts';

export function parsedPage(
  html: string,
  { url = 'http://example.com/', time = '2012-01-01T00:00:00Z' } = {},
): ParsedPage & { tree: Tree } {
  const source = Buffer.from(html);
  const capture = {
    file: 'test.warc',
    offset: 0,
    length: 0,
    status: 200,
    mime: 'text/html',
    recordId: '',
    payloadDigest: '',
  };
  const page = { ...capture, url, time, site: 'example.com', charset: 'UTF-8' };
  return { page, tree: parseHeld(new Uint8Array(source)) };
}

/** Left, top, width and height of the first node of each name; the name of a text is `p text` inside a `p`. */
export function boxesByName(
  { tree }: { tree: Tree },
  { boxes, problem }: LayoutResult,
): Record<string, number[]> {
  if (boxes === null) throw new Error(problem?.message);
  const named: Record<string, number[]> = {};
  for (let node = 1; node < tree.nodeCount; node++) {
    const name = tree.kind[node] === TEXT ? `${tagName(tree, tree.parent[node])} text` : tagName(tree, node);
    named[name] ??= [boxes.left[node], boxes.top[node], boxes.width[node], boxes.height[node]];
  }
  return named;
}

/** Why there is no browser to test with; empty when there is one. */
export async function missingBrowser(): Promise<string> {
  return findChromium().then(
    () => '',
    (error: Error) => error.message,
  );
}
