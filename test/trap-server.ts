/** A server on this machine that must not get a request: it counts and answers those that it gets. */
import { createServer, type Server, type Socket } from 'node:net';

export interface Trap {
  /** `http://127.0.0.1:PORT` */
  origin: string;
  port: number;
  /** Connections so far, whether or not anything was asked. */
  visits(): number;
  close(): Promise<void>;
}

export async function openTrap(): Promise<Trap> {
  let visits = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    visits++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/css\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    visits: () => visits,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
