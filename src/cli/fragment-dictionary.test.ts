import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { chaff } from '../../test/command-line.ts';
import { generateSite } from '../research/generated-sites/site-generator.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-dictionary-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const input = join(folder, 'pages.jsonl');
const rows = [...generateSite({ seed: 5, host: 'news.example', pages: 16 })].map(({ url, source }) =>
  JSON.stringify({ url, html: Buffer.from(source).toString() }),
);
writeFileSync(input, rows.map((row) => `${row}\n`).join(''));

test('--dictionary writes the file, the table of what it saves, and the figures into the folder', async () => {
  const file = join(folder, 'site.dict');
  const output = join(folder, 'out');
  const size = ['--dictionary-size', '20000'];
  const args = ['fragments', input, '--workers', '0', '-o', output, '--dictionary', file, ...size];
  const { code, stderr } = await chaff(args);
  expect(code).toBe(0);
  const bytes = readFileSync(file).length;
  expect(bytes).toBeGreaterThan(2000);
  expect(bytes).toBeLessThanOrEqual(20_000);
  expect(stderr).toMatch(
    /^news\.example: a dictionary of [\d,]+ bytes from \d+ pages, measured on \d+ other page/m,
  );
  expect(stderr).toMatch(/^bytes per page +mean +median +total +of gzip$/m);
  expect(stderr).toMatch(/^gzip 6 +[\d,]+ +[\d,]+ +[\d,]+ +100 %$/m);
  expect(stderr).toMatch(/^brotli 5 with dictionary +[\d,]+ +[\d,]+ +[\d,]+ +\d\d %$/m);
  expect(stderr).toMatch(/^dictionaries: 1 site, [\d,]+ bytes; on \d+ pages? not used for them/m);
  expect(stderr).toContain(`in ${file}; beside it a .zdict for .warc.zst\n`);
  const figures = JSON.parse(readFileSync(join(output, 'fragments', 'compression.json'), 'utf8'));
  expect(figures.sites[0]).toMatchObject({ site: 'news.example', dictionaryBytes: bytes });
});

test('a folder or a size that cannot be is refused before any work', async () => {
  const folderName = await chaff(['fragments', input, '--dictionary', folder]);
  expect(folderName.code).toBe(2);
  expect(folderName.stderr).toContain('is a folder');
  const size = await chaff(['fragments', input, '--dictionary', 'x', '--dictionary-size', '12']);
  expect(size.code).toBe(2);
  expect(size.stderr).toContain('from 1024 to 8388608');
});

test('pages that share too little leave no file and say so', async () => {
  const alone = join(folder, 'alone.jsonl');
  writeFileSync(alone, `${rows[0]}\n`);
  const { code, stderr } = await chaff([
    'fragments',
    alone,
    '--workers',
    '0',
    '--dictionary',
    join(folder, 'n.dict'),
  ]);
  expect(code).toBe(0);
  expect(stderr).toContain('dictionaries: none, the pages share too little\n');
});
