/**
 * Serves pages with includes from the servers they are made for, nginx (SSI) and Varnish (ESI), with the
 * configuration that is written beside the pages. Every page must be served with its original bytes.
 * `scripts/servers.sh` installs the servers. With CHAFF_DATA a real site is served too; CHAFF_INCLUDE_SITE names
 * another one of its `sites/`.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ManifestRow } from '../../src/fragments/includes/style-writer.ts';
import { writeIncludes } from '../../src/fragments/includes/write-includes.ts';
import type { FragmentResult } from '../../src/fragments/shared-page.ts';
import { runFragments } from '../../src/run/fragments-run.ts';
import { analysePages } from '../analyse-pages.ts';
import { generatedPages, hostilePages, oddPages, randomPages, servedBytes } from '../include-pages.ts';
import { fetchPath, findServer, type Server, startNginx, startVarnish } from '../include-servers.ts';

const nginx = findServer('nginx');
const varnish = findServer('varnishd');
const site = process.env.CHAFF_INCLUDE_SITE ?? 'codersclub-pascal-ru';
const archive = join(process.env.CHAFF_DATA ?? '/nowhere', `sites/${site}.warc.gz`);

let root: string;
const running: Server[] = [];

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'chaff-servers-'));
});

afterAll(async () => {
  for (const server of running) await server.stop();
  rmSync(root, { recursive: true, force: true });
});

async function serve(style: 'ssi' | 'esi', folder: string): Promise<Server> {
  const files = await startNginx(nginx ?? '', join(folder, style));
  running.push(files);
  if (style === 'ssi') return files;
  const edge = await startVarnish(varnish ?? '', join(folder, style), files.port);
  running.push(edge);
  return edge;
}

/** URLs of the pages that a server does not send as they were. */
async function servedWrongly({ port }: Server, folder: string, result: FragmentResult): Promise<string[]> {
  const rows = readFileSync(join(folder, 'manifest.jsonl'), 'utf8').trim().split('\n');
  expect(rows).toHaveLength(result.pageCount);
  const wrong: string[] = [];
  let next = 0;
  await result.visitPages(async ({ page }) => {
    const { file } = JSON.parse(rows[next++]) as ManifestRow;
    const path = file.split('/').map(encodeURIComponent).join('/');
    const { status, body } = await fetchPath(port, `/${path}`);
    if (status !== 200 || Buffer.compare(body, servedBytes(page)) !== 0) wrong.push(page.url);
  });
  return wrong;
}

async function checkStyle(
  style: 'ssi' | 'esi',
  result: FragmentResult,
  includeCostBytes?: number,
): Promise<void> {
  const folder = mkdtempSync(join(root, `${style}-`));
  const { styles } = await writeIncludes(result, { folder, styles: [style], includeCostBytes });
  expect(styles[0].includes).toBeGreaterThan(result.pageCount / 4);
  const server = await serve(style, folder);
  expect(await servedWrongly(server, join(folder, style), result)).toEqual([]);
  const [fragment] = readdirSync(join(folder, style, '_fragments'));
  expect((await fetchPath(server.port, `/_fragments/${fragment}`)).status).toBe(404);
}

const without = (server: string | undefined, name: string): string =>
  server === undefined ? ` (skipped: no ${name}; scripts/servers.sh installs it)` : '';

const STYLES = [
  ['ssi', 'nginx', nginx],
  ['esi', 'Varnish', nginx && varnish],
] as const;

for (const [style, name, binary] of STYLES) {
  const note = without(binary, name);
  test.skipIf(binary === undefined)(`${name} serves a generated site byte for byte${note}`, async () => {
    await checkStyle(style, analysePages(generatedPages()));
  });

  test.skipIf(binary === undefined)(`${name} serves hostile and odd pages byte for byte${note}`, async () => {
    await checkStyle(style, analysePages([...hostilePages(), ...oddPages()]), 0);
  });

  test.skipIf(binary === undefined)(
    `${name} serves pages of random markup byte for byte${note}`,
    async () => {
      await checkStyle(style, analysePages(randomPages(400)), 0);
    },
  );

  const data = existsSync(archive) ? '' : ' (skipped: CHAFF_DATA holds no such site)';
  test.skipIf(binary === undefined || data !== '')(
    `${name} serves ${site} byte for byte${note}${data}`,
    async () => {
      await runFragments([archive], { workers: 0, useResult: (result) => checkStyle(style, result) });
    },
    600_000,
  );
}

test.skipIf(nginx === undefined)(`a page is found by its own URL${without(nginx, 'nginx')}`, async () => {
  const pages = generatedPages({ pages: 6 });
  const folder = mkdtempSync(join(root, 'url-'));
  await writeIncludes(analysePages(pages), { folder, styles: ['ssi'] });
  const { port } = await serve('ssi', folder);
  for (const page of pages) {
    const { pathname, search } = new URL(page.url);
    if (search !== '') continue;
    const { status, body } = await fetchPath(port, pathname);
    expect([page.url, status, body.equals(servedBytes(page))]).toEqual([page.url, 200, true]);
  }
});
