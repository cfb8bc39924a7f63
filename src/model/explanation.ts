/** The evidence behind the labels of a page, as the cross detector tells it: what it was compared with, text by text. */
import type { Label } from './range.ts';

/** A capture that the page was compared with. */
export interface ExplainedArm {
  arm: 'up' | 'down' | 'previous' | 'next';
  url: string;
  time: string;
  /** Estimated similarity of the layouts, in [0, 1]. */
  similarity: number;
}

export interface ExplainedCross {
  /** One hash per capture of the cross, the page first, joined by hyphens. */
  id: string;
  /** `11010`: the page, up, down, previous, next; 1 for those that are there. */
  bits: string;
  arms: ExplainedArm[];
}

/** Words of one text that occur in the same arms. */
export interface ExplainedStretch {
  /** Bytes of the source, half-open. */
  start: number;
  end: number;
  text: string;
  /** The captures it occurs in, in the order of the cross; empty where several crosses were merged. */
  bits: string;
  /** Table of Leśniak 2017 and pattern, `B.3 11010/10010`; empty for patterns that are in no table. */
  pattern: string;
  /** What the table says. */
  patternLabel: Label;
  /** What became of it. */
  label: Label;
  /** What decided beside the pattern; empty when the pattern did. */
  why: string;
}

export interface Explanation {
  /** One, or one for each LSH bucket; none when nothing is similar enough to compare with. */
  crosses: ExplainedCross[];
  stretches: ExplainedStretch[];
}
