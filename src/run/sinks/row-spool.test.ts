import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PIECE_BYTES, RowSpool, readSpool } from './row-sink.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));

/** What becomes of rows: the sizes of the pieces, and all of them together. */
function spooled(name: string, rows: Uint8Array[]): { sizes: number[]; all: Buffer } {
  const path = join(folder, name);
  const spool = new RowSpool(path);
  for (const row of rows) spool.add(row);
  spool.close();
  const pieces = [...readSpool(path)];
  return { sizes: pieces.map(({ length }) => length), all: Buffer.concat(pieces) };
}

test('pieces hold whole rows, many of them or one that is large', () => {
  const small = Array.from({ length: 5 }, (_, k) => Buffer.alloc(PIECE_BYTES / 4, k));
  const large = Buffer.alloc(3 * PIECE_BYTES, 9);
  const { sizes, all } = spooled('rows', [...small, large, small[1]]);
  expect(sizes).toEqual([PIECE_BYTES, PIECE_BYTES / 4 + 3 * PIECE_BYTES, PIECE_BYTES / 4]);
  expect(all.equals(Buffer.concat([...small, large, small[1]]))).toBe(true);
});

test('a spool without rows, or with empty ones, has no pieces', () => {
  expect(spooled('none', []).sizes).toEqual([]);
  expect(spooled('empty', [new Uint8Array(0)]).sizes).toEqual([]);
});

test('what was added may change once its piece is ended', () => {
  const path = join(folder, 'changed');
  const spool = new RowSpool(path);
  const row = Buffer.from('first');
  spool.add(row);
  spool.flush();
  row.write('other');
  spool.add(row);
  spool.close();
  expect([...readSpool(path)].map(String)).toEqual(['first', 'other']);
});
