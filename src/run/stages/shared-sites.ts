/**
 * Sites whose pages lie in several label tasks. Of all others the label task tells everything; of these it leaves what it
 * has gathered, and tasks that come after it put that together, some sites each.
 */
import { join } from 'node:path';
import { partNumber } from '../../store/run-folder.ts';
import type { StudyTask } from '../tasks/task.ts';
import type { Cut } from './cut-tasks.ts';
import { type StageContext, taskName } from './run-stage.ts';

/** A site and the label tasks that have pages of it, half-open. */
export interface SharedSite {
  site: string;
  firstTask: number;
  endTask: number;
}

/** Label tasks whose sites are put together by one task. */
const LABEL_TASKS = 32;

/** The sites of several cuts; `groupsOf` gives the site snapshots of a stretch of them, of which sites have their own. */
export function findSharedSites(
  cuts: readonly Cut[],
  groupsOf: (first: number, end: number) => { site: string }[],
): SharedSite[] {
  const shared: SharedSite[] = [];
  for (let k = 1; k < cuts.length; k++) {
    // the last of the task before and the first of this one, which may be the same
    const between = groupsOf(cuts[k - 1].endGroup - 1, cuts[k].firstGroup + 1);
    const site = between[0].site;
    if (between.at(-1)!.site !== site) continue;
    const last = shared.at(-1);
    if (last?.site === site) last.endTask = k + 1;
    else shared.push({ site, firstTask: k - 1, endTask: k + 1 });
  }
  return shared;
}

/** The sites of a label task that others have pages of too. */
export function sharedSitesOf(task: number, shared: readonly SharedSite[]): string[] {
  return shared
    .filter(({ firstTask, endTask }) => firstTask <= task && task < endTask)
    .map(({ site }) => site);
}

/** Tells of sites what their label tasks, all done and published, have gathered; the folders of the tasks. */
export async function studySharedSites(
  { folder, job, executor }: StageContext,
  label: readonly string[],
  shared: readonly SharedSite[],
): Promise<string[]> {
  const runs = cutSharedSites(shared);
  const tasks = runs.map((sites, k): StudyTask => {
    const name = taskName('study', k);
    return {
      kind: 'study',
      name,
      folder: folder.taskFolder(name),
      job,
      inputs: {},
      spill: folder.work(`${name}-spill`),
      sites: sites.map(({ site, firstTask, endTask }) => ({
        site,
        labelFolders: label.slice(firstTask, endTask).map((each) => folder.taskFolder(each)),
        pageFiles: label
          .slice(firstTask, endTask)
          .map((_, at) => join(folder.path, 'pages', `${partNumber(firstTask + at)}.parquet`)),
      })),
    };
  });
  const missing = tasks.filter(({ name }) => !folder.isCommitted(name));
  await Promise.all(missing.map((task) => executor.run(task)));
  return tasks.map((task) => task.folder);
}

function cutSharedSites(shared: readonly SharedSite[]): SharedSite[][] {
  const runs: SharedSite[][] = [];
  for (const site of shared) {
    const run = runs.at(-1);
    if (run && site.endTask - run[0].firstTask <= LABEL_TASKS) run.push(site);
    else runs.push([site]);
  }
  return runs;
}
