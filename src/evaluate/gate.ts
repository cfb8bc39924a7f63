/**
 * The quality gate: figures must not fall below the floors in eval/baseline.json. Floors apply to one corpus,
 * identified by its digest; the gate rejects any other corpus. Floors rise freely and are lowered only on request,
 * so that quality is not lost unnoticed.
 */
import { readFile } from 'node:fs/promises';
import { writeAtomic } from '../store/run-folder.ts';
import type { EvalResult } from './evaluate.ts';
import type { Figures, Summary } from './summarise.ts';

/** Floors of one corpus by detector and by figure, named as in `figureOf`. */
export interface CorpusBaseline {
  digest: string;
  floors: Record<string, Record<string, number>>;
}

/** eval/baseline.json: corpora by name. */
export type Baseline = Record<string, CorpusBaseline>;

/** Result of the quality gate. */
export interface GateVerdict {
  verdict: 'passed' | 'failed' | 'refused';
  /** Number of floors that were compared. */
  checked: number;
  /** Figures below their floors, or why the gate cannot judge; empty when passed. */
  reasons: string[];
}

type GateInput = Pick<EvalResult, 'digest' | 'detectors'>;

/** Figures that get a floor by default. */
const DEFAULT_FIGURES = [
  'all/words.f1',
  'all/grams.f1',
  'large/words.f1',
  'large/words.recall',
  'large/grams.f1',
  'all/keepRate',
  'all/dropRate',
];
/** Distance of a floor below the measured figure, for changes without a cause. */
const MARGIN = 0.005;

/** Compares a result with the floors of its corpus. */
export function checkGate(result: GateInput, baseline: CorpusBaseline): GateVerdict {
  if (result.digest !== baseline.digest) {
    const reason = `the corpus is ${result.digest}, the floors are for ${baseline.digest}: not comparable`;
    return { verdict: 'refused', checked: 0, reasons: [reason] };
  }
  const reasons: string[] = [];
  let checked = 0;
  for (const [label, floors] of Object.entries(baseline.floors)) {
    const measured = result.detectors.find((detector) => detector.label === label);
    for (const [name, floor] of Object.entries(floors)) {
      const figure = measured && figureOf(measured.summary, name);
      checked++;
      if (figure === undefined) reasons.push(`${label} ${name} was not measured; its floor is ${floor}`);
      else if (figure < floor)
        reasons.push(`${label} ${name} is ${figure.toFixed(4)}, under its floor ${floor}`);
    }
  }
  return { verdict: reasons.length === 0 ? 'passed' : 'failed', checked, reasons };
}

/** Figures and margin of new floors. */
export interface UpdateFloorsOptions {
  /** Figures that get a floor, besides those that have one. @default DEFAULT_FIGURES, if measured */
  figures?: readonly string[];
  /** Distance of the floor below the measured figure. @default 0.005 */
  margin?: number;
  /** Whether floors may be lowered and a new corpus may replace the old one. @default false */
  lower?: boolean;
}

/** Raises floors to the measured figures. Throws when a floor would fall and `lower` is not set. */
export function updateFloors(
  result: GateInput,
  baseline: CorpusBaseline | undefined,
  { figures = DEFAULT_FIGURES, margin = MARGIN, lower = false }: UpdateFloorsOptions = {},
): CorpusBaseline {
  const sameCorpus = baseline?.digest === result.digest;
  if (baseline && !sameCorpus && !lower) {
    throw new Error(
      'the corpus is another one: its floors replace the old ones only when lowering is allowed',
    );
  }
  const floors: CorpusBaseline['floors'] = sameCorpus ? structuredClone(baseline.floors) : {};
  for (const { label, name: kind, summary } of result.detectors) {
    // no floors for other extractors and for the whole page
    if (kind === 'none' || kind === 'extractor') continue;
    const pinned = floors[label] ?? {};
    for (const name of new Set([...Object.keys(pinned), ...figures])) {
      const figure = figureOf(summary, name);
      if (figure === undefined) continue;
      const floor = Math.max(0, Math.floor((figure - margin) * 1000) / 1000);
      const old = pinned[name];
      if (old === undefined || floor > old || lower) pinned[name] = floor;
      else if (figure < old) {
        throw new Error(
          `${label} ${name} is ${figure.toFixed(4)}, under its floor ${old}: not lowered unless allowed`,
        );
      }
    }
    floors[label] = pinned;
  }
  return { digest: result.digest, floors };
}

/**
 * Returns a figure by its name `group/figure`: `all/words.f1`, `large/grams.recall`, `set:daniel/keepRate`,
 * `large-set:daniel/words.f1`, `type:forum/words.f1`, `lang:Greek/words.f1`, `site-pages:50+/words.f1`,
 * `all/blocks.content.f1`; undefined when it was not measured.
 */
export function figureOf(summary: Summary, name: string): number | undefined {
  const slash = name.lastIndexOf('/');
  const group = groupOf(summary, name.slice(0, slash));
  let value: unknown = group;
  for (const key of name.slice(slash + 1).split('.')) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  }
  return typeof value === 'number' ? value : undefined;
}

function groupOf(summary: Summary, name: string): Figures | undefined {
  const [kind, ...rest] = name.split(':');
  const key = rest.join(':');
  if (kind === 'all' || kind === 'large' || kind === 'small') return summary[kind];
  if (kind === 'set') return summary.bySet[key];
  if (kind === 'large-set') return summary.largeBySet[key];
  if (kind === 'type') return summary.byType[key];
  if (kind === 'lang') return summary.byLang[key];
  if (kind === 'site-pages') return summary.bySitePages[key];
  if (kind === 'site') return summary.bySite[key];
  throw new RangeError(
    `figure must start with all, large, small, set:, large-set:, type:, lang:, site-pages: or site:, not "${name}"`,
  );
}

/** Reads eval/baseline.json or another file of floors; throws when it cannot be read. */
export async function readBaseline(path: string): Promise<Baseline> {
  return JSON.parse(await readFile(path, 'utf8')) as Baseline;
}

/** Writes a file of floors as indented JSON. */
export async function writeBaseline(path: string, baseline: Baseline): Promise<void> {
  writeAtomic(path, `${JSON.stringify(baseline, null, 2)}\n`);
}
