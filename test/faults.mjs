/**
 * Tests preload this into processes of chaff (`NODE_OPTIONS=--import`), which then meet a fault at an exact place; a signal
 * from outside meets it by luck only. CHAFF_FAULT says what and where:
 *
 *   kill at change 12   the process dies before a thread makes its 12th change to files
 *   kill at page 3      the process dies when it has begun page 3 of a job; page 0 means whichever is the first
 *   stop at page 3      the process stops there, as by SIGSTOP
 *   block at page 3     the thread that reads the page waits for ever
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [, fault, place, number] = /^(kill|stop|block) at (change|page) (\d+)$/.exec(process.env.CHAFF_FAULT);
const CHANGES = ['linkSync', 'mkdirSync', 'renameSync', 'rmSync', 'writeFileSync', 'writeSync'];
let changes = 0;

function meetFault() {
  if (fault === 'kill') process.kill(process.pid, 'SIGKILL');
  if (fault === 'stop') process.kill(process.pid, 'SIGSTOP');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
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
    if (place === 'change' && ++changes === Number(number)) meetFault();
    const result = change(...args);
    const page = place === 'page' && name === 'writeSync' ? pageOf(args) : 0;
    if (page > 0 && (page === Number(number) || number === '0')) meetFault();
    return result;
  };
}
syncBuiltinESMExports();
