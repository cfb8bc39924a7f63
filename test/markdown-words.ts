/** The words of Markdown as a real parser reads it, to compare them with those of the text view. */
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mathFromMarkdown } from 'mdast-util-math';
import { gfm } from 'micromark-extension-gfm';
import { math } from 'micromark-extension-math';
import type { Range } from '../src/model/range.ts';
import { decodeReferences } from '../src/parse/character-references.ts';
import type { Tree } from '../src/parse/tree.ts';
import { renderMarkdown } from '../src/view/markdown.ts';
import { scriptForm } from '../src/view/script-text.ts';
import { renderText } from '../src/view/visible-text.ts';

/** Letters and digits; scripts count as what they stand for. */
export function wordsOf(text: string): string[] {
  return text.normalize('NFKC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

export interface MarkdownReading {
  words: string[];
  /** How often each kind of node occurs. */
  kinds: Map<string, number>;
}

/** Reads CommonMark with GFM and TeX between dollars. */
export function readMarkdown(markdown: string): MarkdownReading {
  const tree = fromMarkdown(markdown, {
    extensions: [gfm(), math()],
    mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()],
  });
  const kinds = new Map<string, number>();
  let text = '';
  const open: (Nodes | string)[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node === 'string') {
      text += node;
      continue;
    }
    kinds.set(node.type, (kinds.get(node.type) ?? 0) + 1);
    if (node.type === 'html') text += htmlText(node.value);
    else if (node.type === 'footnoteReference') text += node.label ?? node.identifier;
    else if ('value' in node)
      text += /^(?:code|math|inlineMath)$/.test(node.type) ? ` ${node.value} ` : node.value;
    else if ('children' in node) {
      const isInline = /^(?:link|emphasis|strong|delete)$/.test(node.type);
      if (!isInline) open.push(' ');
      open.push(...(node.children as Nodes[]).toReversed());
      if (!isInline) open.push(' ');
    } else text += ' ';
  }
  return { words: wordsOf(text), kinds };
}

/** The pieces of HTML in Markdown with GFM and formulas, and the addresses of its links and images. */
export function htmlNodes(markdown: string): { html: string[]; urls: string[] } {
  const html: string[] = [];
  const urls: string[] = [];
  const open: Nodes[] = [
    fromMarkdown(markdown, {
      extensions: [gfm(), math()],
      mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()],
    }),
  ];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'html') html.push(node.value);
    if ('url' in node) urls.push(node.url);
    if ('children' in node) open.push(...(node.children as Nodes[]));
  }
  return { html, urls };
}

function htmlText(html: string): string {
  // text has superscripts as the characters that Unicode has for them: km²
  const scripts = html.replace(/<(su[pb])>([^<]*)<\/\1>/g, (all, name: string, inner: string) =>
    scriptForm(inner.trim(), name === 'sup') === 'unicode' ? inner : all,
  );
  return decodeReferences(
    scripts.replace(/<\/?([a-z0-9]+)[^>]*>/g, (_, name: string) => {
      if (name === 'sup' || name === 'sub') return '^';
      return /^(?:a|b|strong|i|em|cite|del|s|strike|code|kbd|samp|tt|var)$/.test(name) ? '' : ' ';
    }),
  );
}

/** Returns the first difference between the words of a page's Markdown and those of its text; undefined when they are equal. */
export function wordDifference(tree: Tree, ranges: readonly Range[], url: string): string | undefined {
  const text = renderText(tree, ranges);
  const markdown = renderMarkdown(tree, ranges, { url });
  const expected = wordsOf(text);
  const { words } = readMarkdown(markdown);
  for (let at = 0; at < Math.max(expected.length, words.length); at++) {
    if (expected[at] === words[at]) continue;
    const around = (list: string[]): string => list.slice(Math.max(0, at - 6), at + 6).join(' ');
    return `text "${around(expected)}", Markdown "${around(words)}"`;
  }
  return undefined;
}
