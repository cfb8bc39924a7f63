/**
 * Archives in, the labelled gold pages out: survey, sample each site, learn, label, render, with any
 * number of detectors side by side over the same trees. Pages without gold serve for learning only. All
 * captures of a site make one snapshot. A row of gold with a time is of that capture of its URL, one without of the
 * earliest. Detectors learn from the earliest capture of each URL; those that want captures learn from several, and
 * are given those before and after a page.
 *
 * Sites come one at a time: memory is one site's models and one page.
 */
import { timeOf } from '../analysis/choose-arms.ts';
import { type FloorOptions, labelWithFloors } from '../detect/confidence-fallback.ts';
import type { Detector, LabelContext, ParsedPage, SiteModel } from '../detect/detector.ts';
import { bottomK } from '../detect/sample.ts';
import { pageKey } from '../model/page-key.ts';
import type { Problem } from '../model/problem.ts';
import type { Input } from '../read/input.ts';
import { closeInputs, openInputs } from '../read/open-inputs.ts';
import { surveyInput } from '../read/read-captures.ts';
import type { ReadOptions } from '../read/read-options.ts';
import { renderText } from '../view/visible-text.ts';
import type { TextPiece } from './blocks.ts';
import {
  CaptureReader,
  comesBefore,
  type Located,
  PageReader,
  type SiteCaptures,
  sampleCaptures,
} from './corpus-captures.ts';
import type { GoldRow } from './gold.ts';
import { findLeaves, findTemplateWords, type PageLeaves } from './page-leaves.ts';
import type { PageOutput } from './score-page.ts';
import type { SectionFinder } from './section-finder.ts';

export interface LabelCorpusOptions extends ReadOptions {
  /** Most pages per site to learn from. @default 200 */
  samplePages?: number;
  /** Seed of the sample. @default 0 */
  seed?: number;
  /** When a site's verdict does not hold, and whose does then. */
  floors?: FloorOptions;
  signal?: AbortSignal;
  /**
   * One per detector: into which sections it cuts a page. When given, outputs tell the labels of the page's leaves.
   */
  sectionFinders?: readonly SectionFinder[];
}

export type CorpusEvent =
  | { kind: 'inputs' /** Files and folders the archives were found in. */; paths: string[] }
  | {
      kind: 'page';
      row: GoldRow /** One per detector, in their order. */;
      outputs: PageOutput[];
      leaves?: PageLeaves;
    }
  | { kind: 'skip'; url: string; code: string }
  | { kind: 'problem'; problem: Problem }
  | { kind: 'site'; site: string; learntPages: number };

/**
 * Yields every page that has gold, labelled by each detector, site by site in the sites' order. What
 * cannot be read comes as a skip or a problem. `gold` is by URL.
 */
export async function* labelCorpus(
  archives: string[],
  detectors: readonly Detector[],
  gold: ReadonlyMap<string, readonly GoldRow[]>,
  { samplePages = 200, seed = 0, floors, signal, sectionFinders, ...readOptions }: LabelCorpusOptions = {},
): AsyncGenerator<CorpusEvent> {
  const { inputs, problems } = await openInputs(archives);
  const reader = new PageReader(readOptions);
  const others = new CaptureReader(readOptions);
  try {
    for (const problem of problems) yield { kind: 'problem', problem };
    yield { kind: 'inputs', paths: inputs.map(({ path }) => path) };
    const sites = new Map<string, SiteCaptures>();
    for (const input of inputs) yield* surveySites(input, readOptions, sites);

    for (const [site, captures] of [...sites].sort(([a], [b]) => (a < b ? -1 : 1))) {
      signal?.throwIfAborted();
      for (const ofUrl of captures.values())
        ofUrl.sort((a, b) => (comesBefore(a.capture, b.capture) ? -1 : 1));
      const goldPages = findGoldPages(captures, gold);
      if (goldPages.length === 0) continue;
      const sample = bottomK(
        [...captures.values()].map(([{ capture }]) => capture),
        Math.max(samplePages, ...detectors.map((detector) => detector.samplePages ?? 0)),
        seed,
        pageKey,
      ).map(({ url }) => captures.get(url)![0]);
      const captureSample = sampleCaptures(captures, sample.slice(0, samplePages), samplePages);
      const sitePages = new Set([...captures.keys()].map(pageKey)).size;
      const models = detectors.map((detector) =>
        detector.learn(
          site,
          reader.parseAll(
            detector.wantsCaptures ? captureSample : sample.slice(0, detector.samplePages ?? samplePages),
          ),
        ),
      );
      yield { kind: 'site', site, learntPages: Math.min(sample.length, samplePages) };
      others.enter(captures);
      for (const { row, located } of goldPages) {
        // lets the caller's timers and signal be heard
        await new Promise<void>((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
        const parsed = reader.parse(located);
        if (parsed === undefined) {
          yield { kind: 'skip', url: row.url, code: reader.skipCode };
          continue;
        }
        const leaves = sectionFinders && findLeaves(parsed.tree);
        const outputs = labelPage(parsed, {
          detectors,
          models,
          sitePages,
          floors,
          captures: others.of(located),
          hasBlocks: row.blocks !== undefined,
          leaves,
          sectionFinders,
        });
        yield leaves ? { kind: 'page', row, outputs, leaves } : { kind: 'page', row, outputs };
      }
    }
  } finally {
    reader.release();
    others.release();
    closeInputs(inputs);
  }
}

/** The captures that rows of gold are of, URL by URL. */
function findGoldPages(
  captures: SiteCaptures,
  gold: ReadonlyMap<string, readonly GoldRow[]>,
): { row: GoldRow; located: Located }[] {
  return [...captures].flatMap(([url, ofUrl]) =>
    (gold.get(url) ?? []).flatMap((row) => {
      const { time } = row;
      const located =
        time === undefined ? ofUrl[0] : ofUrl.find(({ capture }) => timeOf(capture.time) === timeOf(time));
      return located ? [{ row, located }] : [];
    }),
  );
}

/** Files the captures of an input by site and URL. By URL and not by page: a row of gold names the capture that was judged. */
function* surveySites(
  input: Input,
  readOptions: ReadOptions,
  sites: Map<string, SiteCaptures>,
): Generator<CorpusEvent> {
  for (const event of surveyInput(input, readOptions)) {
    if (event.kind === 'problem') {
      yield event;
    } else if (event.kind === 'skip') {
      yield { kind: 'skip', url: event.capture.url, code: event.code };
    } else if (event.capture.revisit) {
      yield { kind: 'skip', url: event.capture.url, code: 'revisit' };
    } else {
      const { capture } = event;
      let captures = sites.get(capture.site);
      if (!captures) sites.set(capture.site, (captures = new Map()));
      const known = captures.get(capture.url);
      if (known) known.push({ input, capture });
      else captures.set(capture.url, [{ input, capture }]);
    }
  }
}

interface LabelPageOptions {
  detectors: readonly Detector[];
  /** One per detector. */
  models: readonly SiteModel[];
  sitePages: number;
  floors?: FloorOptions;
  captures: Pick<LabelContext, 'earlier' | 'later'>;
  /** Whether the gold row has blocks, which need the whole text. */
  hasBlocks: boolean;
  leaves?: PageLeaves;
  sectionFinders?: readonly SectionFinder[];
}

function labelPage(
  parsed: ParsedPage,
  { detectors, models, sitePages, floors, captures, hasBlocks, leaves, sectionFinders }: LabelPageOptions,
): PageOutput[] {
  const { url, time, site } = parsed.page;
  return detectors.map((detector, index) => {
    let cross = '';
    const { ranges, problem } = labelWithFloors(detector, parsed, models[index], floors, {
      ...(detector.wantsCaptures && captures),
      explain: ({ crosses }) => (cross = crosses[0]?.bits ?? ''),
    });
    const output: PageOutput = {
      url,
      time,
      cross,
      site,
      sitePages,
      text: renderText(parsed.tree, ranges),
      pieces: hasBlocks ? splitMarked(renderText(parsed.tree, ranges, { mark: true })) : undefined,
      fellBack: problem !== undefined,
    };
    if (leaves && sectionFinders) {
      output.templateWords = findTemplateWords(leaves, ranges);
      output.sections = sectionFinders[index](parsed, leaves, ranges);
    }
    return output;
  });
}

/** The pieces of a marked text: what stands in template brackets is gone, all else kept. */
export function splitMarked(marked: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of marked.matchAll(/⟦(template|unsure): ([^⟧]*)⟧/g)) {
    if (match.index > end) pieces.push({ text: marked.slice(end, match.index), kept: true });
    pieces.push({ text: match[2], kept: match[1] === 'unsure' });
    end = match.index + match[0].length;
  }
  if (end < marked.length) pieces.push({ text: marked.slice(end), kept: true });
  return pieces;
}
