/**
 * The terms of shared fragments: classes of fragments that are equal on several pages, their members, and
 * pages with their members. Exports read these and do not depend on the analysis.
 *
 * There are two relations, after Ma and Gu (2005): fragments are equal *completely* when names, attributes
 * with values, texts and children agree, and *structurally* when names, attribute names and children do.
 */
import type { Page } from '../model/page.ts';
import type { Tree } from '../parse/tree.ts';
import { lineOfText, placeOf } from '../view/node-path.ts';

/** Relation by which fragments are equal. */
export type Relation = 'complete' | 'structural';

/** All relations. */
export const RELATIONS: readonly Relation[] = ['complete', 'structural'];

/**
 * Which adjacent fragments form one composite: *exact*, every run of siblings that occurs in enough
 * positions, as Ma and Gu define it; *merged*, maximal fragments that are always adjacent, as their section
 * 3.3 finds them.
 */
export type Composites = 'exact' | 'merged';

/** All values of `Composites`. */
export const COMPOSITES: readonly Composites[] = ['exact', 'merged'];
/** Default of `SharingOptions.composites`. */
export const DEFAULT_COMPOSITES: Composites = 'exact';

/** Conditions under which fragments count as shared. */
export interface SharingOptions {
  /** Minimum number of fragments of a class (M in the paper), from 2. @default 2 */
  minShared?: number;
  /** Minimum size of a fragment in bytes of the compared data, from 1. @default 256 */
  minBytes?: number;
  /** @default 'exact' */
  composites?: Composites;
}

/** Default of `SharingOptions.minShared`. */
export const DEFAULT_MIN_SHARED = 2;
/** Default of `SharingOptions.minBytes`, in bytes. */
export const DEFAULT_MIN_BYTES = 256;

/** One maximal shared fragment: a subtree, or several adjacent ones with the same parent. */
export interface FragmentMember {
  relation: Relation;
  classId: string;
  /** First node. */
  node: number;
  /** Position after the last node: the fragment is the interval of ids [node, sibling). */
  sibling: number;
  /** The element around it; 0, the document, for the root. */
  parent: number;
  /** Bytes of the page's source, [start, end). */
  start: number;
  end: number;
  /** Bytes in the complete comparison, without text between its parts. */
  completeBytes: number;
  /** Lines and columns of `start` and `end`, from 1; columns in bytes. */
  startLine: number;
  startColumn: number;
  endLine: number;
  endColumn: number;
}

/** A class of equal fragments. */
export interface FragmentClass {
  /** Sixteen hexadecimal digits, the same in every run. */
  id: string;
  relation: Relation;
  kind: 'primitive' | 'composite';
  /** Number of subtrees in a member; 1 for a primitive class. */
  parts: number;
  pages: number;
  members: number;
  sites: number;
  /** Mean source bytes of a member. */
  avgBytes: number;
  /** Mean bytes in the complete comparison, without text between parts; AvgSize in the paper. */
  avgCompleteBytes: number;
  /** Bytes of names and attribute names of a member, without those between its parts. */
  structuralBytes: number;
  /** Source bytes of all members except one of mean size. */
  savedBytes: number;
  /** Path of the first member: `html > body > div#nav`. */
  place: string;
  /** Beginning of its text on one line. */
  text: string;
  /** Page of the first member. */
  page: number;
  site: string;
  url: string;
}

/** A page with its maximal shared fragments, ordered by start; valid until the next page. */
export interface SharedPage {
  number: number;
  page: Page;
  /** Parsed at first access. */
  readonly tree: Tree;
  members: FragmentMember[];
}

/** Visits one page; the next page waits for the promise. */
export type PageVisitor = (shared: SharedPage) => void | Promise<void>;

/** Input of an export. */
export interface FragmentResult {
  /** The output folder; empty when the analysis was made in memory. */
  folder: string;
  classes: FragmentClass[];
  pageCount: number;
  /** Reads the archive once and calls `visit` for every page, in page order. */
  visitPages: (visit: PageVisitor) => Promise<void>;
}

/** A description by which people recognise a fragment; both fields have bounded lengths. */
export interface FragmentDescription {
  /** Path of its element, outermost first: `html > body > div#nav`; `…` replaces elements in the middle. */
  place: string;
  /** Beginning of its text on one line, with references decoded; empty when it has none. */
  text: string;
}

/** Maximum length of the text of a description, in characters. */
const TEXT_CHARACTERS = 160;

/** Describes the nodes `[node, sibling)`: an element, or adjacent siblings of which it is the first. */
export function describeFragment(tree: Tree, node: number, sibling: number): FragmentDescription {
  const { textStart } = tree;
  return {
    place: placeOf(tree, node),
    text: lineOfText(tree, textStart[node], textStart[sibling], TEXT_CHARACTERS),
  };
}

/**
 * Runs exports that read the archive together. An export needs a new pass over the pages whenever its next
 * step depends on all of them: it counts, decides, then writes. Each export requests its passes
 * independently. A pass of all running exports is one reading of the archive, in which every page is inflated
 * and parsed once for all visitors. So the archive is read as often as the longest export needs (three
 * times), not as often as all exports together (eight times).
 */

interface WaitingVisitor {
  visit: PageVisitor;
  done: () => void;
  fail: (error: unknown) => void;
}

/**
 * Runs exports concurrently. Returns their results in order, or throws the first error once all have ended.
 */
export async function sharePasses<T>(
  result: FragmentResult,
  exports: readonly ((shared: FragmentResult) => Promise<T>)[],
): Promise<T[]> {
  let running = exports.length;
  let waiting: WaitingVisitor[] = [];

  /** Starts a pass when every running export has requested one. */
  const startPass = (): void => {
    if (waiting.length === 0 || waiting.length < running) return;
    const visitors = waiting;
    waiting = [];
    const visitAll: PageVisitor = async (page) => {
      for (const { visit } of visitors) await visit(page);
    };
    result.visitPages(visitAll).then(
      () => {
        for (const { done } of visitors) done();
      },
      (error) => {
        for (const { fail } of visitors) fail(error);
      },
    );
  };
  const visitPages = (visit: PageVisitor): Promise<void> =>
    new Promise((done, fail) => {
      waiting.push({ visit, done, fail });
      startPass();
    });
  const settled = await Promise.allSettled(
    exports.map(async (run) => {
      try {
        return await run({ ...result, visitPages });
      } finally {
        running--;
        startPass();
      }
    }),
  );
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}
