import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExploredSample, exploreSample } from '../../test/explore-folder.ts';
import type { FolderAnswer } from './api/folder-routes.ts';
import { startExplorer } from './server.ts';

let sample: ExploredSample;

beforeAll(async () => {
  sample = await exploreSample();
});
afterAll(() => sample?.close());

/** A request with exactly these headers, which fetch would not let through. */
function raw(path: string, headers: Record<string, string>, method = 'GET') {
  const { port } = sample.explorer;
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, setHost: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode!, text }));
    });
    sent.on('error', reject).end();
  });
}

const token = () => new URL(sample.explorer.url).searchParams.get('token')!;
const cookie = () => `chaff-explore-${sample.explorer.port}=${token()}`;
const host = () => `127.0.0.1:${sample.explorer.port}`;

test('the URL with the token gives the page and a cookie that scripts cannot read', async () => {
  const answer = await fetch(sample.explorer.url);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const set = answer.headers.getSetCookie();
  expect(set).toHaveLength(1);
  expect(set[0]).toMatch(/HttpOnly; SameSite=Strict/);
});

test('requests without the token are refused', async () => {
  for (const path of ['/', '/sites', '/page.js', '/api/folder', '/api/sites', '/?token=', '/?token=wrong']) {
    const answer = await raw(path, { host: host() });
    expect([path, answer.status]).toEqual([path, 403]);
    expect(answer.text).not.toContain(sample.folder);
  }
  expect((await raw('/api/folder', { host: host(), cookie: `${cookie()}x` })).status).toBe(403);
  expect((await raw('/api/folder', { host: host(), cookie: cookie() })).status).toBe(200);
});

test('a foreign host name is refused, also with the token', async () => {
  for (const name of [
    'evil.example',
    `evil.example:${sample.explorer.port}`,
    '127.0.0.1',
    '127.0.0.1:1',
    '0.0.0.0',
  ]) {
    expect((await raw('/api/folder', { host: name, cookie: cookie() })).status).toBe(403);
    expect((await raw(`/?token=${token()}`, { host: name })).status).toBe(403);
  }
});

test('a foreign origin is refused, and a change without an origin too', async () => {
  for (const origin of ['http://evil.example', 'null', `https://${host()}`, 'http://127.0.0.1:1']) {
    expect((await raw('/api/folder', { host: host(), cookie: cookie(), origin })).status).toBe(403);
  }
  expect((await raw('/api/folder', { host: host(), cookie: cookie() }, 'POST')).status).toBe(403);
  const own = { host: host(), cookie: cookie(), origin: `http://${host()}` };
  expect((await raw('/api/folder', own, 'POST')).status).toBe(404);
  // the token in a URL opens the page, it does not change anything
  expect((await raw(`/api/folder?token=${token()}`, { host: host() }, 'POST')).status).toBe(403);
});

test('no path gives another file', async () => {
  for (const path of [
    '/../package.json',
    '/..%2f..%2f..%2fpackage.json',
    '/%2e%2e/server.ts',
    '//etc/passwd',
    '/page/../../server.ts',
    '/page.js%00.html',
  ]) {
    const { text } = await raw(path, { host: host(), cookie: cookie() });
    expect(text).toMatch(/^<!doctype html>/);
  }
});

test('every answer forbids inline scripts, framing and caching', async () => {
  for (const path of ['/', '/page.js', '/api/folder', '/api/nothing']) {
    const { headers } = await sample.ask(path);
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('the page gets the progress while the report is made', async () => {
  let finish = (_folder: string) => {};
  const folder = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const explorer = await startExplorer({
    source: (onProgress) => {
      onProgress({ stage: 'label', done: 1, total: 4, pages: 20, bytes: 1000 });
      return folder;
    },
  });
  try {
    const opened = await fetch(explorer.url);
    const headers = { cookie: opened.headers.getSetCookie()[0] };
    const ask = async (path: string) => fetch(new URL(path, explorer.url), { headers });
    expect((await (await ask('/api/folder')).json()) as FolderAnswer).toEqual({
      state: 'running',
      progress: { stage: 'label', done: 1, total: 4, pages: 20, bytes: 1000 },
    });
    expect((await ask('/api/sites')).status).toBe(503);
    finish(sample.folder);
    await explorer.opened;
    expect((await (await ask('/api/folder')).json()) as FolderAnswer).toMatchObject({
      state: 'ready',
      facts: { name: 'sample.chaff', detectors: ['joint', 'dom'] },
    });
  } finally {
    await explorer.close();
  }
});

test('the page shows why a folder cannot be opened', async () => {
  const explorer = await startExplorer({ source: async () => '/nowhere/at-all' });
  try {
    await explorer.opened;
    const opened = await fetch(explorer.url);
    const answer = await fetch(new URL('/api/folder', explorer.url), {
      headers: { cookie: opened.headers.getSetCookie()[0] },
    });
    expect((await answer.json()) as FolderAnswer).toMatchObject({ state: 'failed' });
  } finally {
    await explorer.close();
  }
});

test('a port that is taken fails at once', async () => {
  const started = startExplorer({ source: async () => sample.folder, port: sample.explorer.port });
  await expect(started).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
