/**
 * A small server of archived pages that uses a compression dictionary (RFC 9842). The first page a browser asks
 * for names the dictionary in a `Link` header; the browser fetches it when idle and says so with
 * `Available-Dictionary` from then on; pages are then sent as `dcb` or `dcz`.
 *
 * It listens on 127.0.0.1 only and answers only when asked by that name, so that no site can reach it through a
 * name of its own that leads here. Paths are looked up in a table: none gets near the file system. Archived
 * pages may not run scripts or fetch anything.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { dictionaryHash, encodeDcb, encodeDcz } from '../../src/index.ts';
import { type SentPage, statusPage } from './status-page.ts';

export const STATUS_PATH = '/-/status';
const DICTIONARY_FOLDER = '/-/dictionary/';
const REMEMBERED_PAGES = 200;
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'";

/** The ways a page can be sent, the preferred first; the two with a dictionary only to who has it. */
const ENCODINGS = ['dcb', 'dcz', 'br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number] | 'identity';

export interface PageServerOptions {
  /** HTML in UTF-8 by path and query, `/news?page=2`. */
  pages: ReadonlyMap<string, Uint8Array>;
  dictionary: Uint8Array;
  /** What to offer. @default all of `ENCODINGS` */
  encodings?: readonly Encoding[];
}

export function createPageServer({ pages, dictionary, encodings = ENCODINGS }: PageServerOptions): Server {
  const hash = dictionaryHash(dictionary);
  const dictionaryPath = `${DICTIONARY_FOLDER}${hash.toString('hex')}`;
  const available = `:${hash.toString('base64')}:`;
  const sent: SentPage[] = [];
  const bodies = new Map<string, Promise<Uint8Array>>();

  const encode = (path: string, source: Uint8Array, encoding: Encoding): Promise<Uint8Array> => {
    const key = `${encoding} ${path}`;
    let body = bodies.get(key);
    if (body === undefined) bodies.set(key, (body = encodeBody(source, dictionary, encoding)));
    return body;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/';
    const accepted = acceptedEncodings(request.headers['accept-encoding']);
    const hasDictionary = request.headers['available-dictionary'] === available;
    const offered = encodings.filter(
      (encoding) => accepted.has(encoding) && (hasDictionary || !encoding.startsWith('dc')),
    );
    if (path === dictionaryPath) {
      const encoding = offered.find((name) => !name.startsWith('dc')) ?? 'identity';
      send(request, response, await encode(path, dictionary, encoding), {
        'Content-Type': 'application/octet-stream',
        'Cache-Control': 'public, max-age=604800, immutable',
        'Use-As-Dictionary': 'match="/*"',
        Vary: 'Accept-Encoding',
        ...encodingHeader(encoding),
      });
      return;
    }
    const headers = {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': POLICY,
      'X-Content-Type-Options': 'nosniff',
    };
    if (path === STATUS_PATH || (path === '/' && !pages.has('/'))) {
      send(request, response, Buffer.from(statusPage(sent, [...pages.keys()], dictionary.length)), headers);
      return;
    }
    const source = pages.get(path);
    if (source === undefined) {
      refuse(response, 404, 'no such page');
      return;
    }
    const encoding = offered[0] ?? 'identity';
    const body = await encode(path, source, encoding);
    if (request.method === 'GET') {
      sent.push({ path, encoding, sourceBytes: source.length, sentBytes: body.length });
      if (sent.length > REMEMBERED_PAGES) sent.shift();
    }
    send(request, response, body, {
      ...headers,
      Vary: 'Accept-Encoding, Available-Dictionary',
      Link: `<${dictionaryPath}>; rel="compression-dictionary"`,
      ...encodingHeader(encoding),
    });
  };

  return createServer((request, response) => {
    if (!isOwnHost(request)) refuse(response, 421, 'this server answers to 127.0.0.1 and localhost only');
    else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      refuse(response, 405, 'pages can be read only');
    } else {
      answer(request, response).catch(() => {
        if (!response.headersSent) refuse(response, 500, 'the page could not be encoded');
        else response.destroy();
      });
    }
  });
}

/** Starts it; gives the port, a free one when asked for 0. */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function encodeBody(
  source: Uint8Array,
  dictionary: Uint8Array,
  encoding: Encoding,
): Promise<Uint8Array> {
  if (encoding === 'dcb') return encodeDcb(source, dictionary);
  if (encoding === 'dcz') return encodeDcz(source, dictionary);
  if (encoding === 'br') {
    return brotliCompressSync(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  }
  return encoding === 'gzip' ? gzipSync(source, { level: 6 }) : source;
}

/** The names in `Accept-Encoding` that are not refused by `q=0`. */
function acceptedEncodings(header: string | string[] | undefined): Set<string> {
  const names = new Set<string>();
  for (const item of String(header ?? '').split(',')) {
    const [name, ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) names.add(name);
  }
  return names;
}

function isOwnHost({ headers, socket }: IncomingMessage): boolean {
  return headers.host === `127.0.0.1:${socket.localPort}` || headers.host === `localhost:${socket.localPort}`;
}

function encodingHeader(encoding: Encoding): Record<string, string> {
  return encoding === 'identity' ? {} : { 'Content-Encoding': encoding };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  body: Uint8Array,
  headers: Record<string, string>,
): void {
  response.writeHead(200, { ...headers, 'Content-Length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(`${reason}\n`);
}
