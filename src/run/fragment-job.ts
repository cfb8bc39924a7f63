/** What is asked of an analysis of shared fragments, as plain data, checked once. */
import {
  COMPOSITES,
  type Composites,
  DEFAULT_COMPOSITES,
  DEFAULT_MIN_BYTES,
  DEFAULT_MIN_SHARED,
  RELATIONS,
  type Relation,
  type SharingOptions,
} from '../fragments/shared-page.ts';
import { checkJob, checkWhole, type Job, type JobOptions } from './job.ts';

export interface FragmentJobOptions
  extends SharingOptions,
    Pick<JobOptions, 'site' | 'include' | 'exclude' | 'limit' | 'limits' | 'partPages' | 'preset'> {
  /** @default both */
  relations?: readonly Relation[];
  /** Of each page the newest capture, however its URL was written, or all of them as pages of their own. @default 'last' */
  captures?: 'last' | 'all';
  /**
   * Classes of each relation whose place and text are looked up, those that save the most bytes first: their
   * pages are read once more. @default 1000
   */
  described?: number;
}

/** A job with what is asked about fragments. */
export interface FragmentJob extends Job {
  minShared: number;
  minBytes: number;
  composites: Composites;
  relations: Relation[];
  captures: 'last' | 'all';
  described: number;
}

export const DEFAULT_DESCRIBED = 1000;

/** The job with all defaults filled in; throws a RangeError that names the option and what it accepts. */
export function checkFragmentJob(options: FragmentJobOptions = {}): FragmentJob {
  const {
    minShared = DEFAULT_MIN_SHARED,
    minBytes = DEFAULT_MIN_BYTES,
    composites = DEFAULT_COMPOSITES,
    relations = RELATIONS,
    captures = 'last',
    described = DEFAULT_DESCRIBED,
    ...jobOptions
  } = options;
  checkWhole('minShared', minShared, 2);
  checkWhole('minBytes', minBytes, 1);
  checkWhole('described', described, 0);
  if (!COMPOSITES.includes(composites)) {
    throw new RangeError(`composites must be ${COMPOSITES.join(' or ')}, not "${composites}"`);
  }
  if (captures !== 'last' && captures !== 'all') {
    throw new RangeError(`captures must be last or all, not "${captures}"`);
  }
  const asked = RELATIONS.filter((relation) => relations.includes(relation));
  if (asked.length === 0 || asked.length !== new Set(relations).size) {
    throw new RangeError(`relations must be some of ${RELATIONS.join(', ')}, not "${relations.join(', ')}"`);
  }
  // pages of all times are one collection; detectors have no part in it
  const job = checkJob({
    ...jobOptions,
    detectors: ['none'],
    snapshot: 'all',
    sample: 1,
    learnFrom: 'selected',
  });
  return { ...job, minShared, minBytes, composites, relations: asked, captures, described };
}
