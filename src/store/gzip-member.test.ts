import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { writeGzipMember } from './gzip-member.ts';

function gzip(bytes: Uint8Array): Buffer {
  const pieces: Buffer[] = [];
  writeGzipMember(bytes, (piece) => pieces.push(Buffer.from(piece)));
  return Buffer.concat(pieces);
}

test('members are read one after the other', () => {
  const parts = ['', 'a', 'line\n'.repeat(1000), 'é 漢字 😀'].map((text) => Buffer.from(text));
  for (const part of parts) expect(gunzipSync(gzip(part)).equals(part)).toBe(true);
  expect(gunzipSync(Buffer.concat(parts.map(gzip))).equals(Buffer.concat(parts))).toBe(true);
});

test('a member has the same bytes on every machine', () => {
  // header, a block that is stored, checksum and size
  expect(gzip(Buffer.from('abc')).toString('hex')).toBe(
    ['1f8b08000000000004ff', '010300fcff', '616263', 'c2412435', '03000000'].join(''),
  );
  expect(gzip(Buffer.from('chaff '.repeat(50))).toString('hex')).toBe(
    '1f8b08000000000004ffedd0410d00000001c02aaa99cdf44fa082003e17e014dab8cb40010615218d2c010000',
  );
});
