import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { followReads, openSource } from '../read/byte-source.ts';
import { InputDigest } from './input-digest.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
const bytes = randomBytes(5000);
const path = join(folder, 'input.bin');
writeFileSync(path, bytes);
const expected = createHash('sha256').update(bytes).digest('hex');

test('the digest of a file is the same whatever was read of it before', () => {
  const spans = fc.array(fc.tuple(fc.nat(5000), fc.nat(2000)), { maxLength: 20 });
  fc.assert(
    fc.property(spans, (reads) => {
      const digest = new InputDigest(path);
      for (const [position, length] of reads)
        digest.take(bytes.subarray(position, position + length), position);
      expect(digest.finish()).toBe(expected);
    }),
  );
});

test('all bytes of a file that is read in order go to the digest', () => {
  const digest = new InputDigest(path);
  let taken = 0;
  const stop = followReads(path, (read, position) => {
    digest.take(read, position);
    taken += read.length;
  });
  const source = openSource(path, { windowBytes: 512 });
  for (let offset = 0; offset < bytes.length; offset += 100) source.view(offset, 100);
  stop();
  expect(taken).toBe(bytes.length);
  writeFileSync(path, randomBytes(10)); // what was read is not read again
  expect(digest.finish()).toBe(expected);
  writeFileSync(path, bytes);
});

test('the digest of a folder has the names and contents of its files', () => {
  const below = join(folder, 'below', 'deep');
  mkdirSync(below, { recursive: true });
  writeFileSync(join(below, 'b.txt'), 'two');
  writeFileSync(join(folder, 'below', 'a.txt'), 'one');
  const whole = createHash('sha256').update('a.txt\0onedeep/b.txt\0two').digest('hex');
  expect(new InputDigest(join(folder, 'below')).finish()).toBe(whole);
});
