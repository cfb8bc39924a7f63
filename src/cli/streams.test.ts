import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { main } from './main.ts';
import { fileStream, flush, OutputError, ReaderGone, watchOutput, write } from './streams.ts';

function failure(code: string, errno: number): Error {
  return Object.assign(new Error(`${code}: write`), { code, errno, syscall: 'write' });
}

/** A file on a disk that has room for some bytes. */
function filling(roomBytes: number, taken: Uint8Array[] = []) {
  let room = roomBytes;
  const stream = fileStream(1, (_fd, bytes) => {
    taken.push(bytes.slice(0, room));
    room -= bytes.length;
    if (room < 0) throw failure('ENOSPC', -28);
  });
  stream.on('error', () => {});
  return stream;
}

test('a write that fails is noticed at once, and by all that follows', async () => {
  const stream = filling(5);
  await write(stream, '12345');
  await flush(stream);
  await expect(write(stream, '6')).rejects.toThrow(OutputError);
  await expect(flush(stream)).rejects.toThrow(OutputError);
  await expect(write(stream, '7')).rejects.toThrow('no space left on device');
});

test('a large write that fails is noticed at once', async () => {
  await expect(write(filling(100_000), 'x'.repeat(200_000))).rejects.toThrow(
    'cannot write standard output: no space left on device',
  );
});

test('what a file takes is in the order it was written', async () => {
  const taken: Uint8Array[] = [];
  const stream = filling(1e6, taken);
  for (let k = 0; k < 100; k++) await write(stream, `${k}\n`);
  await flush(stream);
  expect(Buffer.concat(taken).toString()).toBe(`${[...Array(100).keys()].join('\n')}\n`);
});

test('a reader that went away is not an output that failed', async () => {
  const gone = new Writable({
    write: (_chunk, _encoding, done) => setImmediate(done, failure('EPIPE', -32)),
  });
  const reasons: Error[] = [];
  watchOutput(gone, (reason) => reasons.push(reason));
  await write(gone, 'x');
  await expect(flush(gone)).rejects.toThrow(ReaderGone);
  expect(reasons).toEqual([expect.any(ReaderGone)]);
});

test('help that cannot be written is a failure', async () => {
  const notes: string[] = [];
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      notes.push(String(chunk));
      done();
    },
  });
  const stdin = new PassThrough();
  expect(await main(['--help'], { stdin, stdout: filling(10), stderr })).toBe(1);
  expect(notes.join('')).toMatch(/^chaff: cannot write standard output.*\n$/);
});
