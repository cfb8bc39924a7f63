/**
 * nginx and Varnish on loopback, for tests: started on free ports with the configuration that is written
 * beside the pages, stopped by their process ids.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';

/** Where a server is installed; undefined when it is not. */
export function findServer(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

export interface Server {
  port: number;
  stop(): Promise<void>;
}

/** nginx with the configuration of a folder of includes. */
export async function startNginx(binary: string, folder: string): Promise<Server> {
  const port = await freePort();
  const written = readFileSync(join(folder, 'nginx.conf'), 'utf8');
  // as root the workers would be another user, who may not read a temporary folder
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  const config = join(folder, 'on-free-port.conf');
  writeFileSync(config, user + written.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`));
  const child = spawn(binary, ['-p', folder, '-c', config, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return waitForPort(child, 'nginx', port);
}

/** Varnish with the VCL of a folder of includes, in front of a server of its files. */
export async function startVarnish(binary: string, folder: string, backendPort: number): Promise<Server> {
  const port = await freePort();
  const vcl = join(folder, 'on-free-port.vcl');
  const written = readFileSync(join(folder, 'default.vcl'), 'utf8');
  writeFileSync(vcl, written.replace(/\.port = "\d+"/, `.port = "${backendPort}"`));
  const work = join(folder, 'varnish');
  mkdirSync(work);
  const options = ['-F', '-j', 'none', '-a', `127.0.0.1:${port}`, '-f', vcl, '-n', work, '-s', 'malloc,256m'];
  const child = spawn(binary, options, { stdio: ['ignore', 'ignore', 'pipe'] });
  return waitForPort(child, 'varnishd', port);
}

export interface Answer {
  status: number;
  body: Buffer;
}

export function fetchPath(port: number, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, agent: false, timeout: 30_000 }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
      response.on('error', reject);
    });
    request.on('timeout', () => request.destroy(new Error(`no answer for ${path}`)));
    request.on('error', reject);
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

const START_MS = 60_000;

async function waitForPort(child: ChildProcess, name: string, port: number): Promise<Server> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(timer);
  };
  for (const start = Date.now(); Date.now() - start < START_MS; ) {
    if (child.exitCode !== null) throw new Error(`${name} ended at once: ${said}`);
    const up = await fetchPath(port, '/').then(
      () => true,
      () => false,
    );
    if (up) return { port, stop };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop();
  throw new Error(`${name} did not answer: ${said}`);
}
