// A rival from end to end: converts each HTML page of `.warc.gz` archives to Markdown with mdream (Rust) and
// writes one JSON line per page. bench/end-to-end.bench.ts measures the whole process. The archives are read
// in the fastest way that Node offers: each file is inflated at once by zlib.
//
//     node bench/archive-to-markdown.mjs ARCHIVE…
import { readFileSync, writeSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { htmlToMarkdown } from 'mdream';

const DECODERS = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync };
const FLUSH_CHARACTERS = 1 << 20;

let rows = '';
for (const archive of process.argv.slice(2)) {
  for (const { url, html } of readPages(gunzipSync(readFileSync(archive)))) {
    rows += `${JSON.stringify({ url, text: htmlToMarkdown(html, { minimal: true, origin: url }) })}\n`;
    if (rows.length > FLUSH_CHARACTERS) flush();
  }
}
flush();

/** Yields the HTML pages with status 200. */
function* readPages(bytes) {
  for (let at = 0; at < bytes.length; ) {
    const headEnd = bytes.indexOf('\r\n\r\n', at, 'latin1');
    if (headEnd < 0) return;
    const head = bytes.toString('latin1', at, headEnd);
    const end = headEnd + 4 + Number(field(head, 'content-length') ?? 0);
    if (field(head, 'warc-type') === 'response') {
      const page = readResponse(bytes.subarray(headEnd + 4, end));
      if (page !== undefined)
        yield { url: field(head, 'warc-target-uri')?.replace(/^<|>$/g, ''), html: page };
    }
    at = end + 4;
  }
}

function readResponse(block) {
  const headEnd = block.indexOf('\r\n\r\n', 0, 'latin1');
  if (headEnd < 0) return undefined;
  const head = block.toString('latin1', 0, headEnd);
  const type = field(head, 'content-type') ?? '';
  if (!/^HTTP\/\S+ 200/.test(head) || !type.includes('html')) return undefined;
  try {
    let body = block.subarray(headEnd + 4);
    if (/chunked/i.test(field(head, 'transfer-encoding') ?? '')) body = joinChunks(body);
    const decode = DECODERS[field(head, 'content-encoding')?.toLowerCase()];
    if (decode) body = decode(body);
    return new TextDecoder(/charset=["']?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8').decode(body);
  } catch {
    return undefined;
  }
}

/**
 * Returns the body, with chunks joined. Many archives keep the header of a transfer encoding that they have
 * removed.
 */
function joinChunks(body) {
  const chunks = [];
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf('\r\n', at, 'latin1');
    const size = Number.parseInt(body.toString('latin1', at, Math.min(lineEnd, at + 16)), 16);
    if (lineEnd < 0 || Number.isNaN(size)) return chunks.length > 0 ? Buffer.concat(chunks) : body;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}

function field(head, name) {
  return new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*$`, 'im').exec(head)?.[1];
}

function flush() {
  const bytes = Buffer.from(rows);
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
  rows = '';
}
