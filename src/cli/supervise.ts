/**
 * Runs a command in its own thread and supervises it. The main thread does nothing else, so that it receives signals at
 * any moment, even while the command reads a long record or waits for a full pipe. The first signal asks the command to
 * stop, the second ends the process at once. Any failure becomes a message and an exit code. Temporary files are
 * removed in each case.
 */
import { Worker } from 'node:worker_threads';
import { removeDeadScratch, removeOwnScratch } from '../model/scratch.ts';
import { FAILED, STOPPED, type StopSignal } from './context.ts';
import { describeAddressLimit, describeFailure } from './failure.ts';

/** Message that asks the thread to clean up and stop, and its answer; other messages to it are names of signals. */
export const END_NOW = 'end now';
/** Milliseconds that a thread has for cleaning up. */
const GRACE_MS = 300;

/** Runs a command in a thread, and ends the process with its exit code. */
export function supervise(thread: URL, args: string[]): void {
  const limit = describeAddressLimit();
  if (limit !== undefined) {
    fail(limit);
    return;
  }
  // its own streams carry only output of packages, which is replaced by our messages
  const worker = new Worker(thread, { workerData: { args }, stdout: true, stderr: true });
  forwardSignals(worker, args[0] === 'explore' ? 'stopping' : 'stopping after the tasks under way');
  // without a listener, the signal of `ulimit -f` would end the process before a write fails
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

function forwardSignals(worker: Worker, message: string): void {
  let isStopping = false;
  for (const signal of Object.keys(STOPPED) as StopSignal[]) {
    process.on(signal, () => {
      if (isStopping) {
        // give packages with processes and folders of their own a moment to end them, if the thread responds
        worker.on('message', (answer) => answer === END_NOW && endBy(signal));
        setTimeout(endBy, GRACE_MS, signal);
        worker.postMessage(END_NOW);
        return;
      }
      isStopping = true;
      say(`\nchaff: ${message} (once more to stop at once)\n`);
      worker.postMessage(signal);
    });
  }
}

/** Ends the process as the signal does by default: threads inside a system call are not awaited. */
function endBy(signal: StopSignal): never {
  removeOwnScratch();
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // the first process of a container ignores its own signals
  process.exit(STOPPED[signal]);
}

function fail(reason: string): void {
  say(`chaff: ${reason}\n`);
  process.exitCode = FAILED;
}

/** Prints a message; a failure to write it is ignored. */
function say(text: string): void {
  process.stderr.on('error', () => {});
  process.stderr.write(text);
}
