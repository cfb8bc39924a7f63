import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The package as somebody else gets it: packed, installed into an empty folder, used there. */

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = mkdtempSync(join(tmpdir(), 'chaff-package-'));
const run = (command: string, args: string[]) =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

beforeAll(() => {
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    stdio: 'ignore',
  });
  const [packed] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', `./${packed}`]);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('npx chaff works after installing the package', () => {
  expect(run('npx', ['chaff', '--version'])).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('an installed chaff strips a folder of pages', () => {
  const pages = join(folder, 'example.org');
  mkdirSync(pages);
  for (let i = 0; i < 12; i++) {
    const own = `Story ${i}: ${'the quick brown fox was seen near mill number'.repeat(3)} ${i * 7919}.`;
    const menu = '<nav><a href="/">Home</a> <a href="/about">About this place and its keepers</a></nav>';
    writeFileSync(join(pages, `${i}.html`), `<title>Story ${i}</title>${menu}<p>${own}</p>`);
  }
  const rows = run('npx', ['chaff', 'strip', '-q', 'example.org']).trim().split('\n');
  expect(rows).toHaveLength(12);
  for (const row of rows.map((line) => JSON.parse(line))) {
    expect(row.text).toContain('quick brown fox');
    expect(row.text).not.toContain('keepers');
  }
});

test('an installed chaff judges a page alone, by the model that comes with it', () => {
  const menu = ['Home', 'News', 'Weather', 'Contact'].map(
    (name) => `<li><a href="/${name}">${name}</a></li>`,
  );
  const story =
    '<p>The harbour was quiet in the morning, and the boats had not yet left for the sea.</p>'.repeat(8);
  const html = `<title>Harbour</title><div class="nav menu"><ul>${menu.join('')}</ul></div><div><h1>Harbour</h1>${story}</div>`;
  writeFileSync(join(folder, 'harbour.html'), html);
  const [row] = run('npx', ['chaff', 'page', '-q', 'harbour.html']).trim().split('\n');
  const { text, sections } = JSON.parse(row);
  expect(text).toContain('quiet in the morning');
  expect(text).not.toContain('Weather');
  expect(sections.length).toBeGreaterThan(0);
});

test('the installed library exports what README names', () => {
  const script = "import('chaff').then((it) => console.log(Object.keys(it).sort().join(' ')))";
  const names = run('node', ['-e', script]).trim().split(' ');
  expect(names).toEqual(expect.arrayContaining(['label', 'learn', 'openArchive', 'strip']));
});

const STORY = '<nav><a href="/">Home</a></nav><h1>Harbour</h1><p>The boats had not yet left for the sea.</p>';

test.each(['chaff', 'chaff/core'])(
  '%s is extracted with by require and by import, without a warning',
  (name) => {
    const use = `Promise.resolve(extract(${JSON.stringify(STORY)})).then(({ text }) => console.log(text));`;
    writeFileSync(join(folder, 'script.cjs'), `const { extract } = require('${name}'); ${use}`);
    writeFileSync(join(folder, 'script.mjs'), `import { extract } from '${name}'; ${use}`);
    for (const script of ['script.cjs', 'script.mjs']) {
      const { stdout, stderr } = spawnSync('node', [script], { cwd: folder, encoding: 'utf8' });
      expect([script, stdout, stderr]).toEqual([
        script,
        'Harbour\nThe boats had not yet left for the sea.\n',
        '',
      ]);
    }
  },
);

test('import and require give the same library', () => {
  const script =
    "const it = require('chaff'); import('chaff').then((other) => console.log(it.extract === other.extract));";
  writeFileSync(join(folder, 'script.cjs'), script);
  expect(run('node', ['script.cjs'])).toBe('true\n');
});

test('the types hold for modules of both kinds', () => {
  const program = `import { extract, strip, SiteModels } from 'chaff';
    import { load } from 'chaff/core';
    const { text }: { text: string } = extract('<p>one');
    const rows = strip([{ url: 'https://a.example/', html: text, id: 7 }], new SiteModels([]));
    export const first = rows.next().then(({ value }) => value?.id satisfies number);
    export const core = load();`;
  for (const name of ['program.mts', 'program.cts']) writeFileSync(join(folder, name), program);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023'];
  const { stdout } = spawnSync('node', [tsc, ...options, '--skipLibCheck', 'program.mts', 'program.cts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
});

test('the browser driver is not installed unasked, and who asks for a browser hears how to get it', () => {
  expect(existsSync(join(folder, 'node_modules/playwright-core'))).toBe(false);
  writeFileSync(join(folder, 'one.html'), STORY);
  const args = ['chaff', 'page', 'one.html', '--layout', 'browser'];
  const { status, stderr } = spawnSync('npx', args, { cwd: folder, encoding: 'utf8' });
  expect(stderr).toContain('npm install playwright-core');
  expect(status).not.toBe(0);
});

test('publint and attw find no fault in the package', () => {
  const { status, stdout } = spawnSync('node', ['scripts/check-package.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([0, expect.stringContaining('All good!')]);
}, 120_000);
