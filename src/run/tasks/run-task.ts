/** Carries out a task of any kind, in whatever thread it has come to. */
import { WrongGuess } from '../../read/member-guess.ts';
import { closeInput } from '../../read/read-captures.ts';
import { checkModel } from './check-model-task.ts';
import { emptyCounts } from './counts.ts';
import { digestPages } from './digest-task.ts';
import { makeHistory, studySites } from './finish-task.ts';
import { labelPages } from './label-task.ts';
import { learnGroups } from './learn-task.ts';
import { compareSettings } from './settings-task.ts';
import { signPages } from './sign-task.ts';
import { labelSites } from './site-label-task.ts';
import { surveyCaptures } from './survey-task.ts';
import type { Task, TaskContext, TaskCounts } from './task.ts';
import { makeTrainingRows } from './train-task.ts';

export async function runTask(task: Task, context: TaskContext): Promise<TaskCounts> {
  try {
    return await carryOut(task, context);
  } catch (error) {
    // an error loses its class on the way from one thread to another
    if (error instanceof WrongGuess) return { ...emptyCounts(), wrongGuess: true };
    throw error;
  } finally {
    // the next task may read other files, and there may be thousands
    for (const input of Object.values(task.inputs)) closeInput(input);
  }
}

function carryOut(task: Task, context: TaskContext): Promise<TaskCounts> {
  switch (task.kind) {
    case 'survey':
      return surveyCaptures(task, context);
    case 'learn':
      return learnGroups(task, context);
    case 'settings':
      return compareSettings(task, context);
    case 'label':
      return labelPages(task, context);
    case 'digest':
      return digestPages(task, context);
    case 'sign':
      return signPages(task, context);
    case 'label-sites':
      return labelSites(task, context);
    case 'train':
      return makeTrainingRows(task, context);
    case 'check-model':
      return checkModel(task, context);
    case 'study':
      return studySites(task, context);
    case 'history':
      return makeHistory(task);
  }
}
