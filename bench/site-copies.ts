/**
 * Copies real sites as other sites: every record is as it was stored, except for the host of its URL, which
 * gets a label with the number of the copy. It shows which costs grow with the size of an archive.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { gzipMember } from '../src/research/generated-sites/write-archive.ts';

/**
 * Writes copies 2 to `copies` of each archive (`.warc.gz`) into the folder; the archives themselves are the
 * first.
 */
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
