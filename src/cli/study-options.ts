/** Options of `report` and `history` that add to what is told about the sites. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { COMPARED_SETTINGS } from '../detect/settings-trial.ts';
import { parseTextSettings } from '../detect/text-settings.ts';
import type { JobOptions } from '../run/job.ts';
import { readSiteGroups, type SiteGroups } from '../study/site-categories.ts';
import { parsedBy, wholeNumber } from './common-options.ts';
import { UsageError } from './exit-codes.ts';

export interface StudyFlags {
  categories?: string;
  /** true: without a list. */
  compareSettings?: string[] | true;
  minSitePages: number;
  drawSites?: number;
}

export function addStudyOptions(command: Command): Command {
  return command
    .option(
      '--categories <file>',
      'a CSV file of site,category: shares by category; with a column collection: histories beside each other (docs/study.md)',
    )
    .option('--min-site-pages <n>', 'leave out sites with fewer pages', wholeNumber(1), 1)
    .option('--draw-sites <n>', 'a sample of so many sites, drawn by --seed', wholeNumber(1))
    .option(
      '--compare-settings [W.F.D.P,…]',
      'try settings of the text detector beside each other on every site: Figure 1 of the report',
      parsedBy(parseCompared),
    );
}

export async function studyOptionsOf({
  categories,
  compareSettings,
  minSitePages,
  drawSites,
}: StudyFlags): Promise<StudyOptions> {
  return {
    ...(categories === undefined ? {} : await groupsOf(categories)),
    minSitePages,
    drawSites,
    compareSettings: compareSettings === true ? [...COMPARED_SETTINGS] : compareSettings,
  };
}

function parseCompared(list: string): string[] {
  const settings = list.split(',').map((one) => one.trim());
  // an input right after the bare option is taken for its list
  if (settings.some((one) => !/^[\d.]*$/.test(one))) {
    throw new RangeError(
      'It must be settings W.F.D.P, separated by commas; or give it last, after the inputs.',
    );
  }
  for (const one of settings) parseTextSettings(one);
  return settings;
}

type StudyOptions = Pick<
  JobOptions,
  'categories' | 'collections' | 'compareSettings' | 'minSitePages' | 'drawSites'
>;

async function groupsOf(file: string): Promise<SiteGroups> {
  try {
    return readSiteGroups(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--categories ${file}: ${(error as Error).message}`);
  }
}
