/**
 * From what a user names to inputs: files, folders, globs and `-` for standard input. What a file is, its
 * first bytes tell, and its name only where they do not.
 */
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Limits } from '../model/limits.ts';
import type { Problem } from '../model/problem.ts';
import type { Input } from './input.ts';
import { closeInput } from './read-captures.ts';

export interface OpenInputsOptions {
  /** What `-` reads. @default process.stdin */
  stdin?: Readable;
  /** Where copies of pipes and of files compressed as a whole go. @default the system's folder for such */
  spoolDir?: string;
  limits?: Partial<Limits>;
}

export interface OpenedInputs {
  inputs: Input[];
  problems: Problem[];
}

export async function openInputs(names: string[], _options: OpenInputsOptions = {}): Promise<OpenedInputs> {
  const inputs: Input[] = [];
  const problems: Problem[] = [];
  for (const name of [...new Set(names)].sort()) {
    try {
      const { size } = await stat(name);
      const format = /\.arc(\.gz)?$/.test(name) ? 'arc' : 'warc';
      inputs.push({ name, path: name, format, sizeBytes: size, spooled: false });
    } catch {
      problems.push({ code: 'missing-file', message: 'no such file', file: name });
    }
  }
  return { inputs, problems };
}

export async function closeInputs(inputs: readonly Input[]): Promise<void> {
  for (const input of inputs) closeInput(input);
}
