/** What every run that writes a folder says of itself in `run.json`: accounts, inputs, times. */
import type { Problem, SkipCode } from '../model/problem.ts';
import type { Input } from '../read/input.ts';
import type { LostRevisit, Plan } from '../store/plan.ts';
import type { RunCounts } from '../store/run-file.ts';
import { readCounts, type StageContext, sumCounts } from './stages/run-stage.ts';
import type { SelectedPages } from './stages/selected-pages.ts';
import { addSkips } from './tasks/counts.ts';

/** What the tasks of a stage and the plan have counted, all captures among them. */
export async function countCaptures(
  { folder }: StageContext,
  plan: Plan,
  tasks: string[],
  selected?: SelectedPages,
): Promise<Omit<RunCounts, 'problems' | 'templates' | 'sites' | 'snapshots'>> {
  const { timings: _, skipped: late, ...counted } = sumCounts(folder, tasks);
  const skipped = plan.countSkips();
  addSkips(skipped, late);
  if (selected) addSkips(skipped, { filtered: selected.leftOut });
  const sorted = Object.entries(skipped).sort(([a], [b]) => (a < b ? -1 : 1));
  return { captures: plan.countCaptures(), ...counted, skipped: Object.fromEntries(sorted) };
}

/** The promise of every run: no capture is lost between the archive and the result. */
export function checkAccounts({
  captures,
  pages,
  skipped,
}: Pick<RunCounts, 'captures' | 'pages' | 'skipped'>): void {
  const total = Object.values(skipped).reduce((sum, count) => sum + count, pages);
  if (total !== captures) {
    throw new Error(`${captures} captures were read but ${total} accounted for: this is a bug in Chaff`);
  }
}

/** The inputs as `run.json` has them. */
export async function describeInputs({ folder, inputs }: StageContext, plan: Plan, surveys: string[]) {
  const captures = plan.countByInput();
  return inputs.map(({ name, format, sizeBytes }: Input, k) => ({
    name,
    format,
    sizeBytes,
    sha256: readCounts(folder, surveys[k]).inputDigest ?? '',
    captures: captures.get(k) ?? 0,
  }));
}

export function unresolvedRevisit({ entry, ...where }: LostRevisit): Problem {
  const code: SkipCode = 'revisit-unresolved';
  const message = 'the capture that this revisit refers to is in none of the inputs; skipped';
  return { code, message, ...where, ...(entry === '' ? {} : { entry }) };
}

export function roundAll(seconds: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(seconds).map(([step, value]) => [step, Math.round(value * 1000) / 1000]),
  );
}
