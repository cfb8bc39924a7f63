/**
 * Finds the layout groups of every site of some archives and, on request, the cross of each page. Sites are returned
 * one by one, in order, after all pages are signed.
 */
import type { DownRule } from '../analysis/choose-arms.ts';
import { type Crosses, type FindCrossesOptions, findCrosses } from '../analysis/find-crosses.ts';
import { DEFAULT_THRESHOLD } from '../analysis/group-signatures.ts';
import type { LayoutTokens } from '../analysis/layout-signer.ts';
import { checkPermutations, chooseBands, countEqual, DEFAULT_PERMUTATIONS } from '../analysis/minhash.ts';
import type { SignedPages } from '../analysis/signed-pages.ts';
import { readLayoutRule } from '../model/site.ts';
import type { PageIdentity } from '../store/plan.ts';
import { findLayouts, type Layouts } from '../study/layout-groups.ts';
import { checkJob, type JobOptions } from './job.ts';
import { type ProblemOptions, type RunningOptions, type RunSummary, withSession } from './session.ts';
import { readSignatures, type SignOptions, signAll } from './stages/site-signatures.ts';

/** Options of `runGroups`. */
export interface GroupsRunOptions
  extends Pick<
      JobOptions,
      'site' | 'include' | 'exclude' | 'statuses' | 'waczPages' | 'limit' | 'limits' | 'partPages'
    >,
    RunningOptions,
    ProblemOptions {
  /** Minimum similarity that joins two pages, in (0, 1). @default 0.6 */
  threshold?: number;
  /** Number of hashes of a signature, 16 to 1024. @default 128 */
  permutations?: number;
  /** What groups compare: `paths`, Chaff's own, or `layers`, those of the thesis. @default 'paths' */
  tokens?: LayoutTokens;
  /** Whether to find the cross of each page, always by `layers`. @default false */
  crosses?: boolean;
  /** Rule for the capture below in the cross: of another page than the one above, or any. @default 'page' */
  down?: DownRule;
  /** Called with every site, in order. */
  onSite: (site: SiteLayouts) => void | Promise<void>;
}

/** The layouts of one site; columns are in the order of `pages`. */
export interface SiteLayouts extends Layouts {
  site: string;
  pages: PageIdentity[];
  /** Estimated similarity of a page to the typical page of its group. */
  similarityToTypical(page: number): number;
  crosses?: Crosses & {
    /** Estimated similarity of two pages by layers. */
    similarity(a: number, b: number): number;
  };
}

/** Finds the layouts of all sites of the inputs (names, globs, folders, `-`). */
export async function runGroups(names: string[], options: GroupsRunOptions): Promise<RunSummary> {
  const { threshold = DEFAULT_THRESHOLD, permutations = DEFAULT_PERMUTATIONS, tokens = 'paths' } = options;
  const { crosses = false, down, onSite, onProblem, site } = options;
  checkPermutations(permutations);
  chooseBands({ threshold, permutations });
  if (site !== undefined && readLayoutRule(site)) {
    throw new RangeError('groups are the layouts of a site: site must be host, domain or path:N');
  }
  // pages of all times are compared; detectors are not used
  const job = checkJob({
    ...options,
    detectors: ['none'],
    snapshot: 'all',
    sample: 1,
    learnFrom: 'selected',
  });
  const kinds: LayoutTokens[] = crosses && tokens !== 'layers' ? [tokens, 'layers'] : [tokens];
  const signing: SignOptions = { tokens: kinds, permutations };
  return withSession(names, job, { ...options, readsAllPages: true }, async (session) => {
    const tasks = await signAll(session, signing);
    for await (const { site, pages, signed } of readSignatures(session, tasks, signing)) {
      if (pages.length === 0) continue;
      const layouts = findLayouts(signed[0], { threshold, weighted: tokens === 'paths' });
      await onSite({
        site,
        pages,
        ...layouts,
        similarityToTypical: (page) =>
          similarity(signed[0], page, layouts.groups[layouts.numberOf[page] - 1].typical),
        crosses: crosses ? crossesOf(signed.at(-1)!, { threshold, down }) : undefined,
      });
    }
    return session.summarize({ names: tasks }, onProblem);
  });
}

function crossesOf(signed: SignedPages, options: FindCrossesOptions): NonNullable<SiteLayouts['crosses']> {
  return { ...findCrosses(signed, options), similarity: (a, b) => similarity(signed, a, b) };
}

function similarity({ signatures, permutations }: SignedPages, a: number, b: number): number {
  return countEqual(signatures, a * permutations, b * permutations, permutations) / permutations;
}
