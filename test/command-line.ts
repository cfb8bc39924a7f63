/** Runs a command in this process, with streams that tests can fill and read. */
import { PassThrough, Readable, Writable } from 'node:stream';
import { main } from '../src/cli/main.ts';

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
  stdoutBytes: Buffer;
}

export async function chaff(args: string[], stdin: string | Uint8Array = ''): Promise<CommandResult> {
  const stdout = new Collector();
  const stderr = new Collector();
  const input =
    stdin.length === 0 ? new PassThrough().end() : Readable.from([Buffer.from(stdin)], { objectMode: false });
  const code = await main(args, { stdin: input, stdout, stderr });
  return { code, stdout: stdout.text, stderr: stderr.text, stdoutBytes: stdout.bytes };
}

/** The rows of a command that writes JSON lines. */
export function rowsOf({ stdout }: CommandResult): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

class Collector extends Writable {
  #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  get text(): string {
    return this.bytes.toString('utf8');
  }
}
