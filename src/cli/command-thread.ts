/** The thread that carries a command; supervise.ts starts it and tells it of signals. */
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
// the thread ends when nothing is under way: to end it earlier crashes the database's package
parentPort!.close();

/** Has the listeners for the end do their work, then waits for the end of the process. */
function cleanUp(): void {
  process.emit('exit', 0);
  parentPort!.postMessage(END_NOW);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
