import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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

test('require loads the installed library as import does', () => {
  const script =
    "const it = require('chaff'); console.log(Object.keys(it).sort().join(' ')); it.judgePage('<p>one</p>');";
  writeFileSync(join(folder, 'script.cjs'), script);
  const names = run('node', ['script.cjs']).trim().split(' ');
  expect(names).toEqual(
    expect.arrayContaining(['crossDetector', 'domDetector', 'judgePage', 'pageDetector', 'textDetector']),
  );
});
