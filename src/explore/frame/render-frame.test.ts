import { expect, test } from 'vitest';
import { makeRange } from '../../detect/ranges.ts';
import { Parser } from '../../parse/parser.ts';
import { type FramePiece, renderFrame } from './render-frame.ts';

function frame(html: string, { cut = [] as number[] } = {}): string {
  const source = Buffer.from(html);
  const edges = [0, ...cut, source.length];
  const pieces = edges.slice(1).map(
    (end, k): FramePiece => ({
      ...makeRange(edges[k], end, k % 2 ? 'template' : 'content', 1, '', ''),
      tint: k % 2 ? 'template' : 'content',
      why: `"why" <${k}>`,
      number: k,
    }),
  );
  return renderFrame(new Parser().parse(source), {
    url: 'http://a.example/dir/page.html',
    pieces,
    resourceOf: (url, kind) =>
      url.startsWith('http://a.example/') ? `/r/${kind}/${url.slice(17)}` : undefined,
    pickOf: (number) => `/pick/${number}`,
  });
}

/** Without the style that the frame brings. */
const own = (html: string, options?: { cut?: number[] }) =>
  frame(html, options).replace(/<style>\nhtml\{[\s\S]*?<\/style>/, '');

test('scripts and outside addresses are removed', () => {
  const html =
    own(`<!DOCTYPE html><html onload=x()><head><base href="http://evil.example/"><meta http-equiv=refresh content="0;url=http://evil.example/">
    <script>alert(1)</script><link rel=preload href=http://evil.example/><link rel=stylesheet href=http://evil.example/a.css></head>
    <body onload="x()" background="http://evil.example/b.png"><a href="javascript:x()" onclick=x() ping=http://evil.example/>link</a>
    <form action="http://evil.example/"><input type=image src="http://evil.example/i.png" formaction=http://evil.example/></form>
    <iframe src="http://evil.example/" srcdoc="<script>1</script>"></iframe><object data=http://evil.example/></object><embed src=http://evil.example/>
    <img src=http://evil.example/x.png srcset="http://evil.example/y.png 2x" onerror=x()>
    <svg onload=x()><script>x()</script><a xlink:href="javascript:x()"><image href="http://evil.example/"/></a><use href="http://evil.example/#a"/></svg>
    <math><mtext><img src=x onerror=x()></mtext></math><p style="background:url(http://evil.example/)">text</p>
    <video src=http://evil.example/ poster=http://evil.example/p.png></video><template><script>x()</script></template></body></html>`);
  expect(html).not.toMatch(
    /evil\.example|javascript:|<script|\son\w+=|<base|http-equiv|<iframe|<object|<embed|<form[^>]+action/i,
  );
  expect(html).toContain('text');
});

test('styles and images of the archive are asked for there', () => {
  const html = own(`<link rel="stylesheet" href="s.css"><style>p{background:url(b.png)}</style>
    <img src="i.png" srcset="j.png 1x, http://b.example/k.png 2x"><img data-src="l.png" src="data:image/gif;base64,AA">`);
  for (const path of [
    '/r/style/dir/s.css',
    '/r/image/dir/b.png',
    '/r/image/dir/i.png',
    '/r/image/dir/j.png 1x"',
    '/r/image/dir/l.png',
  ])
    expect(html).toContain(path);
});

test('a piece of several texts is outlined whole when the address names it', () => {
  const html = frame('<p>one <b>two</b> three</p><p>other</p>', { cut: [27] });
  expect(html.match(/chaff-part-0"/g)).toHaveLength(2);
  expect(html).toContain('body:has(#chaff-0:target) .chaff-part-0{outline');
  expect(html).not.toContain('chaff-part-1');
});

test('every text is a link that picks its piece, and says why', () => {
  const html = own('<p>one two</p>', { cut: [6] });
  expect(html).toContain(
    'id="chaff-0" data-chaff="&quot;why&quot; &lt;0&gt;"><a class="chaff-a" href="/pick/0" tabindex="-1">one</a></chaff-t>',
  );
  expect(html).toContain('<chaff-t class="chaff-t chaff-template"');
});

test('a link of the page picks the piece that it is in', () => {
  expect(own('<a href="http://b.example/">x</a>')).toMatch(
    /<a id="chaff-node-\d+" href="\/pick\/0" tabindex="-1"><chaff-t /,
  );
});

test('text of the page is escaped', () => {
  const html = own(
    '<p>&lt;script&gt;x&lt;/script&gt;</p><textarea></textarea><xmp><b>x</b></xmp><title><b>t</b></title>',
  );
  expect(html).toContain('&lt;script&gt;x&lt;/script&gt;');
  expect(html).toContain('&lt;b&gt;x&lt;/b&gt;');
});

test('inline SVG is an image without scripts and addresses', () => {
  const html = own(
    '<svg width="10" viewBox="0 0 1 1"><script>x()</script><path d="M0 0" fill="url(http://e.example/)" onclick="x()"/></svg>',
  );
  const data = /data:image\/svg\+xml;base64,([\w+/=]+)/.exec(html)![1];
  expect(Buffer.from(data, 'base64').toString()).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="10" viewBox="0 0 1 1"><path d="M0 0"></path></svg>',
  );
});

test('the mode of an old page is kept', () => {
  expect(frame('<p>old')).toMatch(/^<html/);
  expect(frame('<!DOCTYPE html><p>new')).toMatch(/^<!DOCTYPE html>/);
});
