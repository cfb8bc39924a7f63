/** The end of a command: the accounting sum, the problems, and the exit code. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Option } from 'commander';
import { countOf, formatCount } from '../model/count-of.ts';
import { isLoss, isOfInput, type Problem } from '../model/problem.ts';
import { type Accounts, total } from '../model/totals.ts';
import type { OutputFlags } from './common-options.ts';
import { type Context, DONE, DONE_WITH_LOSSES, FAILED } from './context.ts';
import type { Streams } from './streams.ts';
import { coloursOf } from './terminal.ts';

/** Flags that the summary depends on; those of filters are given where a command has them. */
export interface SummaryFlags extends OutputFlags {
  include?: string[];
  exclude?: string[];
  waczPages?: string;
  minSitePages?: number;
  drawSites?: number;
}

/** What a summary says besides the accounts. */
interface SummaryOptions {
  /** What was done with the pages. @default 'labelled' */
  done?: string;
  /** Whether a run without pages succeeds. @default false */
  mayBeEmpty?: boolean;
  /** Number of pages of the largest site, if sites were left out. */
  largestSite?: number;
}

/** Prints the sum on stderr and sets the exit code, which is other than 0 if input was lost or no page was found. */
export function printSummary(
  context: Context,
  totals: Accounts,
  flags: SummaryFlags,
  { done = 'labelled', mayBeEmpty = false, largestSite }: SummaryOptions = {},
): void {
  const { stderr } = context.streams;
  const codes = Object.entries(totals.problems);
  const losses = Object.fromEntries(codes.filter(([code]) => isLoss(code)));
  const notes = Object.fromEntries(codes.filter(([code]) => !isLoss(code)));
  const lossCount = total(losses);
  const isUnread = totals.captures === 0 && lossCount > 0;
  if (isUnread && lossCount === context.unread.length) {
    // one line per fact
    for (const { file = '', message } of context.unread)
      stderr.write(`chaff: ${printable(`${file}: ${message}`)}\n`);
  } else {
    if (!flags.quiet) {
      stderr.write(`${accountingSum(totals, done)}\n`);
      if (lossCount > 0) stderr.write(`${countOf(lossCount, 'problem')}: ${listCounts(losses)}\n`);
      for (const code of Object.keys(losses)) stderr.write(describeLimits(code, flags));
      if (total(notes) > 0) stderr.write(`${countOf(total(notes), 'note')}: ${listCounts(notes)}\n`);
      for (const problem of context.unread) printProblem(stderr, problem);
    }
    if (isUnread) stderr.write(`chaff: nothing could be read${flags.verbose ? '' : '; -v says why'}\n`);
    else if (totals.pages === 0 && !(mayBeEmpty && flags.quiet)) {
      stderr.write(`chaff: ${printable(describeNoPages(totals, flags, largestSite))}\n`);
    }
  }
  const isEmpty = totals.pages === 0 && !mayBeEmpty;
  const isLossFatal = flags.strict || totals.captures === 0;
  if (isEmpty || (lossCount > 0 && isLossFatal)) context.exitCode = FAILED;
  else context.exitCode = lossCount > 0 ? DONE_WITH_LOSSES : DONE;
}

/** The options of the limits behind some losses. */
const LIMITS_OF: Record<string, string[]> = {
  'too-large': ['--max-page-bytes', '--max-record-bytes'],
  'too-many-nodes': ['--max-nodes'],
  'too-many-encodings': ['--max-encodings'],
  'ratio-exceeded': ['--max-ratio'],
  'too-slow': ['--max-page-ms'],
};

/** `too-large: over --max-page-bytes 8,388,608 or --max-record-bytes 268,435,456`; '' for other losses. */
function describeLimits(code: string, flags: object): string {
  if (!Object.hasOwn(LIMITS_OF, code)) return '';
  const limits = LIMITS_OF[code].map((flag) => {
    const value = (flags as Record<string, unknown>)[new Option(flag).attributeName()];
    return typeof value === 'number' ? `${flag} ${formatCount(value)}` : flag;
  });
  return `${code}: over ${limits.join(' or ')}\n`;
}

/** For a run without pages: what most captures are, and what to do about it. */
const NO_PAGES: Record<string, string> = {
  'http-status': 'are errors or redirects by their HTTP status; --statuses all takes them as pages too',
  'not-html': 'are not HTML: images, scripts, documents and so on',
  filtered: 'are left out',
  empty: 'are empty',
  'no-place': 'have no place in a file that CDXJ could name',
  superseded: 'have a later capture of the same URL; --captures all takes every one',
};

/** Explains why a run found no pages: by the option that left them out, else by the most frequent reason. */
function describeNoPages({ captures, skipped }: Accounts, flags: SummaryFlags, largestSite?: number): string {
  if (captures === 0) return 'no pages: the input holds no captures of web pages';
  const { minSitePages = 1 } = flags;
  if (largestSite !== undefined && largestSite < minSitePages) {
    const most = `${countOf(largestSite, 'page')}, where captures of one URL are one page`;
    return `no pages: --min-site-pages ${minSitePages} leaves out every site; the largest has ${most}`;
  }
  const filters = filtersOf(flags, largestSite !== undefined);
  const byFrequency = Object.entries(skipped).sort(([, m], [, n]) => n - m);
  // pages that an option left out would be there without it, however many images there are
  const filtered = byFrequency.find(([code]) => code === 'filtered' && filters.length > 0);
  const [code, count] = filtered ?? byFrequency[0];
  const reason = filtered
    ? `are left out by ${filters.join(' or ')}`
    : (NO_PAGES[code] ?? `could not be read (${code}); -v lists them`);
  const many = reason
    .replace(/^are /, count === 1 ? 'is ' : 'are ')
    .replace(/^have /, count === 1 ? 'has ' : 'have ');
  return `no pages: ${formatCount(count)} of ${countOf(captures, 'capture')} ${many}`;
}

/** The options given that leave out pages; those that choose sites only if sites were left out. */
function filtersOf(flags: SummaryFlags, hasLeftOutSites: boolean): string[] {
  const { include = [], exclude = [], waczPages, minSitePages = 1, drawSites } = flags;
  const filters = [...include.map((one) => `--include ${one}`), ...exclude.map((one) => `--exclude ${one}`)];
  if (waczPages === 'listed') filters.push('--wacz-pages listed');
  if (hasLeftOutSites && minSitePages > 1) filters.push(`--min-site-pages ${minSitePages}`);
  if (hasLeftOutSites && drawSites !== undefined) filters.push(`--draw-sites ${drawSites}`);
  return filters;
}

/** `captures read 430 = 412 labelled + 18 skipped (12 not-html, 6 http-status)`. */
function accountingSum({ captures, pages, skipped }: Accounts, done: string): string {
  const listed = total(skipped) > 0 ? ` (${listCounts(skipped)})` : '';
  return `captures read ${formatCount(captures)} = ${formatCount(pages)} ${done} + ${formatCount(total(skipped))} skipped${listed}`;
}

/** Maximum number of inputs that are named at the end. */
const MAX_NAMED = 3;

/** Returns a function that prints problems with -v; without it, unreadable inputs are kept and named at the end. */
export function problemPrinter(context: Context, { verbose }: OutputFlags): (problem: Problem) => void {
  return (problem) => {
    if (verbose) printProblem(context.streams.stderr, problem);
    else if (isOfInput(problem) && context.unread.length < MAX_NAMED) context.unread.push(problem);
  };
}

/** Passes the problems of an output folder to `problemPrinter`. */
export async function printProblems(context: Context, folder: string, flags: OutputFlags): Promise<void> {
  const print = problemPrinter(context, flags);
  for await (const row of createInterface({ input: createReadStream(join(folder, 'problems.jsonl')) })) {
    print(JSON.parse(row) as Problem);
  }
}

/** Prints one problem on one line. Control characters of a hostile URL do not reach the terminal. */
export function printProblem(stderr: Streams['stderr'], problem: Problem): void {
  const { code, message, file, entry, offset, url } = problem;
  const { yellow, dim } = coloursOf(stderr);
  const where = [file, entry, offset].filter((part) => part !== undefined).join(':');
  const line = [where, url].filter(Boolean).join(' ');
  stderr.write(`${yellow(code)} ${printable(message)}${line ? dim(` (${printable(line)})`) : ''}\n`);
}

/** Replaces the control characters of archived text. */
export function printable(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\u{fffd}');
}

function listCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([code, value]) => `${formatCount(value)} ${code}`)
    .join(', ');
}
