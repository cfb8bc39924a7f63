/** What a run says at its end: the accounting sum, the problems, and the exit code they make. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { FAULT_SKIP_CODES, isOfInput, type Problem } from '../model/problem.ts';
import type { Archive } from '../run/library/open-archive.ts';
import { coloursOf } from './colours.ts';
import type { TalkFlags } from './common-options.ts';
import type { Context } from './context.ts';
import { DONE, DONE_WITH_PROBLEMS, FAILED } from './exit-codes.ts';
import type { Streams } from './streams.ts';

export interface Accounts {
  captures: number;
  /** Labelled pages. */
  pages: number;
  /** Captures that gave no page, by code. */
  skipped: Partial<Record<string, number>>;
  /** Problems by code. */
  problems: Partial<Record<string, number>>;
}

/** Counts a page that was read and then lost, as a problem with a skip code says. */
export function countLostPage({ skipped }: Accounts, { code }: Problem): void {
  if ((FAULT_SKIP_CODES as readonly string[]).includes(code)) skipped[code] = (skipped[code] ?? 0) + 1;
}

/** Adds what reading has counted. */
export function countArchive(accounts: Accounts, { captureCount, skipped }: ArchiveCounts): void {
  accounts.captures += captureCount;
  for (const [code, count] of Object.entries(skipped))
    accounts.skipped[code] = (accounts.skipped[code] ?? 0) + count!;
}

type ArchiveCounts = Pick<Archive, 'captureCount' | 'skipped'>;

/** Says the sum on stderr and sets the exit code. */
export function settleAccounts(
  context: Context,
  accounts: Accounts,
  flags: TalkFlags,
  { done = 'labelled' } = {},
): void {
  const { stderr } = context.streams;
  const problems = total(accounts.problems);
  if (!flags.quiet) {
    stderr.write(`${accountingSum(accounts, done)}\n`);
    if (problems > 0) stderr.write(`${count(problems, 'problem')}: ${listCounts(accounts.problems)}\n`);
    for (const problem of context.unread) tellProblem(stderr, problem);
    if (problems > 0 && accounts.captures === 0) {
      const why = flags.verbose || problems === context.unread.length ? '' : '; -v says why';
      stderr.write(`chaff: nothing could be read${why}\n`);
    }
  }
  const failed = flags.strict || accounts.captures === 0; // nothing could be read at all
  context.exitCode = problems === 0 ? DONE : failed ? FAILED : DONE_WITH_PROBLEMS;
}

/** `captures read 430 = 412 labelled + 18 skipped (12 not-html, 6 http-status)`. */
function accountingSum({ captures, pages, skipped }: Accounts, done = 'labelled'): string {
  const listed = total(skipped) > 0 ? ` (${listCounts(skipped)})` : '';
  return `captures read ${number(captures)} = ${number(pages)} ${done} + ${number(total(skipped))} skipped${listed}`;
}

/** Inputs named at the end. */
const MOST_NAMED = 3;

/**
 * What a run does with each problem: tells it, with -v; or keeps the inputs that could not be read for the end, as who
 * gave them wants to know which, without asking.
 */
export function problemTeller(context: Context, { verbose }: TalkFlags): (problem: Problem) => void {
  return (problem) => {
    if (verbose) tellProblem(context.streams.stderr, problem);
    else if (isOfInput(problem) && context.unread.length < MOST_NAMED) context.unread.push(problem);
  };
}

/** The same with the problems of a folder that a run has written. */
export async function tellProblemsOf(context: Context, folder: string, flags: TalkFlags): Promise<void> {
  const tell = problemTeller(context, flags);
  for await (const row of createInterface({ input: createReadStream(join(folder, 'problems.jsonl')) })) {
    tell(JSON.parse(row) as Problem);
  }
}

/** One problem on one line, for `--verbose`. Control characters of a hostile URL do not reach the terminal. */
export function tellProblem(stderr: Streams['stderr'], problem: Problem): void {
  const { code, message, file, entry, offset, url } = problem;
  const { yellow, dim } = coloursOf(stderr);
  const where = [file, entry, offset].filter((part) => part !== undefined).join(':');
  const line = [where, url].filter(Boolean).join(' ');
  stderr.write(`${yellow(code)} ${printable(message)}${line ? dim(` (${printable(line)})`) : ''}\n`);
}

/** Text of the archive made safe for a terminal. */
export function printable(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\u{fffd}');
}

export function number(value: number): string {
  return value.toLocaleString('en');
}

export function count(value: number, noun: string): string {
  return `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
}

function listCounts(counts: Partial<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([a, m], [b, n]) => n! - m! || (a < b ? -1 : 1))
    .map(([code, value]) => `${number(value!)} ${code}`)
    .join(', ');
}

export function total(counts: Partial<Record<string, number>>): number {
  return Object.values(counts).reduce<number>((sum, value) => sum + (value ?? 0), 0);
}
