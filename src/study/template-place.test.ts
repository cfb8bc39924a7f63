import { expect, test } from 'vitest';
import type { Range } from '../model/range.ts';
import type { Role } from '../model/role.ts';
import { Parser } from '../parse/parser.ts';
import { TemplatePlaces } from './template-place.ts';

const parser = new Parser();

/**
 * Returns the place of the part in brackets `[[…]]`, as a template of a page whose part in `{{…}}` is
 * content.
 */
function placeOf(marked: string, role?: Role) {
  const html = marked.replace(/\[\[|\]\]|\{\{|\}\}/g, '');
  const part = (open: string, close: string, other: RegExp): [number, number] => {
    const plain = marked.replace(other, '');
    const start = plain.indexOf(open);
    return [start, plain.indexOf(close) - 2];
  };
  const [start, end] = part('[[', ']]', /\{\{|\}\}/g);
  const template: Range = { start, end, label: 'template', score: 1, template: 't', reason: '', role };
  const ranges = [template];
  if (marked.includes('{{')) {
    const [from, to] = part('{{', '}}', /\[\[|\]\]/g);
    ranges.push({ ...template, start: from, end: to, label: 'content', template: '', role: undefined });
  }
  const tree = parser.parse(Buffer.from(html));
  return new TemplatePlaces(tree, ranges).of(template);
}

test('a template that is one element has the path of the element and the role of its tag', () => {
  expect(placeOf('<body><div id=top>[[<nav class=main><a href=/>Home</a></nav>]]</div>{{<p>Text}}')).toEqual({
    role: 'menu',
    place: 'div#top > nav.main',
  });
});

test('a named element with all the text of a wrapper is used instead of the wrapper', () => {
  expect(placeOf('<body>[[<div><div class=x><footer class=site>Imprint</footer></div></div>]]')).toEqual({
    role: 'footer',
    place: 'div > div.x > footer.site',
  });
});

test('several siblings are represented by the element around them', () => {
  const items = '<li><a href=/a>Alpha</a><li><a href=/b>Beta</a><li><a href=/c>Gamma</a>';
  expect(placeOf(`<body><ul class="side-list">[[${items}]]</ul>`)).toEqual({
    role: 'menu',
    place: 'ul.side-list',
  });
});

test('words of names give the role; those of the body do not', () => {
  expect(placeOf('<body class="sidebar footer"><div class=siteFooter>[[<p>Imprint</p>]]</div>').role).toBe(
    'footer',
  );
  expect(placeOf('<body class="sidebar footer">[[<p>Imprint</p>]]').role).toBe('block');
  expect(placeOf('<body><div id=masthead>[[<p>Daily</p>]]</div>').role).toBe('header');
});

test('the role of the joint detector comes first, with its name in reports', () => {
  expect(placeOf('<body><footer>[[<p>Home</p>]]</footer>', 'navigation').role).toBe('menu');
  expect(placeOf('<body>[[<p>Home</p>]]', 'toc').role).toBe('contents');
  expect(placeOf('<body>[[<p>Home</p>]]', 'legal').role).toBe('legal');
});

test('without names, links make a menu, and the position before or after the content decides', () => {
  const menu = '<p><a href=/a>Alpha</a> <a href=/b>Beta</a> <a href=/c>Gamma</a></p>';
  expect(placeOf(`<body>[[${menu}]]{{<p>Text}}`).role).toBe('menu');
  expect(placeOf('<body>[[<p>Welcome</p>]]{{<p>Text}}').role).toBe('header');
  expect(placeOf('<body>{{<p>Text</p>}}[[<p>Bye</p>]]').role).toBe('footer');
  expect(placeOf('<body>[[<p>Bye</p>]]').role).toBe('block');
});

test('the head of the document and markup without text have roles of their own', () => {
  expect(placeOf('<head>[[<meta name=a><link href=b>]]</head><body>{{<p>Text}}').role).toBe('head');
  expect(placeOf('<body>{{<p>Text</p>}}[[<div class=clear></div>]]')).toEqual({
    role: 'markup',
    place: 'div.clear',
  });
});

test('an id or class with a number of one page is omitted from the path', () => {
  const html =
    '<body><article class="post-280 post"><div class=entry>[[<p class=share>Share</p>]]</div></article>';
  expect(placeOf(html).place).toBe('article.post > div.entry > p.share');
  expect(placeOf('<body><article id=post-1225 class=post>[[<p class=share>Share</p>]]</article>').place).toBe(
    'article.post > p.share',
  );
});

test('a single link is represented by the block around it', () => {
  expect(placeOf('<body><p class=mail>Write: [[<a href=/m>us</a>]]</p>').place).toBe('p.mail');
});

test('a span without an element has the path of the element around it', () => {
  expect(placeOf('<body><p class=mail>[[Write to us]]</p>').place).toBe('p.mail');
  expect(placeOf('[[ ]]').place).toBe('');
});
