/** Runs the programs in examples/ as a user would. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { serveFiles } from '../static-server.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

const MENU = '<nav><a href="/">Home</a> <a href="/2.html">Second</a> <a href="/3.html">Third</a></nav>';
const pageOf = (k: number) =>
  `<title>Page ${k}</title>${MENU}<h1>Boat ${k}</h1><p>${`Boat ${k} came in with the tide and a hold of herring. `.repeat(3)}</p>`;

test('the crawler follows the links of a site and prints a row for each page', async () => {
  const server = await serveFiles({ '/': pageOf(1), '/2.html': pageOf(2), '/3.html': pageOf(3) });
  try {
    const args = [join(root, 'node_modules/tsx/dist/cli.mjs'), 'examples/crawler.ts', `${server.url}/`];
    const { stdout } = await promisify(execFile)('node', args, { cwd: root });
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ title, depth }) => [title, depth])).toEqual([
      ['Page 1', 1],
      ['Page 2', 1],
      ['Page 3', 1],
    ]);
    for (const { text } of rows) {
      expect(text).toContain('a hold of herring');
      expect(text).not.toContain('Third');
    }
  } finally {
    await server.close();
  }
});

test('the page shows what another page says', async () => {
  const read = (path: string) => readFileSync(join(root, path));
  const server = await serveFiles({
    '/examples/browser.html': read('examples/browser.html'),
    '/dist/core.js': read('dist/core.js'),
  });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}/examples/browser.html`);
    await page.fill('textarea', pageOf(7));
    await page.waitForFunction("document.getElementById('markdown').textContent !== ''");
    expect(await page.textContent('pre')).toMatch(/^# Boat 7\n\nBoat 7 came in with the tide/);
  } finally {
    await browser.close();
    await server.close();
  }
});
