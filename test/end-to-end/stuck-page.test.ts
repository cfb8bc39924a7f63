/** A page that never ends costs that page, in each command that takes pages as they come, and does not keep the command from stopping. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const FAULTS = pathToFileURL(resolve('test/faults.mjs')).href;
const folder = mkdtempSync(join(tmpdir(), 'chaff-stuck-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PAGES = 5;
const pages = join(folder, 'pages.jsonl');
const rows = Array.from({ length: PAGES }, (_, k) => ({
  url: `http://a.example/${k + 1}`,
  html: `<title>${k}</title><p>${`Story ${k} began in the harbour. `.repeat(9)}</p>`,
}));
writeFileSync(pages, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
const others = rows.map(({ url }) => url).filter((url) => url !== 'http://a.example/2');

/** Starts a command whose second page never ends. */
function start(args: string[], stdin = '') {
  const child = spawn(process.execPath, [resolve('dist/cli/bin.js'), ...args], {
    env: {
      ...process.env,
      CHAFF_FAULT: 'block at thread 2',
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${FAULTS}`,
    },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (said.stderr += text));
  child.stdin.end(stdin);
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...said }));
  return { child, said, ended };
}

const urlsOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).url as string);

test.each([
  ['page', 'judged', [pages]],
  ['page', 'judged', ['-']],
  ['strip', 'labelled', ['--model', 'none', pages]],
  ['label', 'labelled', ['--model', 'none', '-']],
])('%s: a page that never ends is too slow, the others are %s (%s)', async (command, done, args) => {
  const { ended } = start([command, ...args, '--max-page-ms', '1500', '-v'], readFileSync(pages, 'utf8'));
  const { stdout, stderr, code } = await ended;
  expect(urlsOf(stdout)).toEqual(others);
  expect(stderr).toContain(`captures read ${PAGES} = ${PAGES - 1} ${done} + 1 skipped (1 too-slow)`);
  expect(stderr).toMatch(/too-slow .*http:\/\/a.example\/2/);
  expect(code).toBe(3);
});

test('annotate with a model writes the other pages', async () => {
  const output = join(folder, 'annotated');
  const { ended } = start(['annotate', pages, '--model', 'none', '-o', output, '--max-page-ms', '1500']);
  expect((await ended).stderr).toContain('(1 too-slow)');
  expect(readdirSync(output).filter((name) => name !== 'index.html')).toHaveLength(PAGES - 1);
});

test('a signal ends a command whose page never ends', async () => {
  const { child, said, ended } = start(['page', pages, '--max-page-ms', '600000']);
  // the thread is blocked for ever; its time is not over
  await sleep(3000);
  const sentMs = performance.now();
  child.kill('SIGINT');
  const { signal, code } = await ended;
  expect(signal ?? code).toBe(130);
  expect(said.stderr).toContain('stopping');
  expect(performance.now() - sentMs).toBeLessThan(10_000);
});
