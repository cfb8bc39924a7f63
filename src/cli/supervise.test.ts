/** How a command ends that does not end by itself. The threads here are scripts of a few words. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'chaff-supervise-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TSX = import.meta.resolve('tsx/esm/api');
const SUPERVISE = new URL('./supervise.ts', import.meta.url).href;
const SCRATCH = new URL('../model/scratch.ts', import.meta.url).href;
/** Node 20 reads no TypeScript by itself. */
const LOADER = `import { register } from '${TSX}'; register();`;
/** Threads begin with a temporary folder. */
const START = `${LOADER}
  import { parentPort } from 'node:worker_threads';
  const { makeScratchFolder } = await import('${SCRATCH}');
  makeScratchFolder();`;

interface Ended {
  code: number | null;
  signal: string | null;
  stderr: string;
  /** What is left of temporary files. */
  left: string[];
  /** Between the last signal and the end. */
  endMs: number;
}

/** Supervises a thread with this code; sends signals as soon as the thread has said `ready` and after each answer. */
async function superviseThread(code: string, { signals = [] as NodeJS.Signals[] } = {}): Promise<Ended> {
  const scratch = mkdtempSync(join(folder, 'tmp-'));
  const [thread, script] = ['thread', 'script'].map((name) => `${scratch}-${name}.mjs`);
  writeFileSync(thread, `${START}\n${code}`);
  writeFileSync(
    script,
    `${LOADER}\n(await import('${SUPERVISE}')).supervise(new URL('${pathToFileURL(thread)}'), [])`,
  );
  const child = spawn(process.execPath, ['--max-old-space-size=80', script], {
    env: { ...process.env, TMPDIR: scratch },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  let sent = 0;
  let sentMs = 0;
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const send = setInterval(() => {
    const answers = stderr.split('stopping').length - 1;
    const isReady = readdirSync(scratch).some((name) => name.startsWith('chaff-'));
    if (!isReady || sent >= signals.length || answers < sent) return;
    sentMs = performance.now();
    child.kill(signals[sent++]);
  }, 20);
  const [exitCode, signal] = await once(child, 'close');
  clearInterval(send);
  const left = readdirSync(scratch).filter((name) => name.startsWith('chaff-'));
  return { code: exitCode, signal, stderr, left, endMs: performance.now() - sentMs };
}

test('the exit code is the one that the command gives', async () => {
  const { code, stderr } = await superviseThread('parentPort.postMessage({ exitCode: 3 })');
  expect([code, stderr]).toEqual([3, '']);
});

test.each([
  ['throws', "throw new Error('broken')", 'chaff: broken\n'],
  ['rejects', "Promise.reject(new Error('unheard of')); await new Promise(() => {})", 'chaff: unheard of\n'],
  ['waits for what never comes', 'await new Promise(() => {})', /^chaff: ended before it was done.*\n$/],
  ['ends without an answer', 'process.exit(7)', /^chaff: ended before it was done.*\n$/],
  [
    'has no memory left',
    'const all = []; for (;;) all.push(new Array(1e6).fill(all.length + 0.5))',
    /^chaff: not enough memory/,
  ],
  [
    'cannot have WebAssembly memory',
    "throw new RangeError('WebAssembly.Memory(): could not allocate memory')",
    /^chaff: not enough address space for WebAssembly/,
  ],
])('a command that %s fails with one sentence and leaves no temporary files', async (_, code, sentence) => {
  const ended = await superviseThread(code);
  expect([ended.code, ended.left]).toEqual([1, []]);
  // V8 reports its last garbage collections before ours
  const message = ended.stderr.slice(ended.stderr.lastIndexOf('chaff: '));
  if (typeof sentence === 'string') expect(message).toBe(sentence);
  else expect(message).toMatch(sentence);
});

test('the first signal is answered while the command computes, the second one ends it at once', async () => {
  const ended = await superviseThread('for (;;);', { signals: ['SIGINT', 'SIGINT'] });
  expect(ended.stderr).toBe('\nchaff: stopping after the tasks under way (once more to stop at once)\n');
  expect([ended.signal, ended.left]).toEqual(['SIGINT', []]);
  expect(ended.endMs).toBeLessThan(10_000); // a third of a second, unless the machine is busy
});

test('the first signal reaches the command', async () => {
  const code =
    "parentPort.once('message', (name) => parentPort.postMessage({ exitCode: name === 'SIGTERM' ? 143 : 1 }))";
  const ended = await superviseThread(code, { signals: ['SIGTERM'] });
  expect(ended.code).toBe(143);
});
