import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { chaff } from '../../test/command-line.ts';
import { menuOf } from '../../test/include-pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-cli-includes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function pagesFile(): string {
  const path = join(folder, 'pages.jsonl');
  const rows = [1, 2, 3].map((n) => {
    const html = `<body><h1>Page ${n}</h1>${menuOf('x')}<p>${n} {{ braces }}</p></body>`;
    return JSON.stringify({ url: `http://a.example/${n}`, html });
  });
  writeFileSync(path, `${rows.join('\n')}\n`);
  return path;
}

const run = (...args: string[]) => chaff(['fragments', pagesFile(), '--workers', '0', '--top', '0', ...args]);

test('--includes writes every style, rebuilds every page and says so', async () => {
  const out = join(folder, 'includes');
  const { code, stderr } = await run('--includes', out, '--include-cost', '0');
  expect(code).toBe(0);
  for (const style of ['ssi', 'esi', 'nunjucks']) {
    expect(stderr).toMatch(
      new RegExp(`^includes \\(${style}\\): 3 pages rebuilt byte for byte; 1 fragment; .* % saved\\)$`, 'm'),
    );
    expect(readdirSync(join(out, style))).toEqual(
      expect.arrayContaining(['README.md', 'manifest.jsonl', 'pages']),
    );
  }
});

test('--include-style writes one style', async () => {
  const out = join(folder, 'one');
  await run('--includes', out, '--include-style', 'esi');
  expect(readdirSync(out).sort()).toEqual(['chaff-includes.json', 'esi']);
});

test("a folder with somebody else's files is refused before any work", async () => {
  const out = join(folder, 'taken');
  const output = join(folder, 'not-written');
  await run('--includes', out);
  rmSync(join(out, 'chaff-includes.json'));
  const { code, stderr, stdout } = await run('--includes', out, '-o', output);
  expect([code, stdout, existsSync(output)]).toEqual([2, '', false]);
  expect(stderr).toContain('not empty');
});

test('structural fragments alone are refused where they cannot be included', async () => {
  const out = join(folder, 'structural');
  for (const style of ['all', 'ssi', 'esi']) {
    const { code, stderr } = await run(
      '--relation',
      'structural',
      '--includes',
      out,
      '--include-style',
      style,
    );
    expect([code, existsSync(out)]).toEqual([2, false]);
    expect(stderr).toContain('--include-style nunjucks');
  }
  const nunjucks = ['--relation', 'structural', '--includes', out, '--include-style', 'nunjucks'];
  expect((await run(...nunjucks)).code).toBe(0);
});
