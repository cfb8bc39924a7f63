/** Serves given files on loopback, for browsers that refuse modules and workers from `file:`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

export async function serveFiles(
  files: Record<string, string | Uint8Array>,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(({ url = '/' }, response) => {
    const file = files[url];
    const type = TYPES[url.split('.').at(-1) ?? ''] ?? TYPES.html;
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': type }).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
