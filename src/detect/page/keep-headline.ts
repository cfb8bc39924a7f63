/**
 * Keeps the headline of a page: the `h1` that repeats the title of the page, or the only `h1` of a page without
 * a title. The page detector often takes it for a part of the header around it, and readers miss a headline
 * first. This step is not in the paper; judge-page.ts omits it when levelling is off.
 */
import type { Range } from '../../model/range.ts';
import { decodeReferences } from '../../parse/character-references.ts';
import { TAG } from '../../parse/tag-names.ts';
import { readTitle } from '../../parse/title.ts';
import { TEXT, type Tree } from '../../parse/tree.ts';
import { contentRange } from '../ranges.ts';

/**
 * Separators between the title of a page and the name of its site; a hyphen counts only with spaces around
 * it.
 */
const TITLE_PARTS = /\s[-–—:]\s|[|»«·•]|:\s|::/u;

/** Returns the ranges with the headline as content, if any text below it is content. */
export function keepHeadline(tree: Tree, ranges: Range[]): Range[] {
  const headline = findHeadline(tree);
  if (headline < 0) return ranges;
  const start = tree.start[headline];
  const end = tree.end[headline];
  const isAbove = ranges.some((range) => range.end > end && range.label !== 'template');
  const isCut = ranges.some((range) => range.label === 'template' && range.start < end && range.end > start);
  if (!isAbove || !isCut) return ranges;
  const kept: Range[] = [];
  for (const range of ranges) {
    if (range.start < start) kept.push({ ...range, end: Math.min(range.end, start) });
    if (range.start <= start && start < range.end) kept.push(contentRange(start, end));
    if (range.end > end) kept.push({ ...range, start: Math.max(range.start, end) });
  }
  return joinContent(kept);
}

/**
 * Returns the first `h1` with the same words as the title, or the only `h1` of a page without a title; -1 for
 * none.
 */
function findHeadline(tree: Tree): number {
  let parts: string[] | undefined;
  const untitled: number[] = [];
  for (let node = 1; node < tree.nodeCount; node++) {
    if (tree.name[node] !== TAG.h1) continue;
    parts ??= titleParts(readTitle(tree));
    const text = wordsOf(textOf(tree, node));
    if (text === '') continue;
    if (parts.some((part) => text === part || isMostOf(text, part))) return node;
    if (parts.length === 0) untitled.push(node);
  }
  return untitled.length === 1 ? untitled[0] : -1;
}

/**
 * Returns the parts of a title that may be the headline: the first and the longest. The name of the site is
 * usually last and short.
 */
function titleParts(title: string): string[] {
  const parts = title.split(TITLE_PARTS).map(wordsOf);
  const longest = parts.reduce((most, part) => (part.length > most.length ? part : most), '');
  return [parts[0], longest].filter((part) => part !== '');
}

function isMostOf(text: string, part: string): boolean {
  return text.length >= part.length / 2 && part.includes(text);
}

/** Returns the letters and digits of a text in lower case, with a space between words. */
function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const decoder = new TextDecoder();

function textOf({ kind, last, source, start, end }: Tree, element: number): string {
  let text = '';
  for (let node = element + 1; node < last[element]; node++) {
    if (kind[node] === TEXT) text += `${decoder.decode(source.subarray(start[node], end[node]))} `;
  }
  return decodeReferences(text);
}

function joinContent(ranges: Range[]): Range[] {
  const joined: Range[] = [];
  for (const range of ranges) {
    const before = joined.at(-1);
    if (before?.label === 'content' && range.label === 'content')
      joined[joined.length - 1] = contentRange(before.start, range.end);
    else joined.push(range);
  }
  return joined;
}
