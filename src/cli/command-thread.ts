/** The thread that runs a command; supervise.ts starts it and forwards signals to it. */
import { EventEmitter } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { main } from './main.ts';
import { standardStreams } from './streams.ts';
import { END_NOW } from './supervise.ts';

const signals = new EventEmitter();
parentPort!.on('message', (signal: string) => {
  if (signal === END_NOW) cleanUp();
  else signals.emit(signal, signal);
});

const { args } = workerData as { args: string[] };
parentPort!.postMessage({ exitCode: await main(args, standardStreams(), { signals }) });
// the thread ends when no work is left: ending it earlier crashes the database package
parentPort!.close();

/** Calls the exit listeners, then waits for the end of the process. */
function cleanUp(): void {
  process.emit('exit', 0);
  parentPort!.postMessage(END_NOW);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
