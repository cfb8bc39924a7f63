/** The preset on twenty pages whose every byte is counted by hand. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff } from '../../../test/command-line.ts';
import { httpResponse, warcRecord } from '../../../test/sample-archives.ts';
import { FolderSql } from '../../store/folder-sql.ts';
import { readRunFile } from '../../store/run-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-gibson-'));
const archive = join(folder, 'site.warc');

const MENU = '<ul><li><a href="/">Home</a></ul>'; // 33 bytes, 4 of them text, a link
const FOOTER = '<p>All rights reserved by the Example Company.</p>'; // 50 bytes, 43 of them text
const TWICE = '<i>twice</i>'; // 12 bytes, 5 of them text

/** A paragraph that no other page or place has, too long for a gap. */
const own = (page: number, place: number) =>
  `<p>${Array.from({ length: 12 }, (_, word) => `w${page}x${place}x${word}`).join(' ')}</p>`;

/**
 * By occurrences on 20 pages, from 2 (10 %) up to 20: the menu has 20 and is template; the rules have 40 and are
 * not; the text "Edit this page" has 20, the links around it one each; the footer has 10, on nine pages; what
 * occurs twice on the first page has 2.
 */
function pageOf(page: number): string {
  const parts = [MENU, own(page, 0), '<hr>', own(page, 1), '<hr>', own(page, 2)];
  parts.push(`<a href="/edit/${page}">Edit this page</a>`, own(page, 3));
  if (page < 9) parts.push(FOOTER, own(page, 4));
  if (page === 0) parts.push(FOOTER, own(page, 5), TWICE, own(page, 6), TWICE, own(page, 7));
  return `<html><body>${parts.join('')}</body></html>`;
}

beforeAll(() => {
  const records = Array.from({ length: 20 }, (_, page) => {
    // the last one is an error page, which the paper's crawl had too
    const head = `HTTP/1.1 ${page === 19 ? '404 Not Found' : '200 OK'}\r\nContent-Type: text/html; charset=utf-8`;
    return warcRecord({ url: `http://paper.example/${page}`, block: httpResponse(pageOf(page), head) });
  });
  writeFileSync(archive, Buffer.concat(records));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Row {
  page: number;
  dom_html: number;
  dom_text: number;
  dom_links: number;
  links: number;
  text_text: number;
}

async function shares(...args: string[]): Promise<{ rows: Row[]; output: string }> {
  const output = join(folder, `out${args.join('')}`);
  const { code } = await chaff(['report', archive, '-o', output, '--workers', '0', '-q', ...args]);
  expect(code).toBe(0);
  const sql = await FolderSql.open(output);
  const { rows } = await sql.query(
    `SELECT split_part(url, '/', 4)::INTEGER AS page, dom_html_bytes, dom_text_bytes, dom_links, links, text_text_bytes
     FROM pages ORDER BY page`,
  );
  const found: Row[] = [];
  for await (const batch of rows) {
    for (const cells of batch) {
      const [page, dom_html, dom_text, dom_links, links, text_text] = cells.map(Number);
      found.push({ page, dom_html, dom_text, dom_links, links, text_text });
    }
  }
  sql.close();
  return { rows: found, output };
}

test('the preset counts occurrences of every node and window, and links by their tags', async () => {
  const { rows, output } = await shares('--preset', 'gibson-2005');
  expect(rows).toHaveLength(20);
  const of = (page: number) => rows[page];
  // menu 33 + "Edit this page" 14; texts 4 + 14, and the space before the latter; of two links the tag of Home
  expect(of(19)).toEqual({ page: 19, dom_html: 47, dom_text: 19, dom_links: 1, links: 2, text_text: 0 });
  // and a footer: 50 bytes of HTML; 43 of text and a space. Windows of 32 characters that occur ten times begin with
  // the last three characters of the paragraph before and end with the first of the next: "x11 All … Company. w"
  expect(of(5)).toEqual({ page: 5, dom_html: 97, dom_text: 63, dom_links: 1, links: 2, text_text: 49 });
  // and a second footer, and twice "twice": 50 + 2 × 12 bytes; texts 44 + 2 × 6
  expect(of(0)).toEqual({ page: 0, dom_html: 171, dom_text: 119, dom_links: 1, links: 2, text_text: 98 });
  expect(readRunFile(output).options.preset).toBe('gibson-2005');
  expect(readFileSync(join(output, 'report.html'), 'utf8')).toContain('<dt>preset</dt><dd>gibson-2005</dd>');
});

test('an option that is named wins over the preset', async () => {
  const { rows } = await shares('--preset', 'gibson-2005', '--links-by', 'text', '--statuses', '2xx');
  expect(rows).toHaveLength(19);
  expect(rows[5]).toMatchObject({ dom_html: 97, dom_links: 2 });
});

test('without the preset dom and text count pages, bound small nodes only, and skip error pages', async () => {
  const { rows } = await shares('--detector', 'dom');
  expect(rows).toHaveLength(19);
  // "twice" is on one page; links go by their words; the footer is on 9 of 19 pages, its windows end with words
  expect(rows[0]).toMatchObject({ dom_html: 147, dom_links: 2, text_text: 88 });
});
