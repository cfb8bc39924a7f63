/**
 * Options as in Gibson, Punera and Tomkins 2005: templates by DOM hashes and by text windows. Options whose default is
 * the paper's (200 pages, 10 %, 32.10.0.200) are not named. docs/research/fidelity.md has the reasons.
 */

export const gibson2005 = {
  // section 3.1: occurrences of every node, wherever it is; below two the whole page would be template
  domEvidence: 'content',
  domBounds: 'every-node',
  domMinPages: 2,
  // a gap between sibling templates is part of the template
  drop: 'slots',
  // section 3.2: occurrences of windows, F as it is; fragments that touch are one template, whatever it cuts
  textCount: 'occurrences',
  textExactFrequency: true,
  textSplitWords: true,
  textCut: 'none',
  // section 4.2: links by the offsets of their nodes; every page counts as it was labelled
  linksBy: 'tag',
  minPages: 0,
  minLeft: 0,
  minLeftShare: 0,
  fallback: 'unsure',
  // section 5.1: redirects and error pages are among the pages
  statuses: 'all',
} as const;
