import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.ts';

const sleeper = spawn('sleep', ['600']);
afterAll(() => sleeper.kill('SIGKILL'));

/** The identity that the child would give of itself. */
function identityOf(pid: number): ProcessIdentity {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return { ...ownIdentity(), pid, startTicks: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] };
}

test('this process runs', () => {
  expect(isRunning(ownIdentity())).toBe(process.platform === 'linux' ? true : undefined);
});

test('a process on another machine, or in another container, cannot be judged', () => {
  expect(isRunning({ ...ownIdentity(), machine: 'another' })).toBe(undefined);
});

test.skipIf(process.platform !== 'linux')(
  'a process that was stopped runs, one that was killed does not',
  async () => {
    const identity = identityOf(sleeper.pid!);
    sleeper.kill('SIGSTOP');
    expect(isRunning(identity)).toBe(true);
    // its id belongs to another process now
    expect(isRunning({ ...identity, startTicks: '1' })).toBe(false);
    sleeper.kill('SIGKILL');
    await once(sleeper, 'exit');
    expect(isRunning(identity)).toBe(false);
  },
);

test.skipIf(process.platform !== 'linux')(
  'a process whose parent has not noticed its death does not run',
  async () => {
    // the shell becomes a program that never asks for the exit code of the shell's child
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 600'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const pid = Number(String((await once(parent.stdout!, 'data'))[0]));
      const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8');
      while (!stat().includes(') Z ')) await new Promise(setImmediate);
      expect(isRunning(identityOf(pid))).toBe(false);
    } finally {
      parent.kill('SIGKILL');
    }
  },
);
