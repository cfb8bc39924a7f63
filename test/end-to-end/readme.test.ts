import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { writeSampleArchive } from '../../src/research/generated-sites/write-archive.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'chaff-readme-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the library example in README runs as it stands', async () => {
  const example = /<!-- example -->\n```ts\n(.*?)```/s.exec(readme)?.[1] ?? '';
  expect(example).toContain("from 'chaff'");
  const { warc, captures } = await writeSampleArchive(folder, { sites: 1, pagesPerSite: 12, odd: false });
  renameSync(warc, join(folder, 'crawl.warc.gz'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/chaff'), 'dir');
  writeFileSync(join(folder, 'example.mjs'), example);
  const env = { ...process.env, FORCE_COLOR: '0' }; // a build server may ask node to colour numbers
  const output = execFileSync('node', ['example.mjs'], { cwd: folder, encoding: 'utf8', env });
  expect(output.match(/^https?:\S+ \d+$/gm)).toHaveLength(captures);
  expect(output).toMatch(/on all 11 other pages of the site/);
});
