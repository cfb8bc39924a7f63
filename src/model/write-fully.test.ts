import { closeSync, openSync, readFileSync, rmSync, type writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFully } from './write-fully.ts';

const bytes = Buffer.from('0123456789');

/** A file descriptor that takes a few bytes per call and answers `EAGAIN` to every second call. */
function slowFile(mostBytes: number) {
  const taken: [text: string, at: unknown][] = [];
  let calls = 0;
  const writeSome = ((_fd: number, from: Uint8Array, start: number, length: number, at: number | null) => {
    if (calls++ % 2 === 1) throw Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' });
    const count = Math.min(mostBytes, length);
    taken.push([Buffer.from(from).toString('latin1', start, start + count), at]);
    return count;
  }) as typeof writeSync;
  return { taken, writeSome };
}

test('short writes and busy descriptors lose no byte', () => {
  const { taken, writeSome } = slowFile(4);
  writeFully(1, bytes, { writeSome });
  expect(taken).toEqual([
    ['0123', null],
    ['4567', null],
    ['89', null],
  ]);
});

test('a short write at a position continues after the written bytes', () => {
  const { taken, writeSome } = slowFile(6);
  writeFully(1, bytes, { position: 100, writeSome });
  expect(taken).toEqual([
    ['012345', 100],
    ['6789', 106],
  ]);
});

test("the system's error is thrown, also after a part was written", () => {
  let calls = 0;
  const writeSome = (() => {
    if (calls++ === 0) return 3;
    throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  }) as typeof writeSync;
  expect(() => writeFully(1, bytes, { writeSome })).toThrow('full');
});

test('a write that takes no bytes is an error, not an endless loop', () => {
  expect(() => writeFully(1, bytes, { writeSome: (() => 0) as typeof writeSync })).toThrow(
    'nothing was written',
  );
});

test('the file has all the bytes', () => {
  const path = join(tmpdir(), `chaff-write-fully-${process.pid}`);
  const fd = openSync(path, 'w');
  try {
    writeFully(fd, bytes);
    writeFully(fd, bytes);
    writeFully(fd, Buffer.from('ab'), { position: 3 });
    expect(readFileSync(path, 'latin1')).toBe('012ab567890123456789');
  } finally {
    closeSync(fd);
    rmSync(path);
  }
});
