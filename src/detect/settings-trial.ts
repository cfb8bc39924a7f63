/**
 * What settings of the text detector cost and find on the sampled pages of a site, as in Figure 1 of Gibson, Punera
 * and Tomkins, and the dom detector beside them. Their cost is given as the windows to count, as the paper's
 * running time went, and the same on every machine; for dom in nodes. Seconds are measured beside it, since much of
 * what there is to count is ruled out beforehand here.
 */
import { TextWindows } from '../analysis/text-windows.ts';
import type { Detector, ParsedPage, SiteModel } from './detector.ts';
import { domDetector } from './dom-detector.ts';
import type { DomOptions } from './dom-settings.ts';
import { textBytesByLabel } from './ranges.ts';
import { textDetector } from './text-detector.ts';
import { checkTextOptions, parseTextSettings } from './text-settings.ts';

/** The paper's choice and its fast one, other windows and densities, and smaller samples. */
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

export interface SettingsTrial {
  /** Pages they were learnt from. */
  pages: number;
  /** Windows there are to count on them; nodes for dom. */
  windows: number;
  /** Share of the text inside templates, the mean over the pages of the whole sample. */
  textShare: number;
  /** Seconds that learning took. */
  learnSeconds: number;
}

/** Tries settings W.F.D.P on a site; `pages` gives the sample as often as it is asked. */
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

/** The name of the row of the dom detector among those of settings. */
export const DOM_TRIAL = 'dom';

/** The same of the dom detector, whose cost goes by the nodes of the pages. */
export function tryDom(site: string, options: DomOptions, pages: () => Iterable<ParsedPage>): SettingsTrial {
  let nodes = 0;
  for (const { tree } of pages()) nodes += tree.nodeCount;
  return { ...tryDetector(domDetector(options), site, { sample: pages, pages }), windows: nodes };
}

/** What a detector finds on pages when it has learnt from some of them. */
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
    if (all === 0) continue; // of no text there is no share
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
