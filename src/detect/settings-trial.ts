/**
 * Measures the cost and yield of settings of the text detector on the sampled pages of a site, as in Figure 1
 * of Gibson, Punera and Tomkins, and of the dom detector. Cost is the number of windows to count, which
 * determined the paper's running time and is the same on every machine; for dom it is the number of nodes.
 * Seconds are measured too, because this program rules out most windows without counting them.
 */
import { TextWindows } from '../analysis/text-windows.ts';
import type { Detector, ParsedPage, SiteModel } from './detector.ts';
import { domDetector } from './dom-detector.ts';
import type { DomOptions } from './dom-settings.ts';
import { textBytesByLabel } from './ranges.ts';
import { textDetector } from './text-detector.ts';
import { checkTextOptions, parseTextSettings } from './text-settings.ts';

/**
 * Settings to compare: the paper's choice and its fast one, other windows and densities, and smaller samples.
 */
export const COMPARED_SETTINGS: readonly string[] = [
  '32.10.0.200',
  '32.10.40.200',
  '16.10.0.200',
  '64.10.0.200',
  '32.10.20.200',
  '32.10.80.200',
  '64.10.80.200',
  '32.5.40.100',
  '32.3.40.50',
];

/** Result of one trial. */
export interface SettingsTrial {
  /** Number of pages that were learnt from. */
  pages: number;
  /** Number of windows to count on these pages; for dom, of nodes. */
  windows: number;
  /** Share of the text inside templates, as the mean over the pages of the whole sample. */
  textShare: number;
  /** Time that learning took, in seconds. */
  learnSeconds: number;
}

/** Tries settings W.F.D.P on a site; `pages` returns the sample each time it is called. */
export function trySettings(
  site: string,
  settings: string,
  pages: () => Iterable<ParsedPage>,
): SettingsTrial {
  const options = checkTextOptions(parseTextSettings(settings));
  const sample = () => first(options.samplePages, pages());
  return {
    ...tryDetector(textDetector(options), site, { sample, pages }),
    windows: windowsToCount(sample(), options),
  };
}

/** Name of the row of the dom detector among the rows of settings. */
export const DOM_TRIAL = 'dom';

/** Tries the dom detector, whose cost is the number of nodes. */
export function tryDom(site: string, options: DomOptions, pages: () => Iterable<ParsedPage>): SettingsTrial {
  let nodes = 0;
  for (const { tree } of pages()) nodes += tree.nodeCount;
  return { ...tryDetector(domDetector(options), site, { sample: pages, pages }), windows: nodes };
}

/** Learns from some pages and measures how much of the whole sample is template. */
function tryDetector<Model extends SiteModel>(
  detector: Detector<Model>,
  site: string,
  { sample, pages }: Record<'sample' | 'pages', () => Iterable<ParsedPage>>,
): Omit<SettingsTrial, 'windows'> {
  const startedMs = performance.now();
  const model = detector.learn(site, sample());
  const learnSeconds = (performance.now() - startedMs) / 1000;
  let shares = 0;
  let count = 0;
  for (const page of pages()) {
    const bytes = textBytesByLabel(page.tree, detector.label(page, model));
    const all = bytes.template + bytes.content + bytes.unsure;
    if (all === 0) continue; // pages without text have no share
    shares += bytes.template / all;
    count++;
  }
  return {
    pages: model.pagesLearnt,
    textShare: count === 0 ? 0 : shares / count,
    learnSeconds,
  };
}

function windowsToCount(
  pages: Iterable<ParsedPage>,
  { windowCharacters, density }: { windowCharacters: number; density: number },
): number {
  const windows = new TextWindows(windowCharacters, density);
  let total = 0;
  for (const { tree } of pages) total += windows.count(tree.text, tree.textLength);
  windows.release();
  return total;
}

function* first<T>(most: number, items: Iterable<T>): Generator<T> {
  let count = 0;
  for (const item of items) {
    if (count++ === most) return;
    yield item;
  }
}
