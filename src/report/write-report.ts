/** Reads the data of report.html from an output folder, within the limits of report-data.ts, and writes the file. */
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hasFragments, readFragmentFigures } from '../store/fragments/fragment-report.ts';
import { readHistory } from '../store/history/read-history.ts';
import { type OutputFolder, type PageBar, type TemplateSummary, withFolder } from '../store/open-folder.ts';
import { readWireframes } from '../store/read-wireframes.ts';
import type { FragmentRunFile, RunFile } from '../store/run-file.ts';
import { writeAtomic } from '../store/run-folder.ts';
import { annotatedPages } from '../store/sampled-part.ts';
import { BAR_STEP } from '../store/site-pictures.ts';
import { readStudy } from '../store/study/read-study.ts';
import { historyFigures } from './figures/change-history-figures.ts';
import { byNumber, type Figure, figureCsv, figureFile } from './figures/figure.ts';
import { siteListFigures, sitePictureFigure } from './figures/site-figures.ts';
import { studyFigures } from './figures/study-figures.ts';
import { renderReport } from './render-report.ts';
import {
  barsPerPicture,
  MAX_NAMED_TEMPLATES,
  MAX_PICTURED_SITES,
  MAX_PROBLEMS,
  MAX_SAMPLE_PAGES,
  type ReportData,
  type ReportPicture,
  type ReportTemplate,
} from './report-data.ts';

/** State of a run that is not yet finished. */
export interface WriteReportOptions {
  /** Future contents of `run.json`, while it is not yet written. */
  run?: RunFile | FragmentRunFile;
  /** Resolves when `history/` is written. */
  rest?: Promise<void>;
}

/** Writes `report.html` into the folder of a report or of an analysis of fragments; returns its path. */
export async function writeReport(
  output: OutputFolder | string,
  { run: described, rest }: WriteReportOptions = {},
): Promise<string> {
  if (typeof output === 'string') {
    return withFolder(output, (opened) => writeReport(opened, { rest }), { run: described as RunFile });
  }
  const { path: folder } = output;
  // both kinds of runs list problems in the same way
  const run: RunFile | FragmentRunFile = output.run;
  const data = isFragmentRun(run) ? await readFragmentData(output, run) : await readReportData(output, rest);
  if (hasFragments(folder)) {
    const { relations } = run.options as Partial<FragmentRunFile['options']>;
    data.fragments = await readFragmentFigures(folder, { relations });
  }
  writeFigures(folder, data.study?.figures ?? []);
  const path = join(folder, 'report.html');
  writeAtomic(path, renderReport(data));
  return path;
}

/** Writes the data of the figures, one file each. */
function writeFigures(folder: string, figures: readonly Figure[]): void {
  const drawn = figures.filter(({ absent }) => absent === undefined);
  if (drawn.length > 0) mkdirSync(join(folder, 'figures'), { recursive: true });
  for (const figure of drawn) writeAtomic(join(folder, figureFile(figure)), figureCsv(figure));
}

function isFragmentRun(run: RunFile | FragmentRunFile): run is FragmentRunFile {
  return 'relations' in run.options;
}

/** Returns the first few drawn pages of each template. */
function withSamplePages(templates: TemplateSummary[], bars: PageBar[]): ReportTemplate[] {
  const samples = templates.map((): ReportTemplate['samplePages'] => []);
  for (const { page, url, ranges } of bars) {
    for (let at = 2; at < ranges.length; at += BAR_STEP) {
      const pages = ranges[at] < 0 ? undefined : samples[ranges[at]];
      if (pages && pages.length < MAX_SAMPLE_PAGES && !pages.some((each) => each.url === url))
        pages.push({ page, url });
    }
  }
  return templates.map((template, at) => ({ ...template, samplePages: samples[at] }));
}

/** Reads the data of a report; waits for `rest` before it reads the history. */
export async function readReportData(output: OutputFolder, rest?: Promise<void>): Promise<ReportData> {
  const { run, detectors } = output;
  const { counts } = run;
  await output.holdPages();
  const sites = await output.sites({ limit: Math.max(1, counts.sites) });
  const pictured = sites.slice(0, MAX_PICTURED_SITES);
  const pictureCount = pictured.length * detectors.length;
  const drawing = output.pictures(
    pictured.map(({ site }) => site),
    { mostBars: barsPerPicture(pictureCount), mostTemplates: MAX_NAMED_TEMPLATES },
  );
  // the database runs one query while the previous answer is processed; both must end before the folder is closed
  const [drawn, studied] = await Promise.allSettled([drawing, readStudy(output, sites)]);
  if (drawn.status === 'rejected') throw drawn.reason;
  if (studied.status === 'rejected') throw studied.reason;
  const pagesOf = new Map(pictured.map(({ site, pages }) => [site, pages]));
  const pictures = drawn.value.map((picture): ReportPicture => {
    const templates = withSamplePages(picture.templates, picture.bars);
    return { ...picture, pages: pagesOf.get(picture.site)!, templates };
  });
  const study = studied.value;
  if (rest) {
    await rest;
    await output.refresh(['history']);
  }
  const history = await readHistory(output);
  return {
    ...(await readRunData(output, run)),
    detectors,
    sites,
    pictures,
    savedBytes: await readSavedBytes(output),
    wireframes: await readWireframes(
      output,
      pictured.map(({ site }) => site),
    ),
    annotated: annotatedPages(output.path),
    ...(history ? { history } : {}),
    study: {
      study,
      figures: [
        ...studyFigures(study),
        sitePictureFigure({ detectors, sites, pictures }),
        ...siteListFigures(study),
        ...(history ? historyFigures(history) : []),
      ].sort(byNumber),
    },
  };
}

async function readSavedBytes(output: OutputFolder): Promise<number> {
  const [row] = await output.ask<{ saved: number | null }>(
    `SELECT sum(total_bytes - size_bytes) AS saved FROM templates
     WHERE pages > 1 AND detector = '${output.detectors[0]}'`,
  );
  return row?.saved ?? 0;
}

/** Returns the data of a report about fragments, which has no labels and so no pictures of sites. */
async function readFragmentData(output: OutputFolder, run: FragmentRunFile): Promise<ReportData> {
  // leave out options of labelling
  const {
    detectors,
    snapshot,
    sample,
    linksBy,
    minSitePages,
    seed,
    markdown,
    annotated,
    described,
    ...options
  } = run.options;
  const empty = {
    detectors: [],
    sites: [],
    pictures: [],
    savedBytes: 0,
    wireframes: [],
    annotated: new Set<number>(),
  };
  return { ...(await readRunData(output, { ...run, options })), ...empty };
}

/** Returns the data that every run has: inputs, options, accounts, problems. */
async function readRunData(
  output: OutputFolder,
  run: Pick<RunFile, 'version' | 'inputs'> & {
    options: Record<string, unknown>;
    counts: Pick<
      RunFile['counts'],
      'captures' | 'pages' | 'skipped' | 'problems' | 'htmlBytes' | 'textBytes' | 'links'
    >;
  },
): Promise<Pick<ReportData, 'version' | 'inputs' | 'options' | 'counts' | 'problems'>> {
  const { counts } = run;
  return {
    version: run.version,
    inputs: run.inputs.map(({ name, sizeBytes, captures }) => ({
      name: basename(name),
      sizeBytes,
      captures,
    })),
    options: shownOptions(run.options),
    counts: {
      captures: counts.captures,
      labelled: counts.pages,
      skipped: counts.skipped,
      htmlBytes: counts.htmlBytes,
      textBytes: counts.textBytes,
      links: counts.links,
    },
    problems: {
      total: Object.values(counts.problems).reduce((sum, count) => sum + count, 0),
      byCode: counts.problems,
      listed: await output.problems({ limit: MAX_PROBLEMS }),
    },
  };
}

/**
 * Returns the options for display: the preset first, nested ones as `dom.lowerShare`. Limits and part sizes are
 * only in run.json.
 */
function shownOptions({
  limits,
  partPages,
  preset,
  ...options
}: Record<string, unknown>): ReportData['options'] {
  const shown: ReportData['options'] = {};
  const open: [string, unknown][] = Object.entries({ preset, ...options }).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [name, value] = next;
    if (Array.isArray(value)) {
      if (value.length > 0) shown[name] = value.map(String).join(', ');
    } else if (typeof value === 'object' && value !== null) {
      const inner = Object.entries(value).map(([key, each]): [string, unknown] => [`${name}.${key}`, each]);
      open.push(...inner.reverse());
    } else if (value !== undefined && value !== null && value !== '') {
      shown[name] = typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
    }
  }
  return shown;
}
