/**
 * Scores how well a detector finds templates, as in Table 1 of Chakrabarti, Kumar and Punera (2007): on words, on
 * words of links (anchor text), and on links; a link is template when most of its words are. Precision is the share
 * of the detector's template that is template in gold, recall the reverse; counts of all pages are summed. Neutral
 * leaves and links without words are not counted.
 */
import { type Score, toScore } from './overlap.ts';
import { NEUTRAL, type PageLeaves, TEMPLATE } from './page-leaves.ts';

/** Counts of words or links. */
interface FoundTemplate {
  /** Template in gold and by the detector. */
  both: number;
  /** Template by the detector. */
  found: number;
  /** Template in gold. */
  wanted: number;
}

/** Counts of words, link words and links. */
export interface TemplateCounts {
  text: FoundTemplate;
  anchors: FoundTemplate;
  links: FoundTemplate;
}

/** Scores of words, link words and links. */
export type TemplateFigures = Record<keyof TemplateCounts, Score>;

/** Counts the template words and links of one page. */
export function countTemplates(
  { words, wordLeaf, wordLink, tree }: PageLeaves,
  /** Gold label of each leaf. */
  gold: Uint8Array,
  /** By word: 1 when the detector labels it template. */
  isTemplate: Uint8Array,
): TemplateCounts {
  const counts: TemplateCounts = { text: nothing(), anchors: nothing(), links: nothing() };
  // by link: counted words, and how many are template in gold and by the detector
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

/** Returns the scores over all pages together; undefined without pages. */
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
