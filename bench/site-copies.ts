/**
 * The same real sites several times over, as other sites: every record as it was stored, but for the host of its
 * URL, which gets a label of the copy's before it. For what grows with the size of an archive and what does not.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { gzipMember } from '../src/research/generated-sites/write-archive.ts';

/** Copies 2 to `copies` of each archive (`.warc.gz`), written into the folder; the archives themselves are the first. */
export function copySites(archives: readonly string[], copies: number, folder: string): string[] {
  const all = [...archives];
  for (const archive of archives) {
    const bytes = gunzipSync(readFileSync(archive));
    for (let copy = 2; copy <= copies; copy++) {
      const name = join(folder, `copy-${copy}-${basename(archive)}`);
      writeCopy(bytes, name, `copy-${copy}.`);
      all.push(name);
    }
  }
  return all;
}

function writeCopy(bytes: Buffer, name: string, label: string): void {
  const file = openSync(name, 'w');
  for (let at = 0; at < bytes.length; ) {
    const headEnd = bytes.indexOf('\r\n\r\n', at, 'latin1');
    if (headEnd < 0) break;
    const head = bytes.toString('latin1', at, headEnd);
    const length = Number(/^content-length:\s*(\d+)/im.exec(head)?.[1] ?? 0);
    const end = Math.min(headEnd + 4 + length + 4, bytes.length);
    const renamed = head.replace(/^(warc-target-uri:\s*<?https?:\/\/)/im, `$1${label}`);
    writeSync(
      file,
      gzipMember(Buffer.concat([Buffer.from(renamed, 'latin1'), bytes.subarray(headEnd, end)])),
    );
    at = end;
  }
  closeSync(file);
}
