/**
 * Declarations of arguments and options that name files and folders. `guard-paths.ts` reads from them what a command
 * reads and writes; an option for a path that is declared in another way fails `guard-paths.test.ts`.
 */
import { Argument, Option } from 'commander';

/** An argument whose values are inputs: files, folders, globs, URLs or `-`. */
export class InputArgument extends Argument {
  /** Other files that a command reads because of a value. */
  readonly besides: (name: string) => string[];

  constructor(name: string, meaning: string, besides: (name: string) => string[] = () => []) {
    super(name, meaning);
    this.besides = besides;
  }
}

/** An option for files or folders that a command reads. */
export class InputOption extends Option {
  /** The paths that a value stands for. */
  readonly pathsOf: (value: string) => string[];

  constructor(flags: string, meaning: string, pathsOf: (value: string) => string[] = (value) => [value]) {
    super(flags, meaning);
    this.pathsOf = pathsOf;
  }
}

/** What an output option writes besides the path that it names. */
export interface Written {
  /** Files that are or may be written because of the path, besides its draft. */
  also?(path: string, flags: object): string[];
  /** The path without the option. @default nothing is written */
  byDefault?(inputs: string[], flags: object): string;
}

/** An option for a file or folder that a command writes. */
export class OutputOption extends Option {
  readonly written: Written;

  constructor(flags: string, meaning: string, written: Written = {}) {
    super(flags, meaning);
    this.written = written;
  }
}

/** The option `-o` of commands that write one file. */
export function outputFileOption(): Option {
  return new OutputOption(
    '-o, --output <file>',
    'write to this file instead of standard output; .gz compresses',
  );
}

/** What `--overwrite` does in commands that write a run. */
export const START_AGAIN = 'start again in a folder that an earlier run has written';

/** The option `--overwrite`; `meaning` says what it replaces besides archives. */
export function overwriteOption(meaning?: string): Option {
  const archive = 'replace a file that is an archive';
  return new Option('--overwrite', meaning === undefined ? archive : `${meaning}; ${archive}`);
}
