/** Pages of WARC files for benchmarks: the bodies of HTML responses as they were stored, without decoding. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** A page as its archive stores it. */
export interface StoredPage {
  url: string;
  body: Uint8Array;
}

/** Returns all pages of a file, or about `sample` of them, evenly spread. */
export function readStoredPages(file: string, sample = Number.POSITIVE_INFINITY): StoredPage[] {
  const bytes = gunzipSync(readFileSync(file));
  const pages: StoredPage[] = [];
  for (let at = 0; at < bytes.length; ) {
    const headEnd = bytes.indexOf('\r\n\r\n', at, 'latin1');
    if (headEnd < 0) break;
    const head = bytes.toString('latin1', at, headEnd);
    const start = headEnd + 4;
    const end = start + Number(/^content-length:\s*(\d+)/im.exec(head)?.[1] ?? 0);
    at = end + 4;
    if (!/^warc-type:\s*response/im.test(head)) continue;
    const bodyStart = bytes.indexOf('\r\n\r\n', start, 'latin1') + 4;
    if (
      bodyStart < start + 4 ||
      !/^content-type:\s*[^\r\n]*html/im.test(bytes.toString('latin1', start, bodyStart))
    )
      continue;
    const url = /^warc-target-uri:\s*<?([^\s>]*)/im.exec(head)?.[1] ?? '';
    pages.push({ url, body: new Uint8Array(bytes.subarray(bodyStart, end)) });
  }
  const step = Math.max(1, Math.floor(pages.length / sample));
  return pages.filter((_, i) => i % step === 0);
}
