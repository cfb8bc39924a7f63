/**
 * How well a detector finds what is template, as in Table 1 of Chakrabarti, Kumar and Punera (2007): of the words,
 * of the words of links (anchor text), and of the links, a link being template when most of its words are.
 * Precision is the share of what the detector calls template that gold does too, recall the reverse; counts of
 * all pages are summed. Leaves that gold says nothing of do not count, nor links without words.
 */
import { type Score, toScore } from './overlap.ts';
import { NEUTRAL, type PageLeaves, TEMPLATE } from './page-leaves.ts';

export interface FoundTemplate {
  /** Template by gold and by the detector. */
  both: number;
  /** By the detector. */
  found: number;
  /** By gold. */
  wanted: number;
}

export interface TemplateCounts {
  text: FoundTemplate;
  anchors: FoundTemplate;
  links: FoundTemplate;
}

export type TemplateFigures = Record<keyof TemplateCounts, Score>;

export function countTemplates(
  { words, wordLeaf, wordLink, tree }: PageLeaves,
  /** Of each leaf. */
  gold: Uint8Array,
  /** Of each word: whether the detector says template. */
  isTemplate: Uint8Array,
): TemplateCounts {
  const counts: TemplateCounts = { text: nothing(), anchors: nothing(), links: nothing() };
  // of each link: words that count, those of them that are template by gold and by the detector
  const tallies = new Int32Array(3 * tree.linkCount);
  for (let word = 0; word < words.length; word++) {
    const kind = gold[wordLeaf[word]];
    if (kind === NEUTRAL) continue;
    const wanted = kind === TEMPLATE ? 1 : 0;
    add(counts.text, wanted, isTemplate[word]);
    if (wordLink[word] < 0) continue;
    add(counts.anchors, wanted, isTemplate[word]);
    const at = 3 * wordLink[word];
    tallies[at]++;
    tallies[at + 1] += wanted;
    tallies[at + 2] += isTemplate[word];
  }
  for (let at = 0; at < tallies.length; at += 3) {
    const total = tallies[at];
    if (total > 0)
      add(counts.links, 2 * tallies[at + 1] > total ? 1 : 0, 2 * tallies[at + 2] > total ? 1 : 0);
  }
  return counts;
}

/** Of all pages together. */
export function toTemplateFigures(pages: readonly TemplateCounts[]): TemplateFigures | undefined {
  if (pages.length === 0) return undefined;
  const scoreOf = (part: keyof TemplateCounts) => {
    const sum = nothing();
    for (const page of pages) {
      sum.both += page[part].both;
      sum.found += page[part].found;
      sum.wanted += page[part].wanted;
    }
    return toScore(sum.both, sum.found, sum.wanted);
  };
  return { text: scoreOf('text'), anchors: scoreOf('anchors'), links: scoreOf('links') };
}

function nothing(): FoundTemplate {
  return { both: 0, found: 0, wanted: 0 };
}

function add(counts: FoundTemplate, wanted: number, found: number): void {
  counts.wanted += wanted;
  counts.found += found;
  counts.both += wanted & found;
}
