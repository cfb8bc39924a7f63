/** Types of `run.json`: version, options, inputs, counts and times of a run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Relation } from '../fragments/shared-page.ts';
import type { Accounts } from '../model/totals.ts';

/** Contents of `run.json`. */
export interface RunFile {
  /** Version of Chaff. */
  version: string;
  /** Hash that is equal for runs with the same version, options and inputs. */
  fingerprint: string;
  /** All options that affect the result, including defaults. */
  options: Record<string, unknown> & { detectors: string[] };
  /** Sorted by name. */
  inputs: RunInput[];
  counts: RunCounts;
  timings: RunTimings;
}

/** One input of a run. */
export interface RunInput {
  /** As the user named it. */
  name: string;
  format: string;
  sizeBytes: number;
  /** SHA-256 of the file; of a folder, of the names and contents of its files. */
  sha256: string;
  captures: number;
}

/** Sums over labelled pages. */
export interface PageSums {
  htmlBytes: number;
  /** Bytes of text without markup. */
  textBytes: number;
  links: number;
  nodes: number;
  /** Pages whose misnested formatting was rebuilt as browsers do. */
  exactPages: number;
  /** Pages that keep their text because of a floor, by the first detector. */
  unsurePages: number;
}

/** Totals of a run that labels pages. */
export interface RunCounts extends Accounts, PageSums {
  sites: number;
  snapshots: number;
  templates: number;
}

/** `run.json` of an analysis of shared fragments. */
export interface FragmentRunFile extends Omit<RunFile, 'options' | 'counts'> {
  options: Record<string, unknown> & { relations: Relation[] };
  counts: FragmentCounts;
}

/** Totals of an analysis of shared fragments. */
export interface FragmentCounts extends Omit<RunCounts, 'snapshots' | 'templates' | 'unsurePages'> {
  complete: SharedCounts;
  structural: SharedCounts;
}

/** Totals of the fragments of one relation. */
export interface SharedCounts {
  classes: number;
  /** Classes of several adjacent subtrees. */
  composites: number;
  members: number;
  /** Pages with shared fragments, bytes of source in them, and the mean share of a page (0 to 1). */
  sharedPages: number;
  sharedBytes: number;
  meanShare: number;
  /** Bytes of all members but one copy of each class. */
  savedBytes: number;
}

/** Times in seconds, the only part that differs between two runs of the same job; steps are summed over workers. */
interface RunTimings {
  workers: number;
  resumed: boolean;
  wallSeconds: Record<string, number>;
  /** CPU time of all threads of the process by stage; only for an analysis of fragments. */
  cpuSeconds?: Record<string, number>;
  stepSeconds: Record<string, Record<string, number>>;
  /** Time for learning by each compared setting, over all sites. */
  settingsSeconds?: Record<string, number>;
}

/** Reads `run.json`; throws when the file is missing or damaged. */
export function readRunFile(folder: string): RunFile {
  let text: string;
  try {
    text = readFileSync(join(folder, 'run.json'), 'utf8');
  } catch (error) {
    throw new Error(`${folder} is not a finished output folder: it has no run.json`, { cause: error });
  }
  try {
    return JSON.parse(text) as RunFile;
  } catch (error) {
    throw new Error(`${join(folder, 'run.json')} is damaged: it is not JSON`, { cause: error });
  }
}
