/**
 * Labels the pages of archives that have gold: survey, sample of each site, learning, labelling and rendering, with
 * any number of detectors over the same trees. Pages without gold are used for learning only. All captures of a
 * site form one snapshot. A gold row with a time belongs to that capture of its URL, one without a time to the
 * earliest. Detectors learn from the earliest capture of each URL; capture-based detectors learn from several, and
 * get the captures before and after a page.
 *
 * Sites are processed one by one: memory holds the models of one site and one page.
 */

import { urlHash } from '../analysis/byte-hash.ts';
import { CAPTURES_TRIED, timeOf, UNDATED } from '../analysis/choose-arms.ts';
import { type FloorOptions, labelWithFloors } from '../detect/confidence-fallback.ts';
import type { Detector, LabelContext, ParsedPage, SiteModel } from '../detect/detector.ts';
import { bottomK } from '../detect/sample.ts';
import { compare } from '../model/order.ts';
import { pageKey } from '../model/page-key.ts';
import type { Problem } from '../model/problem.ts';
import type { Range } from '../model/range.ts';
import { holdTree, PageArena } from '../parse/page-arena.ts';
import { Parser } from '../parse/parser.ts';
import { closeInputs, openInputs } from '../read/open-inputs.ts';
import type { Input, SurveyedCapture } from '../read/raw-record.ts';
import { readPageAt, surveyInput } from '../read/read-captures.ts';
import type { ReadOptions } from '../read/read-options.ts';
import { renderText } from '../view/visible-text.ts';
import type { TextPiece } from './blocks.ts';
import type { GoldRow } from './gold.ts';
import { readLabelled } from './labelled-page.ts';
import { findLeaves, findTemplateWords, type PageLeaves } from './page-leaves.ts';
import type { SectionFinder } from './page-segments.ts';
import type { PageOutput } from './score-page.ts';

/** Sampling, fallback and output options. */
export interface LabelCorpusOptions extends ReadOptions {
  /** Maximum number of pages per site to learn from. @default 200 */
  samplePages?: number;
  /** Seed of the sample. @default 0 */
  seed?: number;
  /** When the verdict of a site is replaced, and by what. */
  floors?: FloorOptions;
  signal?: AbortSignal;
  /**
   * Learn the site of each page from a group of this many pages that includes the page; groups are formed by seeded
   * hash. @default all pages, up to samplePages
   */
  pagesKnown?: number;
  /** Minimum number of pages of a site; others are left out. @default 1 */
  leastSitePages?: number;
  /** Roles to remove from the text of a page and to add to it, by its gold row. @default none */
  rolesToChange?: (row: GoldRow) => RoleChanges;
  /** One per detector: finds the sections of a page. When set, outputs have the labels of the page's leaves. */
  sectionFinders?: readonly SectionFinder[];
}

/** Roles to remove from and to add to the text of a page. */
interface RoleChanges {
  leaveOut: readonly string[];
  add: readonly string[];
}

/** Input paths, a labelled page, a skip or a problem. */
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
 * Yields each page with gold, labelled by each detector, site by site. Unreadable captures are yielded as skips or
 * problems. `gold` is by URL; `every` yields all pages, with empty rows where there is no gold.
 */
export async function* labelCorpus(
  archives: string[],
  detectors: readonly Detector[],
  gold: GoldByUrl | 'every',
  {
    samplePages = 200,
    seed = 0,
    floors,
    signal,
    pagesKnown,
    leastSitePages = 1,
    rolesToChange = () => ({ leaveOut: [], add: [] }),
    sectionFinders,
    ...readOptions
  }: LabelCorpusOptions = {},
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
      const sitePages = new Set([...captures.keys()].map(pageKey)).size;
      if (sitePages < leastSitePages) continue;
      const sample = bottomK(
        [...captures.values()].map(([{ capture }]) => capture),
        pagesKnown === undefined
          ? Math.max(samplePages, ...detectors.map((detector) => detector.samplePages ?? 0))
          : captures.size,
        seed,
        pageKey,
      ).map(({ url }) => captures.get(url)![0]);
      yield { kind: 'site', site, learntPages: Math.min(sample.length, samplePages) };
      others.enter(captures);
      const groups =
        pagesKnown === undefined
          ? [{ sample, goldPages }]
          : splitSite(sample, goldPages, Math.min(pagesKnown, samplePages));
      for (const group of groups) {
        const captureSample = sampleCaptures(captures, group.sample.slice(0, samplePages), samplePages);
        const models = detectors.map((detector) =>
          detector.learn(
            site,
            reader.parseAll(
              detector.learnsCaptures
                ? captureSample
                : group.sample.slice(0, detector.samplePages ?? samplePages),
            ),
          ),
        );
        for (const { row, located } of group.goldPages) {
          // lets timers and the abort signal of the caller run
          await new Promise<void>((resolve) => setImmediate(resolve));
          signal?.throwIfAborted();
          const parsed = reader.parse(located);
          if (parsed === undefined) {
            yield { kind: 'skip', url: row.url, code: reader.skipCode };
            continue;
          }
          if (row.labels && !readLabelled(row, parsed.tree)) {
            yield { kind: 'skip', url: row.url, code: 'other-blocks' };
            continue;
          }
          const leaves = sectionFinders && findLeaves(parsed.tree);
          const outputs = labelPage(parsed, {
            detectors,
            models,
            sitePages,
            floors,
            captures: others.of(located),
            roles: rolesToChange(row),
            hasBlocks: row.blocks !== undefined,
            leaves,
            sectionFinders,
          });
          yield leaves ? { kind: 'page', row, outputs, leaves } : { kind: 'page', row, outputs };
        }
      }
    }
  } finally {
    reader.release();
    others.release();
    closeInputs(inputs);
  }
}

type GoldByUrl = ReadonlyMap<string, readonly GoldRow[]>;

interface GoldPage {
  row: GoldRow;
  located: Located;
}

/** Returns the captures of gold rows, by URL. */
function findGoldPages(captures: SiteCaptures, gold: GoldByUrl | 'every'): GoldPage[] {
  return [...captures].flatMap(([url, ofUrl]) => {
    if (gold === 'every') return [{ row: { url, site: '', set: '', keep: [], drop: [] }, located: ofUrl[0] }];
    return (gold.get(url) ?? []).flatMap((row) => {
      const { time } = row;
      const located =
        time === undefined ? ofUrl[0] : ofUrl.find(({ capture }) => timeOf(capture.time) === timeOf(time));
      return located ? [{ row, located }] : [];
    });
  });
}

/**
 * Divides the pages of a site into groups of `size`, each with its gold pages; the last group is filled up from the
 * first.
 */
function splitSite(
  pages: readonly Located[],
  goldPages: readonly GoldPage[],
  size: number,
): { sample: Located[]; goldPages: GoldPage[] }[] {
  const groups: { sample: Located[]; goldPages: GoldPage[] }[] = [];
  const groupOf = new Map<string, number>();
  for (let start = 0; start < pages.length; start += size) {
    for (const { capture } of pages.slice(start, start + size))
      groupOf.set(pageKey(capture.url), groups.length);
    const from = Math.max(0, Math.min(start, pages.length - size));
    groups.push({ sample: pages.slice(from, from + size), goldPages: [] });
  }
  for (const page of goldPages) groups[groupOf.get(pageKey(page.row.url))!].goldPages.push(page);
  return groups.filter((group) => group.goldPages.length > 0);
}

/**
 * Sorts the captures of an input by site and URL (not by page key, because a gold row names the labelled capture).
 */
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
  /** One entry per detector. */
  models: readonly SiteModel[];
  sitePages: number;
  floors?: FloorOptions;
  captures: Pick<LabelContext, 'earlier' | 'later'>;
  roles: RoleChanges;
  /** Whether the gold row has blocks, which require the whole text. */
  hasBlocks: boolean;
  leaves?: PageLeaves;
  sectionFinders?: readonly SectionFinder[];
}

function labelPage(parsed: ParsedPage, options: LabelPageOptions): PageOutput[] {
  const { detectors, models, sitePages, floors, captures, roles, hasBlocks, leaves, sectionFinders } =
    options;
  const { url, time, site } = parsed.page;
  return detectors.map((detector, index) => {
    let cross = '';
    const { ranges: labelled, problem } = labelWithFloors(detector, parsed, models[index], floors, {
      ...(detector.wantsCaptures && captures),
      explain: ({ crosses }) => (cross = crosses[0]?.bits ?? ''),
    });
    const ranges = changeRoles(labelled, roles);
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

/**
 * Returns the ranges with removed roles as template, so that no view has their text, and added roles as content.
 * `none` has no roles and keeps everything.
 */
function changeRoles(ranges: Range[], { leaveOut, add }: RoleChanges): Range[] {
  if (leaveOut.length + add.length === 0) return ranges;
  return ranges.map((range) => {
    if (range.role === undefined) return range;
    if (leaveOut.includes(range.role)) return { ...range, label: 'template' };
    return add.includes(range.role) ? { ...range, label: 'content', template: '', reason: '' } : range;
  });
}

/** Splits a marked text: pieces in template brackets are removed, all others kept. */
export function splitMarked(marked: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of marked.matchAll(/⟦(template|unsure): ([^⟦⟧]*)⟧/g)) {
    if (match.index > end) pieces.push({ text: marked.slice(end, match.index), kept: true });
    pieces.push({ text: match[2], kept: match[1] === 'unsure' });
    end = match.index + match[0].length;
  }
  if (end < marked.length) pieces.push({ text: marked.slice(end), kept: true });
  return pieces;
}

/** A capture of a corpus and its location. */
interface Located {
  input: Input;
  capture: SurveyedCapture;
}

/** Captures of a site by URL, earliest first. */
type SiteCaptures = Map<string, Located[]>;

/** True when a capture is the earlier one of its URL. */
function comesBefore(a: SurveyedCapture, b: SurveyedCapture): boolean {
  if (a.time !== b.time) return a.time < b.time;
  if (a.offset !== b.offset) return a.offset < b.offset;
  return a.file < b.file;
}

/**
 * Draws captures of the sampled pages in rounds like the plan of a run: one of each page, then a second one, and so
 * on.
 */
function sampleCaptures(captures: SiteCaptures, pages: readonly Located[], size: number): Located[] {
  const byKey = new Map(pages.map(({ capture }) => [pageKey(capture.url), [] as Located[]]));
  for (const [url, ofUrl] of captures) byKey.get(pageKey(url))?.push(...ofUrl);
  const drawOf = ({ capture }: Located) => urlHash(`${capture.url} ${capture.time}`);
  const ofPages = [...byKey.values()].map((list) =>
    list
      .map((located) => ({ located, draw: drawOf(located) }))
      .sort((a, b) => compare(a.draw, b.draw))
      .map(({ located }) => located),
  );
  const drawn: Located[] = [];
  for (let round = 0; drawn.length < size; round++) {
    const ofRound = ofPages.flatMap((list) => list.slice(round, round + 1));
    if (ofRound.length === 0) break;
    drawn.push(...ofRound);
  }
  return drawn.slice(0, size);
}

/**
 * Reads and parses one page at a time. A page is valid until this reader reads the next one; use several readers to
 * compare pages.
 */
class PageReader {
  readonly #parser: Parser;
  readonly #options: ReadOptions;
  readonly #arena = new PageArena();
  /** Reason why the last page could not be read. */
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
      this.#arena.reset();
      return { page, tree: holdTree(this.#parser.parse(source), this.#arena) };
    } catch (error) {
      if ((error as { code?: string }).code !== 'too-many-nodes') throw error;
      this.skipCode = 'too-many-nodes';
      return undefined;
    }
  }

  /** Gives the memory back. */
  release(): void {
    this.#arena.release();
  }

  *parseAll(located: readonly Located[]): Generator<ParsedPage> {
    for (const one of located) {
      const parsed = this.parse(one);
      if (parsed) yield parsed;
    }
  }
}

/** Reads the captures before and after a page, nearest first, when a detector requests them. */
class CaptureReader {
  readonly #before: PageReader;
  readonly #after: PageReader;
  /** Captures of the current site, by page. */
  #byKey = new Map<string, Located[]>();

  constructor(options: ReadOptions) {
    this.#before = new PageReader(options);
    this.#after = new PageReader(options);
  }

  /** Gives the memory back. */
  release(): void {
    this.#before.release();
    this.#after.release();
  }

  enter(captures: SiteCaptures): void {
    this.#byKey = new Map();
    for (const located of [...captures.values()].flat()) {
      const key = pageKey(located.capture.url);
      const known = this.#byKey.get(key);
      if (known) known.push(located);
      else this.#byKey.set(key, [located]);
    }
  }

  of({ capture }: Located): Pick<LabelContext, 'earlier' | 'later'> {
    const time = timeOf(capture.time);
    const dated = (this.#byKey.get(pageKey(capture.url)) ?? [])
      .map((located) => ({ located, time: timeOf(located.capture.time) }))
      .filter((one) => one.time !== UNDATED && time !== UNDATED && one.time !== time)
      .sort((a, b) => Math.abs(a.time - time) - Math.abs(b.time - time));
    const nearest = (wanted: (other: number) => boolean) =>
      dated
        .filter((one) => wanted(one.time))
        .slice(0, CAPTURES_TRIED)
        .map(({ located }) => located);
    return {
      earlier: lazily(
        this.#before,
        nearest((other) => other < time),
      ),
      later: lazily(
        this.#after,
        nearest((other) => other > time),
      ),
    };
  }
}

/** Several detectors can iterate over it, each from the start. */
function lazily(reader: PageReader, located: readonly Located[]): Iterable<ParsedPage> {
  return { [Symbol.iterator]: () => reader.parseAll(located) };
}
