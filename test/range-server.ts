/** Serves files on loopback with range requests, and with the faults that a test asks for. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  path: string;
  start: number;
  end: number;
}

/** Answers a request itself when it returns true. `count`: requests before this one. */
export type Fault = (request: IncomingMessage, response: ServerResponse, count: number) => boolean;

export interface RangeServer {
  url: string;
  /** Ranges that were asked for. */
  asked: Asked[];
  close(): Promise<void>;
}

export async function serveRanges(
  files: Record<string, Uint8Array>,
  { fault, ranges = true }: { fault?: Fault; ranges?: boolean } = {},
): Promise<RangeServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const file = files[path];
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const start = Number(from ?? 0);
    const end = file ? Math.min(Number(to ?? file.length) + 1, file.length) : 0;
    const count = asked.push({ path, start, end }) - 1;
    if (fault?.(request, response, count)) return;
    if (file === undefined) response.writeHead(404).end();
    else if (!ranges || from === undefined)
      response.writeHead(200, { 'content-length': file.length }).end(file);
    else if (start >= file.length)
      response.writeHead(416, { 'content-range': `bytes */${file.length}` }).end();
    else {
      const head = { 'content-range': `bytes ${start}-${end - 1}/${file.length}`, etag: '"one"' };
      response.writeHead(206, { ...head, 'content-length': end - start }).end(file.subarray(start, end));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
