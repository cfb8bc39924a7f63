/** Skeleton of signatures: being filled in. */
import type { SharingOptions } from '../fragments/shared-page.ts';
import type { Database } from './database.ts';

export interface FragmentParts {
  /** Folders of the digest tasks, in page order: pages are numbered so that those of a site are adjacent. */
  folders: readonly string[];
}

/** A class's first member, for whoever opens pages to say where it stands and what it says. */
export interface FirstMember {
  /** Number of the class, for `describe`. */
  number: number;
  page: number;
  node: number;
  sibling: number;
}

export interface FragmentAnalysis {
  readonly pageCount: number;
  /** By relation. */
  readonly classCount: { complete: number; structural: number };
  /** First members of all classes in page order. */
  firstMembers(): Generator<FirstMember>;
  /** Sets what is known of a class only from its page; before `write`. */
  describe(number: number, place: string, text: string): void;
  /** Writes classes.parquet, members.parquet and pages.parquet. */
  write(folder: string): Promise<void>;
}

/** Finds the maximal shared fragments of all pages, in a database with a memory limit and a spill folder. */
export type AnalyseFragments = (
  database: Database,
  parts: FragmentParts,
  options: SharingOptions,
) => Promise<FragmentAnalysis>;
