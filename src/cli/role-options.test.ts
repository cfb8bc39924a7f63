import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff, rowsOf } from '../../test/command-line.ts';

const paragraph = (k: number) =>
  `<p>In the ${k}th year the river rose by two metres, and the bridge at the mill was closed, as the council had feared. People walked to the ferry.</p>`;
const HTML = `<!doctype html><title>Flood at the mill</title><nav><a href=/>Home</a> <a href=/news>News</a></nav>
  <article><h1>Flood at the mill</h1>${[1, 2, 3, 4].map(paragraph).join('')}</article>
  <ol class="commentlist"><li class="comment"><p>I was there, and the ferry was late, as always, so we walked home.</p></ol>`;

let folder: string;
let archive: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaff-roles-'));
  archive = join(folder, 'pages.jsonl');
  writeFileSync(archive, `${JSON.stringify({ url: 'https://gazette.example/flood', html: HTML })}\n`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function textOf(...options: string[]): Promise<string> {
  const result = await chaff(['strip', archive, ...options]);
  expect(result.code).toBe(0);
  return rowsOf(result)[0].text as string;
}

test('comments are out, in with --with, and alone with --only; the headline goes with --without', async () => {
  const text = await textOf();
  expect(text).toContain('Flood at the mill');
  expect(text).not.toContain('I was there');
  expect(await textOf('--with', 'comments')).toContain('I was there');
  expect((await textOf('--only', 'comments')).trim()).toMatch(/^I was there.*home\.$/);
  const without = await textOf('--without', 'title,captions');
  expect(without).not.toContain('Flood at the mill');
  expect(without).toContain('the 4th year');
});

test('rows of label have roles, and annotated pages show them with their shares', async () => {
  const [row] = rowsOf(await chaff(['label', archive]));
  const ranges = row.ranges as { label: string; role?: string }[];
  expect(ranges.filter(({ role }) => role === 'title')).toMatchObject([{ label: 'content' }]);
  expect(ranges.filter(({ role }) => role === 'comments')).toMatchObject([{ label: 'template' }]);
  expect(ranges.some((range) => !('role' in range))).toBe(true);
  const output = join(folder, 'annotated');
  expect((await chaff(['annotate', archive, '-o', output])).code).toBe(0);
  const html = readFileSync(join(output, '0000001.html'), 'utf8');
  expect(html).toContain('data-role="comments"');
  expect(html).toMatch(/of the text: <b>title<\/b> \d/);
});

test('wrong roles, contradictions and detectors without roles are refused in a sentence', async () => {
  const stderrOf = async (...options: string[]) => {
    const result = await chaff(['strip', archive, ...options]);
    expect(result.code).toBe(2);
    return result.stderr;
  };
  expect(await stderrOf('--only', 'coments')).toContain('"coments" is not a role. Did you mean comments?');
  expect(await stderrOf('--only', 'text', '--with', 'toc')).toContain('--only names everything that is kept');
  expect(await stderrOf('--with', 'toc', '--without', 'toc')).toContain('both in --with and in --without');
  expect(await stderrOf('--detector', 'dom', '--without', 'title')).toContain(
    '--without chooses by the roles of texts, which only joint finds, not dom',
  );
  const model = join(folder, 'dom.model');
  await chaff(['learn', archive, '--detector', 'dom', '-o', model]);
  expect(await stderrOf('--model', model, '--only', 'comments')).toContain('which only joint finds, not dom');
});
