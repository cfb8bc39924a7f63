/** `run.json`: what was run on what, what came out, and how long it took. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Relation } from '../fragments/shared-page.ts';
import type { Accounts } from '../model/totals.ts';

export interface RunFile {
  /** Version of Chaff. */
  version: string;
  /** Agrees between runs with the same version, options and inputs. */
  fingerprint: string;
  /** All options that change the result, defaults included. */
  options: Record<string, unknown> & { detectors: string[] };
  /** Sorted by name. */
  inputs: RunInput[];
  counts: RunCounts;
  timings: RunTimings;
}

export interface RunInput {
  /** As the user named it. */
  name: string;
  format: string;
  sizeBytes: number;
  /** SHA-256 of the whole file as it lay there; for a folder, of its files' names and contents. */
  sha256: string;
  captures: number;
}

/** Sums over labelled pages. */
export interface PageSums {
  htmlBytes: number;
  /** Of detagged text. */
  textBytes: number;
  links: number;
  nodes: number;
  /** Pages whose misnested formatting was rebuilt as browsers do. */
  exactPages: number;
  /** Pages that kept their text because a floor held, by the first detector. */
  unsurePages: number;
}

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

export interface FragmentCounts extends Omit<RunCounts, 'snapshots' | 'templates' | 'unsurePages'> {
  complete: SharedCounts;
  structural: SharedCounts;
}

/** What the fragments of one relation come to. */
export interface SharedCounts {
  classes: number;
  /** Classes of several adjacent subtrees. */
  composites: number;
  members: number;
  /** Pages with any, bytes of source in them, and the mean share of a page. */
  sharedPages: number;
  sharedBytes: number;
  meanShare: number;
  /** Bytes of all members but one copy of each class. */
  savedBytes: number;
}

/** The only part that differs between two runs of the same job. Seconds; steps are summed over workers. */
export interface RunTimings {
  workers: number;
  resumed: boolean;
  wallSeconds: Record<string, number>;
  /** Of all threads of the process, by stage; of an analysis of fragments. */
  cpuSeconds?: Record<string, number>;
  stepSeconds: Record<string, Record<string, number>>;
  /** Of learning by each of the settings that were compared, all sites. */
  settingsSeconds?: Record<string, number>;
}

/** Reads `run.json`; throws when the folder holds none. */
export function readRunFile(folder: string): RunFile {
  let text: string;
  try {
    text = readFileSync(join(folder, 'run.json'), 'utf8');
  } catch (error) {
    throw new Error(`${folder} is no finished output folder: it has no run.json`, { cause: error });
  }
  return JSON.parse(text) as RunFile;
}
