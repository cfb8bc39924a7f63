/** The thread that carries a command; supervise.ts starts it and tells it of signals. */
import { EventEmitter } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { main } from './main.ts';
import { standardStreams } from './standard-streams.ts';
import { END_NOW } from './supervise.ts';

const signals = new EventEmitter();
parentPort!.on('message', (signal: string) => {
  if (signal === END_NOW) process.exit();
  signals.emit(signal, signal);
});

const { args } = workerData as { args: string[] };
parentPort!.postMessage({ exitCode: await main(args, standardStreams(), { signals }) });
// what still waits, for input that nobody asks for any more, is not waited for
process.exit();
