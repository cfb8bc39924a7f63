/**
 * Runs `chaff report` as users do, the built command line in a process of its own, and measures the whole
 * process. CPU time includes all threads (workers, the database, garbage collection), so bytes per CPU second
 * is the speed per core, whatever the number of cores and their other work.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunFile, readRunFile } from '../src/store/run-file.ts';

/** Resources that a process used. */
export interface Measure {
  wallSeconds: number;
  cpuSeconds: number;
  /** Largest resident size of the process. */
  peakBytes: number;
}

/** Resources of a report, and its run file. */
export interface ReportMeasure extends Measure {
  run: RunFile;
}

const COMMAND = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url));
const PRELOAD = new URL('./child-usage.mjs', import.meta.url).href;
/** Exit codes of success: without problems, and with problems of the input reported. */
const GOOD_EXITS = [0, 3];

/** Runs the report, or another command that writes a folder, into a temporary folder and removes it. */
export async function measureReport(
  inputs: string[],
  { workers = 1, args = [] as string[], command = 'report' } = {},
): Promise<ReportMeasure> {
  const scratch = mkdtempSync(join(tmpdir(), 'chaff-bench-'));
  try {
    const output = join(scratch, 'out.chaff');
    const measure = await measureCommand([
      command,
      ...inputs,
      '-o',
      output,
      '--workers',
      String(workers),
      ...args,
    ]);
    return { ...measure, run: readRunFile(output) };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Runs a command and discards its standard output. */
export async function measureCommand(args: string[]): Promise<Measure> {
  const scratch = mkdtempSync(join(tmpdir(), 'chaff-bench-'));
  try {
    const usageFile = join(scratch, 'usage.json');
    const before = performance.now();
    await runChild(['--import', PRELOAD, COMMAND, ...args, '-q'], {
      ...process.env,
      CHAFF_BENCH_USAGE: usageFile,
    });
    const wallSeconds = (performance.now() - before) / 1000;
    const usage = JSON.parse(readFileSync(usageFile, 'utf8')) as { cpuSeconds: number; peakBytes: number };
    return { wallSeconds, ...usage };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Returns the measure with the median CPU time. */
export function medianMeasure<Kind extends Measure>(measures: Kind[]): Kind {
  return [...measures].sort((a, b) => a.cpuSeconds - b.cpuSeconds)[measures.length >> 1];
}

/** Throws unless the command line has been built from the current sources. */
export function checkBuilt(): void {
  let built = 0;
  try {
    built = statSync(COMMAND).mtimeMs;
  } catch {
    throw new Error('the command line is not built: npm run build');
  }
  const sources = fileURLToPath(new URL('../src', import.meta.url));
  for (const entry of readdirSync(sources, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.ts') || entry.name.endsWith('.test.ts')) continue;
    if (statSync(join(entry.parentPath, entry.name)).mtimeMs > built) {
      throw new Error(`src/ changed after the build (${entry.name}): npm run build`);
    }
  }
}

function runChild(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== null && GOOD_EXITS.includes(code)) resolve();
      else reject(new Error(`chaff ended with ${code}: ${said.trim()}`));
    });
  });
}
