/**
 * An archive that means to be misread: a page holds, uncompressed, the bytes of another gzip member with a capture of
 * its own, and before it what should come before a member where the page's own ended.
 */
import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { gzipEach, httpResponse, warcRecord } from './sample-archives.ts';

export const FORGED_URL = 'http://forged.example/';
export const HOLDING_URL = 'http://holding.example/';

const BLOCK_BYTES = 20_000;

/** A page with varied text, longer than what a survey looks at. */
export function longPage(seed: number, words = 2000): string {
  const text = Array.from({ length: words }, (_, k) => `word${(seed * 7919 + k * k * 31) % 9973}`);
  return `<!doctype html><html><body><p>${text.join(' ')}</p></body></html>`;
}

/** Three members: a page, the page that holds the forged one, another page. */
export function forgedArchive(): Buffer {
  const [before, after] = [1, 2].map((seed) =>
    warcRecord({ url: `http://a.example/${seed}`, html: longPage(seed) }),
  );
  return Buffer.concat([gzipEach([before]), holdingMember(), gzipEach([after])]);
}

function holdingMember(): Buffer {
  const record = (block: Buffer) => warcRecord({ url: HOLDING_URL, block });
  const sizeBytes = record(Buffer.alloc(BLOCK_BYTES)).length;
  const size = Buffer.alloc(4);
  size.writeUInt32LE(sizeBytes);
  const start = Buffer.from(httpResponse(longPage(3, 700)));
  const block = Buffer.concat([start, size, forgedMember(sizeBytes)]);
  const bytes = record(Buffer.concat([block, Buffer.alloc(BLOCK_BYTES - block.length, ' ')]));
  return gzipHalf(bytes, bytes.indexOf(start) + start.length);
}

/** A member whose bytes are compressed up to a place, and stored as they are from there on. */
function gzipHalf(bytes: Buffer, place: number): Buffer {
  const compressed = deflateRawSync(bytes.subarray(0, place), { finishFlush: constants.Z_FULL_FLUSH });
  const lengths = Buffer.alloc(5);
  lengths[0] = 1; // the last block, stored
  lengths.writeUInt16LE(bytes.length - place, 1);
  lengths.writeUInt16LE(~(bytes.length - place) & 0xffff, 3);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(bytes), 0);
  trailer.writeUInt32LE(bytes.length, 4);
  const header = gzipSync('').subarray(0, 10);
  return Buffer.concat([header, compressed, lengths, bytes.subarray(place), trailer]);
}

/** It says that it is as large as the page around it, so that it seems to end with that. */
function forgedMember(sizeBytes: number): Buffer {
  const record = (length: number) =>
    warcRecord({
      url: FORGED_URL,
      html: longPage(4, 800),
      fields: { 'Content-Length': String(length).padStart(6, '0') },
    });
  const headerBytes = record(0).indexOf('\r\n\r\n') + 4;
  return gzipSync(record(sizeBytes - headerBytes - 4));
}
