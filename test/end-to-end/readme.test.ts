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
import { chaff } from '../command-line.ts';
import { runLine } from '../example-archives.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const readmeFile = join(root, 'README.md');
let readme = readFileSync(readmeFile, 'utf8');
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

test('the page before and after in README is what chaff page prints', async () => {
  const [, before = ''] = /<!-- before -->\n```html\n(.*?)```/s.exec(readme) ?? [];
  const [, after] = /<!-- after -->\n```\n(.*?)```/s.exec(readme) ?? [];
  writeFileSync(join(folder, 'article.html'), before);
  const { code, stdout } = await chaff(['page', join(folder, 'article.html'), '--format', 'text', '-q']);
  const [url, ...text] = stdout.trim().split('\n');
  expect(url).toMatch(/^# file:/);
  expect({ code, text: `${text.join('\n')}\n` }).toEqual({ code: 0, text: after });
});

test('the first commands of README print what it shows; UPDATE=1 writes that of chaff demo', {
  timeout: 300_000,
}, async () => {
  const shown = /^```\n\$ \.\/chaff demo\n(.*?)^```$/ms;
  const { code, stdout, stderr } = await runLine('chaff demo 2>&1', folder);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [output] = stdout.split('\n\nnext:');
  if (process.env.UPDATE === '1') {
    readme = readme.replace(shown, () => `\`\`\`\n$ ./chaff demo\n${output}\n\`\`\``);
    writeFileSync(readmeFile, readme);
  }
  expect(shown.exec(readme)?.[1]).toBe(`${output}\n`);

  const [, line, row] = /^\$ \.\/(chaff strip .*) \| head -n 1\n(.*)$/m.exec(readme) ?? [];
  const [first] = (await runLine(`${line} -q`, folder)).stdout.split('\n');
  for (const part of row.split('…')) expect(first).toContain(part.trim());
});

test('README has at most 150 lines', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(151);
});
