/** The thread that carries a command; supervise.ts starts it and tells it of signals. */
import { EventEmitter } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { main } from './main.ts';
import { standardStreams } from './standard-streams.ts';
import { END_NOW } from './supervise.ts';

// What V8's compiler costs, measured on reports; later versions have other compilers and other flags. They are set here,
// for all threads: set before this thread starts, they make Node's compiled modules unusable to it, 50 ms.
if (process.versions.v8.startsWith('11.')) {
  // It compiles what has run for a while for what it has met so far; the pages of the next site then show it other
  // cases, and it compiles again. Four times the usual patience is a quarter fewer compilations.
  setFlagsFromString('--interrupt-budget=270000');
  // The loops that take the time are WebAssembly; the rest gains less by functions copied into each other than
  // compiling the copies takes.
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=100');
}

const signals = new EventEmitter();
parentPort!.on('message', (signal: string) => {
  if (signal === END_NOW) cleanUp();
  else signals.emit(signal, signal);
});

const { args } = workerData as { args: string[] };
parentPort!.postMessage({ exitCode: await main(args, standardStreams(), { signals }) });
// the thread ends when nothing is under way: to end it earlier crashes the database's package
parentPort!.close();

/** Has the listeners for the end do their work, then waits for the end of the process. */
function cleanUp(): void {
  process.emit('exit', 0);
  parentPort!.postMessage(END_NOW);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
