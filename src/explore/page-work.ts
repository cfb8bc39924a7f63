/**
 * The work of the explorer on the contents of pages. It runs in threads that a watchdog can end (page-threads.ts), so
 * input and result are plain data, and nothing is kept between two works.
 */

import type { ParsedPage } from '../detect/detector.ts';
import { type JointSiteModel, jointDetector } from '../detect/joint/joint-detector.ts';
import type { JointModel } from '../detect/joint/joint-model.ts';
import { type JudgedBlock, SiteBlockJudge } from '../detect/joint/judged-blocks.ts';
import { makeRange } from '../detect/ranges.ts';
import type { Limits } from '../model/limits.ts';
import type { Page } from '../model/page.ts';
import type { Range } from '../model/range.ts';
import { holdTree, PageArena } from '../parse/page-arena.ts';
import { TextCursor } from '../parse/source-map.ts';
import type { Tree } from '../parse/tree.ts';
import { roleName } from '../report/role-name.ts';
import { PageParser } from '../run/pages/page-parser.ts';
import type { Suspects } from '../run/tasks/task.ts';
import { CaptureReader } from '../study/capture.ts';
import { CaptureComparer, type PageChange } from '../study/compare-captures.ts';
import { renderMarkdown } from '../view/markdown.ts';
import { lineOfText } from '../view/node-path.ts';
import { renderText } from '../view/visible-text.ts';
import { type FramePlace, frameAddresses } from './frame/frame-addresses.ts';
import { readStyle } from './frame/frame-resources.ts';
import { type FramePiece, renderFrame } from './frame/render-frame.ts';
import {
  groupBlocks,
  type LabelRow,
  labelRow,
  marksOf,
  suggestMark,
  uncertaintyOf,
} from './labels/label-page.ts';
import type { DetectorAnswer, LabelAnswer, Mark } from './page-answers.ts';

/** One work: its name, its input, and the pages that it reads. */
export interface ThreadWork<Name extends WorkName = WorkName> {
  name: Name;
  pages: readonly Page[];
  input: WorkInput<Name>;
  job: { limits: Limits };
  /** Pages by number from 1 that ended a thread before. */
  suspects?: Suspects;
}

/** The result of a work, or the reason why its page cannot be used. */
export type WorkResult<Name extends WorkName = WorkName> =
  | { value: WorkValue<Name> }
  | { unreadable: string };

/** What a thread brings along for its works. */
export interface WorkContext {
  /** Called with the number of each page, from 1, before it is parsed. */
  onPage(page: number): void;
  /** Model that suggests marks. @default the model of the package */
  jointModel?: JointModel;
}

/** Names of works. */
export type WorkName = keyof typeof WORKS;
/** Input of a work besides its pages. */
export type WorkInput<Name extends WorkName> = Parameters<(typeof WORKS)[Name]>[1];
/** Value that a work returns. */
export type WorkValue<Name extends WorkName> = ReturnType<(typeof WORKS)[Name]>;

/** Does a work in this thread. */
export function doPageWork(
  { name, pages, input, job, suspects = {} }: ThreadWork,
  { onPage, jointModel }: WorkContext,
): WorkResult {
  const parser = new PageParser(job.limits);
  const open = (index: number): OpenPage => {
    const page = pages[index];
    const suspect = suspects[index + 1];
    if (suspect) throw new UnreadablePage(`${page.url} ${SUSPECTED[suspect]}`);
    onPage(index + 1);
    parser.start();
    const parsed = parser.parse(page);
    if (parsed.kind === 'page') return { page, tree: parsed.tree };
    throw new UnreadablePage(parsed.problems[0]?.message ?? parsed.code);
  };
  onPage(1);
  try {
    const work = WORKS[name] as (pages: OpenPages, input: unknown) => WorkValue<WorkName>;
    return { value: work({ count: pages.length, open, jointModel }, input) };
  } catch (error) {
    if (error instanceof UnreadablePage) return { unreadable: error.message };
    throw error;
  }
}

const SUSPECTED = { 'too-slow': 'takes too long', unreadable: 'ended the thread that read it' };

class UnreadablePage extends Error {}

type OpenPage = ParsedPage & { page: Page };

/** The pages of a work; a tree is valid until the next page is opened. */
interface OpenPages {
  count: number;
  open(index: number): OpenPage;
  jointModel: JointModel | undefined;
}

const WORKS = {
  /** The ranges of each detector with their texts. */
  describe: (
    { open }: OpenPages,
    { verdicts }: { verdicts: readonly DetectorRanges[] },
  ): DetectorAnswer[] => {
    const { tree } = open(0);
    return verdicts.map((verdict) => describeRanges(verdict, tree));
  },
  text: ({ open }: OpenPages, { ranges }: { ranges: readonly Range[] }) => {
    const { page, tree } = open(0);
    return { text: renderText(tree, ranges), markdown: renderMarkdown(tree, ranges, page) };
  },
  /** The document for a frame, with its ranges in colours. */
  frame: (
    { open }: OpenPages,
    { ranges, place }: { ranges: readonly Range[]; place: FramePlace },
  ): string => {
    const { page, tree } = open(0);
    const pieces = ranges.map(
      (range, k): FramePiece => ({ ...range, tint: range.label, why: describeRange(range), number: k }),
    );
    return renderFrame(tree, { ...frameAddresses(place), url: page.url, pieces });
  },
  /** A style sheet for a frame, which has no page. */
  style: (
    _: OpenPages,
    input: { body: Uint8Array; contentType: string; url: string; place: FramePlace },
  ): string => readStyle(input, frameAddresses(input.place).resourceOf),
  /** The changes from the first page to the second. */
  compare: ({ open }: OpenPages, { ranges }: { ranges: readonly Range[] }): PageChange[] => {
    const arena = new PageArena();
    try {
      const before = new CaptureReader().read(holdTree(open(0).tree, arena), { blocks: true });
      const after = new CaptureReader().read(open(1).tree, { blocks: true });
      return new CaptureComparer().compare(after, ranges, before).changes;
    } finally {
      arena.release();
    }
  },
  /** The model of a site, and for each page how uncertain its verdict is. */
  learn: ({ count, open, jointModel }: OpenPages, { site }: { site: string }): LearntQueue => {
    const read: number[] = [];
    let reason = '';
    function* readable(): Generator<ParsedPage> {
      for (let index = 0; index < count; index++) {
        try {
          yield open(index);
          read.push(index);
        } catch (error) {
          if (!(error instanceof UnreadablePage)) throw error;
          reason ||= error.message;
        }
      }
    }
    const detector = jointDetector(jointModel ? { model: jointModel } : {});
    const model = detector.learn(site, readable());
    detector.release?.();
    if (read.length === 0) throw new UnreadablePage(reason);
    const judge = new SiteBlockJudge(model, jointModel);
    try {
      const pages = read.map((index) => {
        const blocks = judge.judge(open(index));
        return {
          index,
          blocks: blocks.length,
          uncertainty: Math.round(uncertaintyOf(blocks) * 10_000) / 10_000,
        };
      });
      return { model, pages, reason };
    } finally {
      judge.release();
    }
  },
  /** The blocks of a page with suggestions and the marks of a saved row. */
  blocks: (
    pages: OpenPages,
    { model, saved }: LabelInput,
  ): Pick<LabelAnswer, 'blocks' | 'groups' | 'marks'> => {
    const { page, tree, blocks } = judged(pages, model);
    return {
      blocks: blocks.map((block) => ({ ...block, suggestion: suggestMark(block) })),
      groups: groupBlocks(tree, blocks),
      marks: marksOf(saved, page, blocks).map((mark) => mark ?? null),
    };
  },
  /** The gold row of a page; only the number of its blocks when that differs from the number of marks. */
  row: (
    pages: OpenPages,
    {
      model,
      marks,
      annotator,
    }: { model: JointSiteModel; marks: readonly (Mark | null)[]; annotator: string },
  ): { blocks: number; row?: LabelRow } => {
    const { page, tree, blocks } = judged(pages, model);
    if (marks.length !== blocks.length) return { blocks: blocks.length };
    const given = marks.map((mark) => mark ?? undefined);
    return { blocks: blocks.length, row: labelRow(page, tree, blocks, { marks: given, annotator }) };
  },
  /** The document for a frame, each block in the colour of its mark. */
  labelFrame: (pages: OpenPages, { model, saved, place }: LabelInput & { place: FramePlace }): string => {
    const { page, tree, blocks } = judged(pages, model);
    const pieces = piecesOf(page, blocks, marksOf(saved, page, blocks));
    return renderFrame(tree, { ...frameAddresses(place), url: page.url, pieces });
  },
};

/** The ranges of one detector. */
export interface DetectorRanges {
  detector: string;
  ranges: readonly Range[];
}

/** A learnt site. */
export interface LearntQueue {
  model: JointSiteModel;
  /** The pages that could be read, by index. */
  pages: { index: number; blocks: number; uncertainty: number }[];
  /** Why the first of the other pages could not be read; '' when all could. */
  reason: string;
}

interface LabelInput {
  model: JointSiteModel;
  saved: LabelRow | undefined;
}

function judged(
  { open, jointModel }: OpenPages,
  model: JointSiteModel,
): OpenPage & { blocks: JudgedBlock[] } {
  const judge = new SiteBlockJudge(model, jointModel);
  try {
    const parsed = open(0);
    return { ...parsed, blocks: judge.judge(parsed) };
  } finally {
    judge.release();
  }
}

/** Returns a description such as `template · menu · on 187 of 200 pages · score 0.94`. */
function describeRange({ label, reason, score, role }: Range): string {
  return [label, role ? roleName(role) : '', reason, `score ${score.toFixed(2)}`]
    .filter((part) => part !== '')
    .join(' · ');
}

const EXCERPT_CHARACTERS = 160;

/** Returns the ranges of a detector with their texts; without texts when the tree is missing. */
export function describeRanges({ detector, ranges }: DetectorRanges, tree?: Tree): DetectorAnswer {
  const none = () => ({ template: 0, slot: 0, content: 0, unsure: 0 });
  const answer: DetectorAnswer = { detector, ranges: [], bytes: none(), text: none() };
  const cursor = tree && new TextCursor(tree);
  let from = 0;
  for (const range of ranges) {
    const to = cursor?.positionOf(range.end) ?? 0;
    const excerpt = tree ? lineOfText(tree, from, to, EXCERPT_CHARACTERS) : '';
    answer.ranges.push({ ...range, excerpt, textBytes: Math.max(0, to - from) });
    answer.bytes[range.label] += range.end - range.start;
    answer.text[range.label] += Math.max(0, to - from);
    from = Math.max(from, to);
  }
  return answer;
}

/** Returns blocks, and the text between them, as pieces of a frame. */
function piecesOf(
  page: Page,
  blocks: readonly JudgedBlock[],
  marks: readonly (Mark | undefined)[],
): FramePiece[] {
  const pieces: FramePiece[] = [];
  let at = 0;
  const push = (end: number, piece: Pick<FramePiece, 'tint' | 'why' | 'number'>) => {
    if (end > at) pieces.push({ ...makeRange(at, end, 'content', 0, '', ''), ...piece });
    at = Math.max(at, end);
  };
  const between = { tint: 'between', why: 'no block of text', number: -1 };
  for (const [k, block] of blocks.entries()) {
    push(block.start, between);
    const mark = marks[k];
    const score = `content score ${block.score.toFixed(2)}`;
    const why =
      mark === undefined ? `not marked · suggestion: ${suggestMark(block)} · ${score}` : `${mark} · ${score}`;
    push(block.end, { tint: mark ?? 'unmarked', why, number: k });
  }
  push(page.source.length, between);
  return pieces;
}
