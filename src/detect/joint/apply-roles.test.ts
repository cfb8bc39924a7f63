import { describe, expect, it } from 'vitest';
import * as layout from '../../kernel/block-layout.ts';
import type { Page } from '../../model/page.ts';
import type { RoleChoice } from '../../model/role.ts';
import { Parser } from '../../parse/parser.ts';
import { renderText } from '../../view/visible-text.ts';
import { applyRoles } from './apply-roles.ts';
import type { PageBlocks } from './block-reader.ts';
import { ROLE } from './block-roles.ts';
import { jointDetector } from './joint-detector.ts';

const parser = new Parser();
const paragraph = (k: number) =>
  `<p>In the ${k}th year the river rose by two metres, and the bridge at the mill was closed, as the council had feared. People walked to the ferry.</p>`;
const comment = (k: number) =>
  `<li class="comment"><p>I was there in year ${k}, and the ferry was late, as always, so we walked home along the bank.</p>`;
const html = `<title>Flood at the mill</title><nav><a href=/>Home</a> <a href=/news>News</a></nav>
  <article><h1>Flood at the mill</h1><p class="byline">By Ada North</p>${paragraph(1)}
  <figure><img src=x><figcaption>The mill, with water up to its windows</figcaption></figure>${paragraph(2)}${paragraph(3)}</article>
  <ol class="commentlist">${comment(4)}${comment(5)}</ol><footer>The Gazette, Mill Lane</footer>`;

function label(roles: RoleChoice | undefined, source = html, url = 'https://gazette.example/flood') {
  const detector = jointDetector(roles ? { roles } : {});
  const page = { url, time: '', site: 'gazette.example' } as Omit<Page, 'source'>;
  const parsed = () => ({ page, tree: parser.parse(new TextEncoder().encode(source)) });
  const model = detector.learn('gazette.example', [parsed()]);
  const ranges = detector.label(parsed(), model);
  return { ranges, text: renderText(parsed().tree, ranges) };
}

describe('roles in the text of a page', () => {
  it('by default the headline and captions are in, comments are out', () => {
    const { text } = label(undefined);
    for (const part of ['Flood at the mill', 'the 1th year', 'up to its windows'])
      expect(text).toContain(part);
    for (const part of ['Home', 'I was there', 'Mill Lane']) expect(text).not.toContain(part);
  });

  it('code between kept texts is in, however little it looks like prose', () => {
    const lines = Array.from(
      { length: 40 },
      (_, k) => `def f${k}(a, b):\n    return {a: b[${k}], 'x': a - b}`,
    );
    const page = html.replace('<figure>', `<pre>${lines.join('\n')}</pre><figure>`);
    expect(label(undefined, page).text).toContain("return {a: b[39], 'x': a - b}");
  });

  it('code of many lines is kept with the text around it, past a file name and buttons', () => {
    const { code, text } = ROLE;
    const roles = Uint8Array.from([text, text, text, ...Array(12).fill(code), text, text, code]);
    const kept = Uint8Array.from(roles, (_, block) => (block === 0 || block === 16 ? 1 : 0));
    const rows = new Float32Array(layout.ROW_FLOATS * roles.length).fill(10);
    const blocks = { count: roles.length, rows } as unknown as PageBlocks;
    const reasons = new Uint8Array(roles.length);
    applyRoles({ blocks, scores: new Float64Array(roles.length), kept, reasons }, { roles, isForum: false });
    expect([...kept]).toEqual([1, 0, 0, ...Array(12).fill(1), 0, 1, 0]);
  });

  it('comments are in where they are wanted, and on a forum', () => {
    expect(label({ with: ['comments'] }).text).toContain('I was there in year 5');
    const posts = Array.from({ length: 5 }, (_, k) => `<div class="postbody comment">${paragraph(k)}</div>`);
    const forum = `<title>Bridge</title><h1>Bridge</h1>${posts.join('')}`;
    expect(label(undefined, forum, 'https://gazette.example/viewtopic.php?t=2').text).toContain(
      'the 4th year',
    );
  });

  it('a page of comments on nothing is its comments', () => {
    const link = `<title>A link</title><h1><a href=/x>A link</a></h1><ol class="comments">${[1, 2, 3, 4, 5, 6].map(comment).join('')}</ol>`;
    expect(label(undefined, link).text).toContain('I was there in year 3');
  });

  it('a footer that differs from page to page is not text', () => {
    const time = html.replace('The Gazette, Mill Lane', 'Made in 0.031 s, with 14 requests for the page');
    expect(label(undefined, time).text).not.toContain('14 requests');
  });

  it('left out is left out: title, captions', () => {
    const { text } = label({ without: ['title', 'caption'] });
    expect(text).not.toContain('Flood at the mill');
    expect(text).not.toContain('up to its windows');
    expect(text).toContain('the 2th year');
  });

  it('only comments are the comments, and only text is text without a role', () => {
    const only = label({ only: ['comments'] })
      .text.trim()
      .split('\n');
    expect(only).toHaveLength(2);
    const { text } = label({ only: ['text'] });
    expect(text).toContain('the 3th year');
    for (const part of ['Flood at', 'windows', 'I was there', 'Home', 'Mill Lane'])
      expect(text).not.toContain(part);
  });

  it('ranges have one role each, kept or cut, and tile the page', () => {
    const { ranges } = label(undefined);
    let end = 0;
    for (const range of ranges) {
      expect(range.start).toBe(end);
      end = range.end;
    }
    expect(ranges[0]).toMatchObject({ label: 'template', role: undefined });
    expect(end).toBe(new TextEncoder().encode(html).length);
    const rolesOf = (wanted: string) =>
      new Set(ranges.filter(({ label }) => label === wanted).map(({ role }) => role));
    expect(rolesOf('content')).toContain('title');
    expect(rolesOf('content')).toContain('caption');
    for (const role of ['navigation', 'comments', 'footer']) expect(rolesOf('template')).toContain(role);
    const cut = ranges.find(({ role }) => role === 'comments');
    expect(html.slice(cut!.start, cut!.end)).toMatch(/^\s*<ol class="commentlist">.*<\/ol>$/s);
  });

  it('unknown roles and options are refused', () => {
    expect(() => jointDetector({ roles: { without: ['menu' as never] } })).toThrow('"menu" is not a role');
    expect(() => jointDetector({ roles: { except: [] } as never })).toThrow('unknown option "except"');
  });
});
