/** Runs tasks of any kind in the current thread; the code of each kind is loaded on demand. */

import { closeInput } from '../../read/read-captures.ts';
import { WrongGuess } from '../../read/record-context.ts';
import { pageWriter } from '../../store/job-folder.ts';
import type { Suspects, Task, TaskContext, TaskCounts } from './task.ts';
import { newTaskCounts } from './task-record.ts';

/** Runs a task to its commit; returns its counts. */
export async function runTask(task: Task, context: TaskContext): Promise<TaskCounts> {
  const pageFile = task.pageFile === undefined ? undefined : pageWriter(task.pageFile);
  try {
    return await carryOut(task, pageFile ? withPageFile(context, pageFile, task.suspects) : context);
  } catch (error) {
    // an error loses its class when it is passed between threads
    if (error instanceof WrongGuess) return { ...newTaskCounts(), wrongGuess: true };
    throw error;
  } finally {
    pageFile?.close();
    // close the inputs: the next task may read others, and there may be thousands
    for (const input of Object.values(task.inputs)) closeInput(input);
  }
}

function withPageFile(
  context: TaskContext,
  { write }: ReturnType<typeof pageWriter>,
  suspects: Suspects = {},
): TaskContext {
  return {
    ...context,
    onPage(page) {
      write(page in suspects ? 0 : page); // a page that is left out brings nothing down
      context.onPage(page);
    },
  };
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
