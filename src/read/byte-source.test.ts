import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '../../test/seeded-random.ts';
import { fileSource, indexOfBytes, memorySource, takeBytes } from './byte-source.ts';

test('a window of any size gives the bytes of the file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
  const random = seededRandom(1);
  const bytes = Buffer.from(Array.from({ length: 5000 }, () => Math.floor(random() * 256)));
  writeFileSync(join(folder, 'file'), bytes);
  const fd = openSync(join(folder, 'file'), 'r');
  const windows = [
    { windowBytes: 1 },
    { windowBytes: 13, forwardBytes: 700 },
    { windowBytes: 512 },
    { windowBytes: 10_000 },
  ];
  for (const window of windows) {
    const source = fileSource(() => fd, { start: 100, end: 4900, ...window });
    for (let round = 0; round < 500; round++) {
      const offset = Math.floor(random() * 5000);
      const wantBytes = Math.floor(random() * 1000);
      const view = source.view(offset, wantBytes);
      expect(view.length).toBeGreaterThanOrEqual(Math.max(0, Math.min(wantBytes, 4800 - offset)));
      expect(
        Buffer.compare(
          view,
          bytes.subarray(100 + offset, 100 + offset + view.length).subarray(0, Math.max(0, 4800 - offset)),
        ),
      ).toBe(0);
    }
    const kept = takeBytes(source, 10, 20);
    source.view(3000, 100);
    expect(Buffer.compare(kept, bytes.subarray(110, 130))).toBe(0);
  }
  closeSync(fd);
  rmSync(folder, { recursive: true });
});

test('reading forward fetches more bytes at a time than jumping', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
  writeFileSync(join(folder, 'file'), Buffer.alloc(1_000_000));
  const fd = openSync(join(folder, 'file'), 'r');
  const source = fileSource(() => fd, { end: 1_000_000, windowBytes: 10, forwardBytes: 5000 });
  expect(source.view(900_000, 20).length).toBe(20);
  expect(source.view(100, 20).length).toBe(20);
  expect(source.view(300, 20).length).toBe(5000);
  expect(source.view(500_000, 20).length).toBe(20);
  closeSync(fd);
  rmSync(folder, { recursive: true });
});

test('a byte sequence is found wherever windows end', () => {
  const bytes = Buffer.from('aaabaaabaac');
  for (const windowBytes of [1, 2, 3, 50]) {
    const source = memorySource(bytes, { windowBytes });
    expect(indexOfBytes(source, Buffer.from('aac'), 0, 11)).toBe(8);
    expect(indexOfBytes(source, Buffer.from('aac'), 0, 10)).toBe(-1);
    expect(indexOfBytes(source, Buffer.from('baaa'), 1, 11)).toBe(3);
    expect(indexOfBytes(source, Buffer.from('x'), 0, 11)).toBe(-1);
  }
});
