/** A thread of the executor: runs one task at a time. */
import { PageArena } from '../../parse/page-arena.ts';
import { JobError } from '../../store/task-parts.ts';
import { runTask } from '../tasks/run-task.ts';
import type { Task } from '../tasks/task.ts';
import { serve } from './serve.ts';

const arena = new PageArena();

serve(
  (task: Task, { onPage, checkStop }) => runTask(task, { arena, onPage, pause: async () => checkStop() }),
  (error) => error instanceof JobError,
);
