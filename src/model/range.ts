/** What detectors say about a page. */

export type Label = 'template' | 'content' | 'unsure';

/**
 * A half-open stretch `[start, end)` of a page's source with its label. The ranges of a page are ordered,
 * disjoint and tile the source: every byte has exactly one label.
 */
export interface Range {
  start: number;
  end: number;
  label: Label;
  /** How sure the label is, in [0, 1]. */
  score: number;
  /** Id of the template this range is an occurrence of: 16 hexadecimal digits; empty for content. */
  template: string;
  /** For a person: `on 187 of 200 pages`. */
  reason: string;
}

/** A fragment or text that recurs on a site. */
export interface Template {
  id: string;
  /** Sampled pages (distinct URLs) that hold it. */
  pages: number;
  /** Times it occurs on those pages. */
  occurrences: number;
  /** Bytes of one occurrence. */
  sizeBytes: number;
}
