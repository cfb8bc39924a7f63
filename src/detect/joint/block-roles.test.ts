import { describe, expect, it } from 'vitest';
import { CHOOSABLE_ROLES } from '../../model/role.ts';
import { Parser } from '../../parse/parser.ts';
import { BlockReader } from './block-reader.ts';
import { rolesOf } from './block-roles.ts';
import { blockWords } from './read-labelled-pages.ts';

const parser = new Parser();
const reader = new BlockReader();
const prose = 'The river rose by two metres in one night, and the bridge at the mill was closed. '.repeat(3);

/** The texts of a page by role. */
function read(html: string, url = 'https://example.org/a') {
  const tree = parser.parse(new TextEncoder().encode(html));
  const blocks = reader.read(tree, url);
  const texts = blockWords(tree, blocks);
  const { roles, isForum } = rolesOf(tree, blocks, url);
  const byRole: Record<string, string[]> = {};
  for (const [block, text] of texts.entries()) {
    const role = CHOOSABLE_ROLES[roles[block]];
    byRole[role] = [...(byRole[role] ?? []), text.trim()];
  }
  return { ...byRole, isForum } as Record<string, string[]> & { isForum: boolean };
}

function article(inside: string): string {
  return `<title>Flood at the mill - The Gazette</title><body><h1>The Gazette</h1><div class="post"><h2>Flood at the mill</h2>${inside}<p>${prose}</p><p>${prose}</p></div>`;
}

describe('roles of blocks', () => {
  it('the title is the heading that is like the page’s title, in one place, all lines of it', () => {
    const page = read(article('').replace('at the mill</h2>', 'at<br>the mill</h2>'));
    expect(page.title).toEqual(['Flood at', 'the mill']);
    expect(read(`<h1>An unlike heading</h1><p>${prose}</p>`).title).toEqual(['An unlike heading']);
    expect(read(`<p>${prose}</p>`).title).toBeUndefined();
  });

  it('byline, date and caption are known by names and tags, and are short', () => {
    const page = read(
      article(
        `<p class="byline">By Ada North</p><time>3 May 2012</time><figure><img src=x><figcaption>The mill</figcaption></figure>`,
      ),
    );
    expect(page.byline).toEqual(['By Ada North']);
    expect(page.date).toEqual(['3 May 2012']);
    expect(page.caption).toEqual(['The mill']);
    const wrapped = read(`<h1>A</h1><div class="author date caption"><p>${prose}</p><p>${prose}</p></div>`);
    expect(wrapped.text).toHaveLength(2);
  });

  it('a block with the name of a date and without a year or a time is not a date', () => {
    expect(read(article('<p class="date">3 May 2012</p>')).date).toEqual(['3 May 2012']);
    expect(read(article('<p class="date">Soon enough</p>')).date).toBeUndefined();
  });

  it('names of the state of a page or of a wrapper say nothing', () => {
    const page = read(
      `<body class="comments-open has-sidebar tag-footer"><div class="date-outer"><div class="post-with-author related"><h1>Flood</h1><p>${prose}</p><p>${prose}</p></div></div>`,
    );
    expect(page.text).toHaveLength(2);
  });

  it('everything in the list of comments is a comment; the link to the list and the form below it are not', () => {
    const page = read(
      article('<a class="comments-link" href="#comments">3 comments</a>').replace(
        /$/,
        `<div id="comments"><div class="comment"><span class="author">Bo</span><time>4 May 2012</time><p>${prose}</p></div>
        <div class="comment"><p>So true.</p></div><form id="respond"><label>Name</label></form></div>`,
      ),
    );
    expect(page.comments).toEqual(['Bo4 May 2012', prose.trim(), 'So true.']);
    expect(page.text).toEqual(['The Gazette', '3 comments', prose.trim(), prose.trim(), 'Name']);
  });

  it('a count of comments inside a paragraph does not make it a comment', () => {
    const page = read(`<h1>Bridge</h1><p><a class="comments_count" href=x>0</a>${prose}</p><p>${prose}</p>`);
    expect(page.comments).toBeUndefined();
  });

  it('a long list of comments is not a wrapper', () => {
    const page = read(`${article('')}<ol class="commentlist">${`<li><p>${prose}</p>`.repeat(20)}</ol>`);
    expect(page.comments).toHaveLength(20);
  });

  it('posts of a forum are text', () => {
    const posts = `<div class="postbody comment"><p>${prose}</p></div>`.repeat(4);
    const page = read(`<h1>Bridge?</h1>${posts}`, 'https://example.org/viewtopic.php?t=12');
    expect(page.isForum).toBe(true);
    expect(page.comments).toBeUndefined();
    expect(read(article('')).isForum).toBe(false);
  });

  it('menus, breadcrumbs, related links, footers and legal notes are regions', () => {
    const links = (...names: string[]) => names.map((name) => `<li><a href=x>${name}</a>`).join('');
    const page = read(
      `<ul class="main-nav">${links('Home', 'News')}</ul><div class="breadcrumbs"><a href=x>Home</a></div>
      ${article('')}<div id="related-posts"><h3>Read also</h3><ul>${links('A storm')}</ul></div>
      <footer><p>The Gazette, Mill Lane</p><p class="copyright">© 2012</p></footer>`,
    );
    expect(page.navigation).toEqual(['Home', 'News']);
    expect(page.breadcrumb).toEqual(['Home']);
    expect(page.related).toEqual(['Read also', 'A storm']);
    expect(page.footer).toEqual(['The Gazette, Mill Lane']);
    expect(page.legal).toEqual(['© 2012']);
  });

  it('a table of contents is links; code has signs; a table of facts has rows of short cells', () => {
    const row = '<tr><th>Height<td>2 m';
    const page = read(
      article(
        `<div class="table-of-contents"><a href="#a">Start</a></div><pre>if (a) { b = c[0]; }</pre>
        <pre>${prose}</pre><table>${row.repeat(3)}</table><table><tr><td><p>${prose}</p><td>a<td>b<td>c</table>`,
      ),
    );
    expect(page.toc).toEqual(['Start']);
    expect(page.code).toEqual(['if (a) { b = c[0]; }']);
    expect(page.facts).toHaveLength(6);
  });
});
