/** A study for tests: one site without templates, and the values that a test sets. */
import type { Study } from '../src/store/study/read-study.ts';

export function sampleStudy(given: Partial<Study> = {}): Study {
  return {
    detector: 'text',
    schemaDetector: 'dom',
    contentDetector: 'dom',
    hasBoth: true,
    settings: [],
    categoryShares: [],
    unknownSites: [],
    siteShares: [],
    templateCounts: { templates: 0, occurrences: 0, on_several_sites: 0 },
    rankFrequency: [],
    powerLaw: { exponent: null, first: null, r2: null, points: 0 },
    cache: [],
    sharedBySites: [],
    aggregation: [],
    mostOfASite: 100,
    schemas: [],
    drawnSchemas: [],
    outliers: [],
    schemaChanges: [],
    keyPages: [],
    ownContent: [],
    ...given,
  };
}
