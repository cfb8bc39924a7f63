/** A stage of its own, when it is asked for: settings of the text detector beside each other, on every site. */
import { join } from 'node:path';
import type { Plan } from '../../store/plan.ts';
import { SETTINGS_FILE } from '../../store/study/site-tables.ts';
import { runOnSamples } from './run-on-pages.ts';
import { readCounts, type StageContext } from './run-stage.ts';

export interface ComparedSettings {
  /** The rows that the tasks have left. */
  parts: string[];
  /** Seconds that learning took by each, of all sites. */
  seconds: Record<string, number>;
}

export async function compareAllSettings(
  context: StageContext,
  plan: Plan,
): Promise<ComparedSettings | undefined> {
  const { folder, job } = context;
  if (job.compareSettings.length === 0) return undefined;
  const { names } = await runOnSamples(context, plan, 'settings', { kind: 'settings' });
  const seconds: Record<string, number> = {};
  for (const name of names) {
    for (const [settings, spent] of Object.entries(readCounts(folder, name).settingsSeconds ?? {})) {
      seconds[settings] = (seconds[settings] ?? 0) + spent;
    }
  }
  return { parts: names.map((name) => join(folder.taskFolder(name), SETTINGS_FILE)), seconds };
}
