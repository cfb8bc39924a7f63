/** The list of commands. */
import type { Command } from 'commander';
import type { Context } from './context.ts';

type Describe = (context: Context) => Command;

/** Loaders of the commands by name, in the order of the help. A command's code is loaded on demand. */
const COMMANDS: Record<string, () => Promise<Describe>> = {
  demo: async () => (await import('./demo.ts')).demoCommand,
  strip: async () => (await import('./strip.ts')).stripCommand,
  page: async () => (await import('./page-command.ts')).pageCommand,
  report: async () => (await import('./report.ts')).reportCommand,
  explore: async () => (await import('./explore.ts')).exploreCommand,
  annotate: async () => (await import('./annotate.ts')).annotateCommand,
  history: async () => (await import('./history.ts')).historyCommand,
  changes: async () => (await import('./changes.ts')).changesCommand,
  groups: async () => (await import('./groups.ts')).groupsCommand,
  dedup: async () => (await import('./dedup.ts')).dedupCommand,
  fragments: async () => (await import('./fragments.ts')).fragmentsCommand,
  learn: async () => (await import('./learn.ts')).learnCommand,
  label: async () => (await import('./label.ts')).labelCommand,
  train: async () => (await import('./train.ts')).trainCommand,
  eval: async () => (await import('./eval.ts')).evalCommand,
  plan: async () => (await import('./plan-command.ts')).planCommand,
  task: async () => (await import('./task-command.ts')).taskCommand,
  status: async () => (await import('./status-command.ts')).statusCommand,
  merge: async () => (await import('./merge-command.ts')).mergeCommand,
  index: async () => (await import('./index-captures.ts')).indexCommand,
  sql: async () => (await import('./sql.ts')).sqlCommand,
  completion: async () => (await import('./completion.ts')).completionCommand,
};

/** Loads the command that the first argument names; all commands for help and for an unknown name. */
export function loadCommands([first]: string[]): Promise<Describe[]> {
  const names = first !== undefined && Object.hasOwn(COMMANDS, first) ? [first] : Object.keys(COMMANDS);
  return Promise.all(names.map((name) => COMMANDS[name]()));
}

/** The declarations of all commands, without running them. */
export async function readCommands(): Promise<Command[]> {
  const describes = await loadCommands([]);
  // a declaration passes the context to its action and does not read it
  return describes.map((describe) => describe({} as Context));
}
