/** The nouns of the analysis of shared fragments: classes, their members, and pages that hold them. */
import type { Page } from '../model/page.ts';
import type { Tree } from '../parse/tree.ts';

/** `complete`: equal in names, attributes and content. `structural`: equal in names and attribute names. */
export type Relation = 'complete' | 'structural';

/** One occurrence: the nodes `[node, sibling)` and the bytes `[start, end)` of a page. */
export interface FragmentMember {
  relation: Relation;
  classId: string;
  node: number;
  sibling: number;
  start: number;
  end: number;
}

/** Fragments that are the same by one relation. */
export interface FragmentClass {
  /** 16 hexadecimal digits, the same in every run. */
  id: string;
  relation: Relation;
  /** A composite is several adjacent siblings that always stand together. */
  kind: 'primitive' | 'composite';
  /** Elements side by side: 1 for a primitive. */
  parts: number;
  /** Pages that hold it, times it stands there, sites of those pages. */
  pages: number;
  members: number;
  sites: number;
  /** Mean bytes of source of a member. */
  avgBytes: number;
  structuralBytes: number;
  /** Bytes of all members but one of mean size: what keeping one copy saves. */
  savedBytes: number;
  /** Where the first member stands, `html > body > div#nav`, and a line of its text. */
  place: string;
  text: string;
  /** The page of the first member. */
  page: number;
  site: string;
  url: string;
}

/** A page with the maximal shared fragments in it, ordered by start; the tree holds until the next page. */
export interface SharedPage {
  number: number;
  page: Page;
  tree: Tree;
  members: FragmentMember[];
}

/** All pages in order; may be asked for several times (each call reads the archive again). */
export type ReadSharedPages = () => AsyncIterable<SharedPage>;

/** Everything an export gets. */
export interface FragmentResult {
  folder: string;
  classes: FragmentClass[];
  readPages: ReadSharedPages;
  pageCount: number;
}
