/**
 * Options as in Leśniak 2017: the cross of similar pages and captures. docs/research/fidelity.md has the
 * differences that are left.
 */

export const lesniak2017 = {
  detector: 'cross',
  /** Of `eval`. */
  detectors: ['T001', 'T002', 'T003', 'T004', 'T005', 'T006'],
  /** Test case T001; the others by `--cross-variant`. */
  crossVariant: 'T001',
  /** `lsh_threshold` of section 4.2. */
  crossThreshold: 0.6,
  /** All entries of a domain are candidates, of any time; as many as a model can keep. */
  crossPages: 1000,
  sample: 1000,
  snapshot: 'all',
  crossTokens: 'layers',
  /** Of `groups`. */
  tokens: 'layers',
  /** The second entry of the list of similar documents, of whatever page. */
  crossDown: 'capture',
  crossDiff: 'lxml',
  crossLengths: 'characters',
  crossRows: 100_000,
  crossNeighbours: 5,
  crossTrees: 10,
  /** Section 4; the sample keeps its own seed. */
  crossSeed: 2_047_226_289,
  /** Works from two documents, and takes nothing back. */
  minPages: 0,
  minLeft: 0,
  minLeftShare: 0,
  fallback: 'unsure',
} as const;
