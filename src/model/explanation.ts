/**
 * The evidence behind the labels of a page: the captures that the cross detector compared the page with, and
 * the decision on each piece of text.
 */
import type { Label } from './range.ts';

/** A capture that the page was compared with. */
export interface ExplainedArm {
  /**
   * The position in the cross: `up` and `down` are captures of other pages, `previous` and `next` of this one.
   */
  arm: 'up' | 'down' | 'previous' | 'next';
  url: string;
  /** ISO 8601 in UTC; empty if unknown. */
  time: string;
  /** Estimated similarity of the layouts, in [0, 1]. */
  similarity: number;
}

/** A page and the captures that it was compared with (Leśniak 2017). */
export interface ExplainedCross {
  /** One hash per capture of the cross, the page first, joined by hyphens. */
  id: string;
  /**
   * Five digits for the page, up, down, previous and next, such as `11010`; 1 if the cross has that capture.
   */
  bits: string;
  /** The captures besides the page that the cross has. */
  arms: ExplainedArm[];
}

/** Words of one text that occur in the same arms. */
export interface ExplainedStretch {
  /** Bytes of the source, half-open. */
  start: number;
  end: number;
  /** The text of these bytes. */
  text: string;
  /**
   * The captures in which the text occurs, in the order of the cross; empty if several crosses were merged.
   */
  bits: string;
  /** Table of Leśniak 2017 and pattern, such as `B.3 11010/10010`; empty for patterns that no table lists. */
  pattern: string;
  /** The label that the table gives to the pattern. */
  patternLabel: Label;
  /** The label after all other rules. */
  label: Label;
  /** The rule that changed the label of the table; empty if the table decided. */
  why: string;
}

/** The crosses of one page and the label of each piece of its text. */
export interface Explanation {
  /** One cross, or one for each LSH bucket; empty if no capture is similar enough for a comparison. */
  crosses: ExplainedCross[];
  /** Every piece of text of the page, in order. */
  stretches: ExplainedStretch[];
}
