/** The labels that detectors give to ranges of a page; GLOSSARY.md defines each. */
import type { Role } from './role.ts';

/** The label of a range. */
export type Label = 'template' | 'slot' | 'content' | 'unsure';

/**
 * Bytes `[start, end)` of a page's source with their label. The ranges of a page are ordered, disjoint and
 * tile the source, so every byte has exactly one label.
 */
export interface Range {
  /** First byte, as an offset in `source`. */
  start: number;
  /** One past the last byte. */
  end: number;
  label: Label;
  /** Confidence in the label, in [0, 1]. */
  score: number;
  /** Id of the template that the range is part of, as 16 hexadecimal digits; empty for content. */
  template: string;
  /** Reason for the label in words, such as `on 187 of 200 pages`. */
  reason: string;
  /** Role of the text, if the detector finds roles and the text has one. */
  role?: Role;
}

/**
 * Whether a label counts as template in the template shares of a page. A slot is part of a template's extent,
 * so it counts, although clean text keeps it.
 */
export function isInTemplate(label: Label): boolean {
  return label === 'template' || label === 'slot';
}

/**
 * Joins each slot with the template ranges around it, so that every occurrence of a template is one range.
 */
export function joinSlots(ranges: readonly Range[]): readonly Range[] {
  if (!ranges.some(({ label }) => label === 'slot')) return ranges;
  const joined: Range[] = [];
  let isOpen = false; // the last range was a slot, so the next one belongs to the same template
  for (const range of ranges) {
    if (range.label === 'slot' || isOpen) joined.push({ ...joined.pop()!, end: range.end });
    else joined.push(range);
    isOpen = range.label === 'slot';
  }
  return joined;
}

/** A fragment or text that recurs on the pages of a site. */
export interface Template {
  /** 16 hexadecimal digits, made from the content. */
  id: string;
  /** Number of sampled pages (distinct URLs) that have the template. */
  pages: number;
  /** Number of occurrences on those pages. */
  occurrences: number;
  /** Size of one occurrence, in bytes. */
  sizeBytes: number;
}
