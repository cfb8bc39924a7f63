/**
 * Archives in, the labelled gold pages out: survey, sample each site, learn, label, render, with any
 * number of detectors side by side over the same trees. Pages without gold serve for learning only. All
 * captures of a site make one snapshot; of several captures of a URL the earliest is used.
 *
 * Sites come one at a time: memory is one site's models and one page.
 */
import type { Detector, ParsedPage, SiteModel } from '../detect/detector.ts';
import { type FloorOptions, labelWithFloors } from '../detect/floors.ts';
import { bottomK } from '../detect/sample.ts';
import { pageKey } from '../model/page-key.ts';
import type { Problem } from '../model/problem.ts';
import { Parser } from '../parse/parser.ts';
import type { SurveyedCapture } from '../read/events.ts';
import type { Input } from '../read/input.ts';
import { closeInputs, openInputs } from '../read/open-inputs.ts';
import { readPageAt, surveyInput } from '../read/read-captures.ts';
import type { ReadOptions } from '../read/read-options.ts';
import { renderText } from '../view/visible-text.ts';
import type { TextPiece } from './blocks.ts';
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
      url: string /** One per detector, in their order. */;
      outputs: PageOutput[];
      leaves?: PageLeaves;
    }
  | { kind: 'skip'; url: string; code: string }
  | { kind: 'problem'; problem: Problem }
  | { kind: 'site'; site: string; learntPages: number };

interface Located {
  input: Input;
  capture: SurveyedCapture;
}

/**
 * Yields every page that has gold, labelled by each detector, site by site in the sites' order. What
 * cannot be read comes as a skip or a problem.
 */
export async function* labelCorpus(
  archives: string[],
  detectors: readonly Detector[],
  gold: ReadonlyMap<string, GoldRow>,
  { samplePages = 200, seed = 0, floors, signal, sectionFinders, ...readOptions }: LabelCorpusOptions = {},
): AsyncGenerator<CorpusEvent> {
  const { inputs, problems } = await openInputs(archives);
  try {
    for (const problem of problems) yield { kind: 'problem', problem };
    yield { kind: 'inputs', paths: inputs.map(({ path }) => path) };
    const sites = new Map<string, Map<string, Located>>();
    for (const input of inputs) yield* surveySites(input, readOptions, sites);

    const reader = new PageReader(readOptions);
    for (const [site, captures] of [...sites].sort(([a], [b]) => (a < b ? -1 : 1))) {
      signal?.throwIfAborted();
      const goldPages = [...captures.values()].filter(({ capture }) => gold.has(capture.url));
      if (goldPages.length === 0) continue;
      const sample = bottomK(
        [...captures.values()].map(({ capture }) => capture),
        Math.max(samplePages, ...detectors.map((detector) => detector.samplePages ?? 0)),
        seed,
        pageKey,
      ).map(({ url }) => captures.get(url)!);
      const sitePages = new Set([...captures.keys()].map(pageKey)).size;
      const models = detectors.map((detector) =>
        detector.learn(site, reader.parseAll(sample.slice(0, detector.samplePages ?? samplePages))),
      );
      yield { kind: 'site', site, learntPages: Math.min(sample.length, samplePages) };
      for (const located of goldPages) {
        // lets the caller's timers and signal be heard
        await new Promise<void>((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
        const parsed = reader.parse(located);
        const { url } = located.capture;
        if (parsed === undefined) {
          yield { kind: 'skip', url, code: reader.skipCode };
          continue;
        }
        const leaves = sectionFinders && findLeaves(parsed.tree);
        const outputs = labelPage(parsed, {
          detectors,
          models,
          sitePages,
          floors,
          hasBlocks: gold.get(url)?.blocks !== undefined,
          leaves,
          sectionFinders,
        });
        yield leaves ? { kind: 'page', url, outputs, leaves } : { kind: 'page', url, outputs };
      }
    }
  } finally {
    closeInputs(inputs);
  }
}

/**
 * Files the captures of an input by site and URL, the earliest of each URL only. By URL and not by page: a row of gold
 * names the capture that was judged.
 */
function* surveySites(
  input: Input,
  readOptions: ReadOptions,
  sites: Map<string, Map<string, Located>>,
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
      if (!known || comesBefore(capture, known.capture)) captures.set(capture.url, { input, capture });
    }
  }
}

function comesBefore(a: SurveyedCapture, b: SurveyedCapture): boolean {
  if (a.time !== b.time) return a.time < b.time;
  if (a.offset !== b.offset) return a.offset < b.offset;
  return a.file < b.file;
}

/** Reads and parses one page at a time, with one parser for all. */
class PageReader {
  readonly #parser: Parser;
  readonly #options: ReadOptions;
  /** Why the latest page could not be had. */
  skipCode = '';

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#parser = new Parser({ limits: options.limits });
  }

  parse({ input, capture }: Located): ParsedPage | undefined {
    const event = readPageAt(input, capture, this.#options);
    if (event.kind !== 'page') {
      this.skipCode = event.kind === 'skip' ? event.code : event.problem.code;
      return undefined;
    }
    const { source, ...page } = event.page;
    try {
      return { page, tree: this.#parser.parse(source) };
    } catch (error) {
      if ((error as { code?: string }).code !== 'too-many-nodes') throw error;
      this.skipCode = 'too-many-nodes';
      return undefined;
    }
  }

  *parseAll(located: readonly Located[]): Generator<ParsedPage> {
    for (const one of located) {
      const parsed = this.parse(one);
      if (parsed) yield parsed;
    }
  }
}

interface LabelPageOptions {
  detectors: readonly Detector[];
  /** One per detector. */
  models: readonly SiteModel[];
  sitePages: number;
  floors?: FloorOptions;
  /** Whether the gold row has blocks, which need the whole text. */
  hasBlocks: boolean;
  leaves?: PageLeaves;
  sectionFinders?: readonly SectionFinder[];
}

function labelPage(
  parsed: ParsedPage,
  { detectors, models, sitePages, floors, hasBlocks, leaves, sectionFinders }: LabelPageOptions,
): PageOutput[] {
  const { url, site } = parsed.page;
  return detectors.map((detector, index) => {
    const { ranges, problem } = labelWithFloors(detector, parsed, models[index], floors);
    const output: PageOutput = {
      url,
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
