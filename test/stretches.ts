/** A page read as the cross detector reads it, for tests: its tree, its tokens, its stretches with given bits. */
import { PageTokenReader, type PlacedTokens } from '../src/analysis/page-tokens.ts';
import { cutStretches, type TextStretch } from '../src/detect/cross/cross-ranges.ts';
import { Parser } from '../src/parse/parser.ts';
import type { Tree } from '../src/parse/tree.ts';

export interface ReadPage {
  tree: Tree;
  placed: PlacedTokens;
  stretches: TextStretch[];
}

const decoder = new TextDecoder();

/** `bitsOf` says in which arms of the cross a word occurs. */
export function readStretches(html: string, bitsOf: (word: string) => number = () => 0): ReadPage {
  const tree = new Parser().parse(new TextEncoder().encode(html));
  const placed = new PageTokenReader().read(tree);
  const bits = new Uint8Array(placed.tokenCount);
  for (let token = 0; token < placed.tokenCount; token++) {
    bits[token] = bitsOf(textOf(tree, placed.textStart[token], placed.textEnd[token]));
  }
  return { tree, placed, stretches: cutStretches(placed, bits) };
}

export function textOf({ text }: Tree, start: number, end: number): string {
  return decoder.decode(text.subarray(start, end));
}

/** The texts of the stretches with their labels: `text: label`. */
export function showLabels({ tree, stretches }: ReadPage): string[] {
  return stretches.map(({ textStart, textEnd, label }) => `${textOf(tree, textStart, textEnd)}: ${label}`);
}
