/**
 * An input is one file, folder or pipe that holds captures, as plain data, so that it can be handed to a
 * worker. `openInputs` (open-inputs.ts) makes them from what the user names.
 */

export const INPUT_FORMATS = ['warc', 'arc', 'wacz', 'zip', 'folder', 'html', 'jsonl', 'cdx'] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];

export interface Input {
  /** As the user named it; goes into provenance. */
  name: string;
  /** Where the bytes lie: the file itself, or its spooled copy for pipes and whole-file compression. */
  path: string;
  format: InputFormat;
  sizeBytes: number;
  /** Whether `path` is a temporary copy that `closeInputs` removes. */
  spooled: boolean;
  /** The file as it was when a survey found all checksums in it right: while it is, they are not taken again. */
  checked?: FileState;
  /** Whether a survey has guessed where members end: then reading throws a `WrongGuess` where that was wrong. @default false */
  guessed?: boolean;
}

/** Tells whether a file was changed. */
export interface FileState {
  sizeBytes: number;
  modifiedMs: number;
}
