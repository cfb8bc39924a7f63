/**
 * Runs a command in a thread of its own and watches over it. The main thread does nothing else, so that it hears of
 * signals at any moment, however long the command reads one record or waits for a full pipe. The first signal asks
 * the command to stop, the second one ends the process at once. A command that dies in any way becomes a sentence and an
 * exit code. Temporary files are removed in each case.
 */
import { Worker } from 'node:worker_threads';
import { removeDeadScratch, removeOwnScratch } from '../model/scratch.ts';
import { FAILED, STOPPED, type StopSignal } from './context.ts';
import { describeFailure, tellAddressLimit } from './failure.ts';

/** Asks the thread to clean up and do nothing more, and is its answer; other messages to it are names of signals. */
export const END_NOW = 'end now';
/** How long a thread may take for it. */
const GRACE_MS = 300;

export function supervise(thread: URL, args: string[]): void {
  const limit = tellAddressLimit();
  if (limit !== undefined) {
    fail(limit);
    return;
  }
  // its own standard streams carry only what packages print, which we say in our own words
  const worker = new Worker(thread, { workerData: { args }, stdout: true, stderr: true });
  forwardSignals(worker);
  // without a listener the signal of `ulimit -f` ends the process before a write can fail
  process.on('SIGXFSZ', () => {});

  let failure: unknown;
  worker.on('message', ({ exitCode }: { exitCode?: number }) => {
    if (exitCode !== undefined) process.exitCode = exitCode;
  });
  worker.on('error', (error) => {
    failure = error;
  });
  worker.on('exit', () => {
    if (process.exitCode !== undefined) return;
    removeOwnScratch();
    fail(describeFailure(failure));
  });
  removeDeadScratch();
}

function forwardSignals(worker: Worker): void {
  let isStopping = false;
  for (const signal of Object.keys(STOPPED) as StopSignal[]) {
    process.on(signal, () => {
      if (isStopping) {
        // packages with processes and folders of their own get a moment to end them, if the thread is free
        worker.on('message', (answer) => answer === END_NOW && endBy(signal));
        setTimeout(endBy, GRACE_MS, signal);
        worker.postMessage(END_NOW);
        return;
      }
      isStopping = true;
      say('\nchaff: stopping after the tasks under way (once more to stop at once)\n');
      worker.postMessage(signal);
    });
  }
}

/** Ends the process as the signal does by default: threads that are inside a system call are not waited for. */
function endBy(signal: StopSignal): never {
  removeOwnScratch();
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // the first process of a container ignores signals of its own
  process.exit(STOPPED[signal]);
}

function fail(reason: string): void {
  say(`chaff: ${reason}\n`);
  process.exitCode = FAILED;
}

/** What cannot be written is no reason to fail. */
function say(text: string): void {
  process.stderr.on('error', () => {});
  process.stderr.write(text);
}
