/** Where a command's data goes: standard output, or a file that appears under its name only when complete. */
import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Context } from './context.ts';
import { write } from './streams.ts';
import { checkOutputFile } from './writable-target.ts';

export interface Output {
  write(data: string | Uint8Array): Promise<void>;
  /** Makes the file appear. */
  commit(): Promise<void>;
  /** Removes what was not committed; does nothing after a commit. */
  discard(): void;
}

export function openOutput({ streams }: Context, path: string | undefined): Output {
  if (path === undefined || path === '-') {
    return { write: (data) => write(streams.stdout, data), async commit() {}, discard() {} };
  }
  checkOutputFile('-o', path);
  // a device or a pipe is written as it is: a rename would put a file in its place
  const draft = isSpecial(path) ? path : `${path}.part`;
  let file: number | undefined = openSync(draft, 'w');
  const close = () => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  return {
    async write(data) {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      for (let done = 0; done < bytes.length; ) done += writeSync(file!, bytes, done);
    },
    async commit() {
      close();
      if (draft === path) return;
      try {
        renameSync(draft, path);
      } catch (error) {
        rmSync(draft, { force: true });
        throw error;
      }
    },
    discard() {
      if (file === undefined) return;
      close();
      if (draft !== path) rmSync(draft, { force: true });
    },
  };
}

/** Characters gathered before they are written. */
const BATCH_CHARACTERS = 1 << 16;

/** An output that takes lines, and writes many at a time. */
export interface LineOutput extends Pick<Output, 'commit' | 'discard'> {
  line(text: string): Promise<void>;
}

interface LineOptions {
  /** Whether every line goes out at once, for a reader that waits for it. @default false */
  immediate?: boolean;
}

/** Under a name that ends in .gz lines are compressed: each batch is a member of its own, which readers join. */
export function openLines(
  context: Context,
  path: string | undefined,
  { immediate = false }: LineOptions = {},
): LineOutput {
  const output = openOutput(context, path);
  const packed = path?.endsWith('.gz') ? (text: string) => gzipSync(text) : (text: string) => text;
  let batch = '';
  const flush = async () => {
    const text = batch;
    batch = '';
    await output.write(packed(text));
  };
  return {
    async line(text) {
      batch += `${text}\n`;
      if (immediate || batch.length >= BATCH_CHARACTERS) await flush();
    },
    async commit() {
      // no line at all is a whole gzip file too
      if (batch !== '' || path?.endsWith('.gz')) await flush();
      await output.commit();
    },
    discard: output.discard,
  };
}

function isSpecial(path: string): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  return there !== undefined && !there.isFile() && !there.isDirectory();
}
