/**
 * Surveys one input: finds its captures and their locations without decoding or keeping bodies. It unpacks the input
 * once, or only the start of each page where the ends of gzip members may be guessed. With the survey, samples,
 * snapshots and revisits are known before any page is parsed, whatever the order of the captures.
 */
import { statSync } from 'node:fs';
import { urlHash } from '../../analysis/byte-hash.ts';
import { PageKeys } from '../../model/page-key.ts';
import type { Problem } from '../../model/problem.ts';
import { isSelected } from '../../model/url-filter.ts';
import { followReads } from '../../read/byte-source.ts';
import { type SurveyGuesses, surveyInput } from '../../read/read-captures.ts';
import { WrongGuess } from '../../read/record-context.ts';
import { InputDigest } from '../../store/input-digest.ts';
import { SurveyPart } from '../../store/survey-part.ts';
import { commitTask } from '../../store/task-parts.ts';
import { readOptionsOfJob, readsUnselected, urlFilterOf } from '../job.ts';
import type { SurveyTask, TaskContext, TaskCounts } from './task.ts';
import { TaskRecord } from './task-record.ts';

/** Captures between two pauses of the thread. */
const PAUSE_CAPTURES = 500;

/** Surveys one input and writes its captures; runs a `SurveyTask`. */
export async function surveyCaptures(task: SurveyTask, context: TaskContext): Promise<TaskCounts> {
  if (!task.guess) return survey(task, context);
  try {
    return await survey(task, context, { count: 0 });
  } catch (error) {
    if (!(error instanceof WrongGuess)) throw error;
    return survey(task, context);
  }
}

async function survey(task: SurveyTask, context: TaskContext, guesses?: SurveyGuesses): Promise<TaskCounts> {
  const { job, input: ordinal } = task;
  const input = task.inputs[ordinal];
  const record = new TaskRecord();
  const { counts, clock } = record;
  await commitTask(task, async (draft) => {
    const part = new SurveyPart({ draft, input: ordinal });
    const { size, mtimeMs } = statSync(input.path);
    let isChecked = true;
    const addProblem = (problem: Problem) => {
      if (problem.code === 'bad-gzip') isChecked = false;
      record.addProblem(problem);
    };
    const keys = new PageKeys();
    const digest = new InputDigest(input.path);
    const stopFollowing = followReads(input.path, (bytes, position) => digest.take(bytes, position));
    const selection = readsUnselected(job) ? urlFilterOf(job) : undefined;
    let sincePause = 0;
    for (const event of surveyInput(input, readOptionsOfJob(job), guesses)) {
      if (event.kind === 'problem') {
        addProblem(event.problem);
        continue;
      }
      const { capture } = event;
      const isWanted = !selection || isSelected(capture.url, selection);
      if (isWanted) for (const problem of event.problems) addProblem(problem);
      counts.pages++;
      const isPage = event.kind === 'page';
      const full = part.add({
        capture,
        site: isPage ? event.capture.site : '',
        urlHash: isPage ? urlHash(capture.url, job.seed) : 0,
        pageHash: isPage ? urlHash(keys.of(capture.url)) : 0,
        // unselected pages are learnt from; other unselected captures are ignored
        skip: isPage ? '' : isWanted ? event.code : 'filtered',
        revisit: isPage ? event.capture.revisit : undefined,
      });
      if (full) {
        clock.lap('read');
        part.flush();
        clock.lap('write');
      }
      if (++sincePause === PAUSE_CAPTURES) {
        sincePause = 0;
        await context.pause();
      }
    }
    stopFollowing();
    counts.inputDigest = digest.finish();
    if (guesses && guesses.count > 0) counts.guessed = true;
    else if (isChecked) counts.checked = { sizeBytes: size, modifiedMs: mtimeMs };
    clock.lap('read');
    record.finish(draft, () => part.close());
  });
  return counts;
}
