import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '../../test/sample-archives.ts';
import { fileSource, indexOfBytes, memorySource, takeBytes } from './byte-source.ts';

test('a file through a window of any size is its bytes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
  const random = seededRandom(1);
  const bytes = Buffer.from(Array.from({ length: 5000 }, () => Math.floor(random() * 256)));
  writeFileSync(join(folder, 'file'), bytes);
  const fd = openSync(join(folder, 'file'), 'r');
  for (const windowBytes of [1, 13, 512, 10_000]) {
    const source = fileSource(() => fd, { start: 100, end: 4900, windowBytes });
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

test('a stretch is found wherever windows end', () => {
  const bytes = Buffer.from('aaabaaabaac');
  for (const windowBytes of [1, 2, 3, 50]) {
    const source = memorySource(bytes, { windowBytes });
    expect(indexOfBytes(source, Buffer.from('aac'), 0, 11)).toBe(8);
    expect(indexOfBytes(source, Buffer.from('aac'), 0, 10)).toBe(-1);
    expect(indexOfBytes(source, Buffer.from('baaa'), 1, 11)).toBe(3);
    expect(indexOfBytes(source, Buffer.from('x'), 0, 11)).toBe(-1);
  }
});
