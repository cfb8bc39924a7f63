/**
 * Pages that are handed to a thread one batch at a time: each is parsed, judged and rendered there, where a watchdog can
 * end the thread. Commands that take pages as they come (`page`, `--model`) work so; other runs read their pages
 * in the thread.
 */
import type { SiteModel } from '../../detect/detector.ts';
import type { Boxes } from '../../layout/boxes.ts';
import type { Limits } from '../../model/limits.ts';
import type { Page } from '../../model/page.ts';
import type { Problem, SkipCode } from '../../model/problem.ts';
import type { SiteRule } from '../../model/site.ts';
import { type JudgeOptions, judgeWork } from '../library/judge-pages.ts';
import { type LabelOptions, labelWork } from '../library/label-pages.ts';
import { SiteModels } from '../library/learn-pages.ts';
import { encodeJudged } from '../sinks/page-rows.ts';
import { RowStream } from '../sinks/row-sink.ts';
import type { RowsOutput, Suspects } from '../tasks/task.ts';
import { skipSuspect } from './open-page.ts';
import { PageParser, type PageWork, type SkippedPage } from './page-parser.ts';

/** What a thread does with all pages that are handed to it. */
export type PageSetup = { limits: Limits; output: RowsOutput } & (
  | {
      kind: 'label';
      models: SiteModel[];
      siteRule: SiteRule;
      options: Pick<LabelOptions, 'detectorOptions' | 'floors' | 'explain'>;
    }
  | { kind: 'judge'; options: Omit<JudgeOptions, 'layout' | 'limits' | 'signal' | 'onProblem'> }
);

/** A page that is handed to a thread. */
export interface HandedPage {
  /** Number of the page in the run, from 1. */
  page: number;
  capture: Page;
  /** Boxes that a browser has measured, and its problem with the page. */
  boxes?: Boxes;
  problem?: Problem;
}

/** The rows of a page, or the code of the reason why it has none. */
export interface HandedAnswer {
  rows: Uint8Array[];
  skipped?: SkipCode;
  problems: Problem[];
}

/** Pages for one thread. */
export interface HandedPages {
  pages: HandedPage[];
  suspects?: Suspects;
  job: { limits: Limits };
}

/** Answers pages in order; `onPage` gets the number of each before work on it begins. */
export function answerPages(
  { pages, suspects = {} }: HandedPages,
  setup: PageSetup,
  onPage: (page: number) => void,
): HandedAnswer[] {
  const answer = answererOf(setup);
  const answers = pages.map((handed) => {
    const { page, capture } = handed;
    if (page in suspects) return answerOf(skipSuspect(capture, suspects[page]));
    onPage(page);
    return answer(handed);
  });
  onPage(0);
  return answers;
}

type Answerer = (handed: HandedPage) => HandedAnswer;

/** By setup: models are opened once for each thread. */
const answerers = new WeakMap<PageSetup, Answerer>();

function answererOf(setup: PageSetup): Answerer {
  let answerer = answerers.get(setup);
  if (!answerer) answerers.set(setup, (answerer = makeAnswerer(setup)));
  return answerer;
}

function makeAnswerer(setup: PageSetup): Answerer {
  const parser = new PageParser(setup.limits);
  const render = setup.kind === 'label' ? labelledRows(setup) : judgedRows(setup);
  return ({ page, capture, boxes, problem }) => {
    const done = parser.process(capture, render(capture, page), boxes);
    if (problem) done.problems.unshift(problem);
    return done.kind === 'done' ? { rows: done.result, problems: done.problems } : answerOf(done);
  };
}

function answerOf({ code, problems }: SkippedPage): HandedAnswer {
  return { rows: [], skipped: code, problems };
}

/** The work on a page that ends with its rows. */
type Render = (page: Page, number: number) => PageWork<Uint8Array[]>;

function labelledRows({ models, siteRule, options, output }: PageSetup & { kind: 'label' }): Render {
  const { failure, work } = labelWork(new SiteModels(models, { siteRule }), options);
  const rows = new RowStream(output);
  return (page, number) => ({
    failure,
    work(parsed) {
      const { result, problems } = work(parsed);
      const { ranges, detector, names, findings, explanation } = result;
      const verdicts = [{ detector, ranges, explanation }];
      const labelled = { page, tree: parsed.tree, names, findings, number, snapshot: '', verdicts };
      return { result: rows.encode(labelled), problems };
    },
  });
}

function judgedRows({ options, output }: PageSetup & { kind: 'judge' }): Render {
  const { failure, work } = judgeWork(options);
  return (page, number) => ({
    failure,
    work(parsed, boxes) {
      const judged = { page, tree: parsed.tree, ...work(parsed, boxes).result };
      return { result: [encodeJudged(judged, number, output)] };
    },
  });
}
