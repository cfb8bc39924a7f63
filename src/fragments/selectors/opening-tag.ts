/**
 * The opening tag of a template's element as its pages write it, with an attribute put in: what a site's owner
 * looks for in the sources, and what to write instead. White space is one space, and characters that steer
 * terminals or the direction of text are references or left out; else every character is the page's own.
 */
import { tagName } from '../../parse/tag-names.ts';
import type { Tree } from '../../parse/tree.ts';

const LONGEST_TAG = 2000;

/** The opening tag of an element; empty when the page writes none. */
export function openingTag({ source, start, openEnd }: Tree, node: number): string {
  if (openEnd[node] - start[node] < 3 || openEnd[node] - start[node] > LONGEST_TAG) return '';
  const tag = Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString(
    'utf8',
    start[node],
    openEnd[node],
  );
  return tag
    .replace(/[\t\n\f\r ]+/g, ' ')
    .replace(/[\x00-\x1f\x7f-\x9f]/g, '')
    .replace(
      /[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g,
      (mark) => `&#x${mark.charCodeAt(0).toString(16)};`,
    );
}

/** The tag with an attribute as its last one. */
export function withAttribute(tag: string, attribute: string): string {
  const end = /\s*\/?>$/.exec(tag);
  // an unquoted value before a slash would swallow the attribute: there is always a space before it
  return end === null ? tag : `${tag.slice(0, end.index)} ${attribute}${end[0].trimStart()}`;
}

/** Elements that Google reads `data-nosnippet` on. */
const SNIPPET_TAGS = new Set(['span', 'div', 'section']);
/** Elements that no div can stand around: their parents allow nothing else inside, or they are not in the body. */
const UNWRAPPED = new Set(
  'html head body title meta link style script base li dt dd tr td th tbody thead tfoot caption col colgroup option optgroup frame frameset area param source track legend summary figcaption'.split(
    ' ',
  ),
);

/** How to keep an element out of snippets; empty when there is no place for the attribute. */
export function noSnippetTag(tag: string, tree: Tree, node: number): string {
  const name = tagName(tree, node);
  if (tag === '' || UNWRAPPED.has(name)) return '';
  return SNIPPET_TAGS.has(name) ? withAttribute(tag, 'data-nosnippet') : `<div data-nosnippet>${tag}`;
}
