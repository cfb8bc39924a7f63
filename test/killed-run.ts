/**
 * Kills commands with SIGKILL at random moments and looks at what they leave. Nothing may be cut off under its final
 * name, and the same command given again has to make what an undisturbed run makes. Seeded: the moments are shares of the
 * time that the undisturbed run took.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { folderDigest } from './folder-digest.ts';
import { seededRandom } from './seeded-random.ts';

const COMMAND = join(dirname(fileURLToPath(import.meta.url)), '../dist/cli/bin.js');

/** What a command writes at its output path. */
type OutputKind = 'file' | 'pages' | 'run';

/** By name: the arguments, without inputs and output, and what they make. */
export const KILLED_COMMANDS: Record<string, { args: string[]; kind: OutputKind }> = {
  strip: { args: ['strip'], kind: 'file' },
  train: { args: ['train', '--date', '2026-01-01', '--min-sites', '2', '--site-rows', '100'], kind: 'file' },
  annotate: { args: ['annotate'], kind: 'pages' },
  report: { args: ['report'], kind: 'run' },
  history: { args: ['history'], kind: 'run' },
  fragments: { args: ['fragments'], kind: 'run' },
};

export interface KilledRuns {
  /** Runs that a kill ended before they were done. */
  kills: number;
  /** Kills that came too late. */
  late: number;
  /** Faults of the outputs, one sentence each. */
  faults: string[];
}

export interface KillOptions {
  archive: string;
  /** An empty folder to work in. */
  folder: string;
  kills: number;
  seed: number;
}

/** Kills a command until it was killed as often as asked for; a third of the kills hit a run that was killed before. */
export async function killRuns(
  name: string,
  { archive, folder, kills, seed }: KillOptions,
): Promise<KilledRuns> {
  const { args, kind } = KILLED_COMMANDS[name];
  const random = seededRandom(seed);
  const scratch = join(folder, 'tmp');
  mkdirSync(scratch, { recursive: true });
  const run = (output: string, killMs?: number) => {
    const again = kind === 'pages' ? ['--overwrite'] : [];
    return runCommand([...args, archive, '-q', '-o', output, ...again], { TMPDIR: scratch }, killMs);
  };

  const whole = join(folder, `${name}-whole`);
  const startedMs = performance.now();
  const exitCode = await run(whole);
  const usualMs = performance.now() - startedMs;
  if (exitCode !== 0) return { kills: 0, late: 0, faults: [`${name} ended with ${exitCode} undisturbed`] };

  const result: KilledRuns = { kills: 0, late: 0, faults: [] };
  const output = join(folder, `${name}-killed`);
  while (result.kills < kills) {
    const killMs = random() * usualMs;
    const when = `${name}, killed at ${Math.round(killMs)} of ${Math.round(usualMs)} ms`;
    if ((await run(output, killMs)) === null) result.kills++;
    else result.late++;
    for (const file of cutFiles(output, whole, kind)) result.faults.push(`${when}: ${file} is cut off`);
    if (result.kills < kills && random() < 1 / 3) continue;
    const again = await run(output);
    if (again !== 0) result.faults.push(`${when}: given again it ended with ${again}`);
    else if (digestOf(output) !== digestOf(whole))
      result.faults.push(`${when}: given again it made something else`);
    for (const left of readdirSync(scratch)) result.faults.push(`${when}: ${left} stays in TMPDIR`);
    rmSync(output, { recursive: true, force: true });
  }
  return result;
}

/** The exit code; null for a run that was killed. */
async function runCommand(args: string[], env: NodeJS.ProcessEnv, killMs?: number): Promise<number | null> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  if (killMs !== undefined) {
    await setTimeout(killMs);
    child.kill('SIGKILL');
  }
  const [code] = await ended;
  return code;
}

/** Files under a final name that are not what the undisturbed run has there. */
function cutFiles(output: string, whole: string, kind: OutputKind): string[] {
  if (!existsSync(output)) return [];
  if (kind === 'file') return digestOf(output) === digestOf(whole) ? [] : [output];
  // a run's folder is finished by the same command given again, which is compared below; others by their index
  const isMissing = (file: string) => !existsSync(join(output, file));
  const isFinished = kind !== 'run' && existsSync(join(output, 'index.html'));
  if (isFinished && filesOf(whole).some(isMissing)) return [`finished ${output}`];
  return filesOf(output).filter(
    (file) => !/^\.work|\.(part|draft-\d+)$/.test(file) && !isSame(join(output, file), join(whole, file)),
  );
}

function isSame(path: string, other: string): boolean {
  if (path.endsWith('run.json')) return true; // compared with the folder
  return existsSync(other) && digestOf(path) === digestOf(other);
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function digestOf(path: string): string {
  if (statSync(path).isDirectory()) return folderDigest(path);
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
