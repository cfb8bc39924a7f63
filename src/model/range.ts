/** What detectors say about a page. */
import type { Role } from './role.ts';

export type Label = 'template' | 'slot' | 'content' | 'unsure';

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
  /** Id of the template this range is part of: 16 hexadecimal digits; empty for content. */
  template: string;
  /** For a person: `on 187 of 200 pages`. */
  reason: string;
  /** The part that its text plays, where the detector tells it and it plays one. */
  role?: Role;
}

/**
 * Whether a label counts as template in the shares of a page. A slot is a place in a template whose text varies over
 * pages: it lies inside the template, but clean text keeps it.
 */
export function isInTemplate(label: Label): boolean {
  return label === 'template' || label === 'slot';
}

/** The ranges with each occurrence of a template as one: the slots in it are joined with the parts around them. */
export function joinSlots(ranges: readonly Range[]): readonly Range[] {
  if (!ranges.some(({ label }) => label === 'slot')) return ranges;
  const joined: Range[] = [];
  let isOpen = false; // a slot was joined, and the next part of its template follows
  for (const range of ranges) {
    if (range.label === 'slot' || isOpen) joined.push({ ...joined.pop()!, end: range.end });
    else joined.push(range);
    isOpen = range.label === 'slot';
  }
  return joined;
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
