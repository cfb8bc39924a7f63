/** The captures of a corpus: how they are ordered, drawn and read. */
import { CAPTURES_TRIED, timeOf, UNDATED } from '../analysis/choose-arms.ts';
import { urlHash } from '../analysis/url-hash.ts';
import type { LabelContext, ParsedPage } from '../detect/detector.ts';
import { compare } from '../model/order.ts';
import { pageKey } from '../model/page-key.ts';
import { holdTree, PageArena } from '../parse/page-arena.ts';
import { Parser } from '../parse/parser.ts';
import type { SurveyedCapture } from '../read/events.ts';
import type { Input } from '../read/input.ts';
import { readPageAt } from '../read/read-captures.ts';
import type { ReadOptions } from '../read/read-options.ts';

export interface Located {
  input: Input;
  capture: SurveyedCapture;
}

/** The captures of a site by URL, the earliest first. */
export type SiteCaptures = Map<string, Located[]>;

/** Whether a capture is the earlier one of its URL. */
export function comesBefore(a: SurveyedCapture, b: SurveyedCapture): boolean {
  if (a.time !== b.time) return a.time < b.time;
  if (a.offset !== b.offset) return a.offset < b.offset;
  return a.file < b.file;
}

/** Captures of the sampled pages in rounds, as the plan of a run draws them: one of each page, then a second, … */
export function sampleCaptures(captures: SiteCaptures, pages: readonly Located[], size: number): Located[] {
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

/** Reads and parses one page at a time. A page holds until this reader reads the next: it is compared with pages of other readers. */
export class PageReader {
  readonly #parser: Parser;
  readonly #options: ReadOptions;
  readonly #arena = new PageArena();
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

/** The captures of a page before and after it, nearest first, read when a detector asks for them. */
export class CaptureReader {
  readonly #before: PageReader;
  readonly #after: PageReader;
  /** Of a site, by page. */
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

/** Several detectors may go over it, each from the start. */
function lazily(reader: PageReader, located: readonly Located[]): Iterable<ParsedPage> {
  return { [Symbol.iterator]: () => reader.parseAll(located) };
}
