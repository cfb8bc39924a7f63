/**
 * The nouns of shared fragments: classes of fragments that are the same on several pages, their members, and
 * pages with the members that stand on them. Exports read these and know nothing of the analysis.
 *
 * Two relations after Ma and Gu (2005): fragments are the same *completely* when names, attributes with values,
 * texts and children agree, and *structurally* when names, attribute names and children do.
 */
import type { Page } from '../model/page.ts';
import type { Tree } from '../parse/tree.ts';
import { lineOfText, placeOf } from '../view/node-path.ts';

export type Relation = 'complete' | 'structural';

export const RELATIONS: readonly Relation[] = ['complete', 'structural'];

/**
 * Which adjacent fragments are one composite: *exact*, every run of siblings that is the same in enough places, as
 * Ma and Gu define it; *merged*, maximal fragments that always stand side by side, as their section 3.3 finds them.
 */
export type Composites = 'exact' | 'merged';

export const COMPOSITES: readonly Composites[] = ['exact', 'merged'];
export const DEFAULT_COMPOSITES: Composites = 'exact';

/** What counts as a shared fragment. */
export interface SharingOptions {
  /** Fewest fragments of a class, the paper's M; from 2. @default 2 */
  minShared?: number;
  /** Smallest fragment, in bytes of the data that is compared; from 1. @default 256 */
  minBytes?: number;
  /** @default 'exact' */
  composites?: Composites;
}

export const DEFAULT_MIN_SHARED = 2;
export const DEFAULT_MIN_BYTES = 256;

/** One maximal shared fragment: a subtree, or several adjacent ones under one parent. */
export interface FragmentMember {
  relation: Relation;
  classId: string;
  /** First node. */
  node: number;
  /** One past the last node: the fragment is the interval of ids [node, sibling). */
  sibling: number;
  /** The element around it; 0, the document, for the root. */
  parent: number;
  /** Bytes of the page's source, [start, end). */
  start: number;
  end: number;
  /** Bytes of what is compared completely, what is between its parts left out. */
  completeBytes: number;
  /** Lines and columns of `start` and `end`, from 1; columns in bytes. */
  startLine: number;
  startColumn: number;
  endLine: number;
  endColumn: number;
}

export interface FragmentClass {
  /** 16 hexadecimal digits, the same on every run. */
  id: string;
  relation: Relation;
  kind: 'primitive' | 'composite';
  /** Subtrees that a member consists of; 1 for a primitive class. */
  parts: number;
  pages: number;
  members: number;
  sites: number;
  /** Average source bytes of a member. */
  avgBytes: number;
  /** Average bytes of what is compared completely, what is between parts left out; the paper's AvgSize. */
  avgCompleteBytes: number;
  /** Bytes of names and attribute names of a member, what stands between its parts left out. */
  structuralBytes: number;
  /** Source bytes of all members but one of average size. */
  savedBytes: number;
  /** Where the first member stands: `html > body > div#nav`. */
  place: string;
  /** A line of its text. */
  text: string;
  /** Page of the first member. */
  page: number;
  site: string;
  url: string;
}

/** A page with the maximal shared fragments in it, ordered by start; everything holds until the next page. */
export interface SharedPage {
  number: number;
  page: Page;
  /** Parsed when it is asked for. */
  readonly tree: Tree;
  members: FragmentMember[];
}

/** Looks at one page; the next page waits for the promise. */
export type PageVisitor = (shared: SharedPage) => void | Promise<void>;

/** Everything an export gets. */
export interface FragmentResult {
  /** The output folder; empty when the analysis was done in memory. */
  folder: string;
  classes: FragmentClass[];
  pageCount: number;
  /** Reads the archive once and calls `visit` with every page, in page order. */
  visitPages: (visit: PageVisitor) => Promise<void>;
}

/** What people recognise a fragment by; both are bounded whatever the page holds. */
export interface FragmentDescription {
  /** The path of its element, outermost first: `html > body > div#nav`; `…` for elements left out in the middle. */
  place: string;
  /** The beginning of its text on one line, references decoded; empty when it has none. */
  text: string;
}

/** Characters of text in a description. */
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
 * Exports that read the archive together. An export needs a pass over the pages wherever what it does next depends on
 * all of them: it counts, decides, then writes. Each export asks for its passes alone; the passes of all exports that
 * run are one reading of the archive, in which every page is inflated and parsed once for all visitors. So the
 * archive is read as often as the longest export needs (three times), not as often as all of them together (eight).
 */

interface WaitingVisitor {
  visit: PageVisitor;
  done: () => void;
  fail: (error: unknown) => void;
}

/** Runs exports side by side; gives their results in order, or throws the first error once all have ended. */
export async function sharePasses<T>(
  result: FragmentResult,
  exports: readonly ((shared: FragmentResult) => Promise<T>)[],
): Promise<T[]> {
  let running = exports.length;
  let waiting: WaitingVisitor[] = [];

  /** Starts a pass when no export is left that could still join it. */
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
