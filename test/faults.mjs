/**
 * Tests preload this into processes of chaff (`NODE_OPTIONS=--import`), which then have a fault at an exact place; a signal
 * from outside would hit that place only by luck. CHAFF_FAULT names the fault and the place:
 *
 *   kill at change 12   the process dies before a thread makes its 12th change to files
 *   kill at page 3      the process dies when it has begun page 3 of a job; page 0 means whichever is the first
 *   stop at page 3      the process stops there, as by SIGSTOP
 *   block at page 3     the thread that reads the page waits for ever
 *   block at thread 3   the thread of a pool waits for ever when it has begun page 3, outside of jobs, too
 *   hold at task A,B    the first process that begins a page of one of these tasks makes the file CHAFF_HOLD/A.held, and
 *                       waits until there is a file CHAFF_HOLD/A
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';

const [, fault, place, where] = /^(kill|stop|block|hold) at (change|page|thread|task) (\S+)$/.exec(
  process.env.CHAFF_FAULT,
);
const CHANGES = ['linkSync', 'mkdirSync', 'renameSync', 'rmSync', 'writeFileSync', 'writeSync'];
let changes = 0;

/** By descriptor: the task of an attempt's file. */
const taskOf = new Map();

function meetFault() {
  if (fault === 'kill') process.kill(process.pid, 'SIGKILL');
  if (fault === 'stop') process.kill(process.pid, 'SIGSTOP');
  wait();
}

function wait(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function hold(task) {
  const end = join(process.env.CHAFF_HOLD, task);
  try {
    fs.closeSync(fs.openSync(`${end}.held`, 'wx'));
  } catch {
    return; // another process was here before
  }
  while (!fs.existsSync(end)) wait(20);
}

function beginPage(page, task) {
  if (place === 'page' && (where === '0' || page === Number(where))) meetFault();
  if (place === 'task' && where.split(',').includes(task)) hold(task);
}

/** The number that a write puts at the start of an attempt's file (src/store/job-folder.ts); 0 for any other write. */
function pageOf([, bytes, , length, position]) {
  return bytes instanceof Uint8Array && length === 4 && position === 0
    ? Buffer.from(bytes).readUInt32LE()
    : 0;
}

for (const name of CHANGES) {
  const change = fs[name];
  fs[name] = (...args) => {
    if (place === 'change' && ++changes === Number(where)) meetFault();
    const result = change(...args);
    const page = name === 'writeSync' ? pageOf(args) : 0;
    if (page > 0) beginPage(page, taskOf.get(args[0]));
    return result;
  };
}
const { store } = Atomics;
Atomics.store = (words, slot, value) => {
  const result = store(words, slot, value);
  const isPage = words === workerData?.shared && slot === 0;
  if (isPage && place === 'thread' && value === Number(where)) meetFault();
  return result;
};
const { openSync } = fs;
fs.openSync = (path, ...rest) => {
  const file = openSync(path, ...rest);
  const task = /[/\\]attempts[/\\](.+)\.[0-9a-f]+$/.exec(path)?.[1];
  if (task) taskOf.set(file, task);
  return file;
};
syncBuiltinESMExports();
