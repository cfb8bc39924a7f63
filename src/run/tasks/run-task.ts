/** Runs a task of any kind in the current thread; the code of each kind is loaded when it is needed. */

import { closeInput } from '../../read/read-captures.ts';
import { WrongGuess } from '../../read/record-context.ts';
import type { Task, TaskContext, TaskCounts } from './task.ts';
import { emptyCounts } from './task-record.ts';

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

async function carryOut(task: Task, context: TaskContext): Promise<TaskCounts> {
  switch (task.kind) {
    case 'survey':
      return (await import('./survey-task.ts')).surveyCaptures(task, context);
    case 'learn':
      return (await import('./learn-task.ts')).learnGroups(task, context);
    case 'settings':
      return (await import('./learn-task.ts')).compareSettings(task, context);
    case 'label':
      return (await import('./label-task.ts')).labelPages(task, context);
    case 'digest':
      return (await import('./page-tasks.ts')).digestPages(task, context);
    case 'sign':
      return (await import('./page-tasks.ts')).signPages(task, context);
    case 'label-sites':
      return (await import('./site-label-task.ts')).labelSites(task, context);
    case 'train':
      return (await import('./train-tasks.ts')).makeTrainingRows(task, context);
    case 'check-model':
      return (await import('./train-tasks.ts')).checkModel(task, context);
    case 'study':
      return (await import('./finish-task.ts')).studySites(task, context);
    case 'history':
      return (await import('./finish-task.ts')).makeHistory(task);
  }
}
