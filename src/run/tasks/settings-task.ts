/** Settings of the text detector, and dom beside them, tried on the sampled pages of some site snapshots. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOM_TRIAL, tryDom, trySettings } from '../../detect/settings-trial.ts';
import { commitTask } from '../../store/run-folder.ts';
import { SETTINGS_FILE, type SettingsRow, writeSettingsPart } from '../../store/study/site-tables.ts';
import { COUNTS_FILE } from '../../store/survey-part.ts';
import { PageOpener } from '../pages/open-page.ts';
import { emptyCounts } from './counts.ts';
import { Sample, samplesOf } from './learn-task.ts';
import type { SettingsTask, TaskContext, TaskCounts } from './task.ts';
import { Clock } from './timings.ts';

export async function compareSettings(task: SettingsTask, context: TaskContext): Promise<TaskCounts> {
  const { job, folder, groups, samples } = task;
  const counts: TaskCounts & { settingsSeconds: Record<string, number> } = {
    ...emptyCounts(),
    settingsSeconds: {},
  };
  const clock = new Clock();
  const opener = new PageOpener({ ...task, clock, arena: context.arena });
  await commitTask(folder, async (draft) => {
    const rows: SettingsRow[] = [];
    for (const { group, site, snapshot } of groups) {
      const sample = new Sample(samplesOf(group, samples), { size: job.sample, opener, hold: true, context });
      for (const _ of sample.pages(clock)); // read and parsed now, so that no trial is charged with it
      for (const [place, settings] of [...job.compareSettings, DOM_TRIAL].entries()) {
        clock.start();
        const pages = () => sample.pages(clock);
        const { learnSeconds, textShare, ...trial } =
          settings === DOM_TRIAL
            ? tryDom(site, job.detectorOptions.dom ?? {}, pages)
            : trySettings(site, settings, pages);
        rows.push({ site, snapshot, place, settings, text_share: textShare, ...trial });
        counts.settingsSeconds[settings] = (counts.settingsSeconds[settings] ?? 0) + learnSeconds;
        clock.lap('learn');
        await context.pause();
      }
      counts.pages += sample.count;
      opener.letGo();
    }
    clock.start();
    writeSettingsPart(rows, join(draft, SETTINGS_FILE));
    clock.lap('write');
    counts.timings = clock.timings();
    writeFileSync(join(draft, COUNTS_FILE), JSON.stringify(counts));
  });
  return counts;
}
