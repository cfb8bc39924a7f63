import { expect, test } from 'vitest';
import { markedPage } from '../../test/marked-page.ts';
import { annotatePage, renderAnnotated, renderAnnotateIndex } from './annotate-page.ts';

const PAGE = { url: 'https://example.org/"><script>alert(1)</script>', time: '2009-04-01T12:00:00Z' };

function annotated(marked: string): string {
  const { tree, ranges } = markedPage(marked);
  return renderAnnotated(tree, ranges, PAGE, { detector: 'dom', indexHref: 'index.html' });
}

test('whole elements and stretches of text are coloured, with their reason', () => {
  const html = annotated('{{<nav><a href=/>Home</a></nav>}}<p>Text {?maybe?} end</p>');
  expect(html).toContain(
    '<nav class="m t" tabindex="0" data-why="template · on 187 of 200 pages · score 0.90">',
  );
  expect(html).toContain(
    'Text <span class="m u" tabindex="0" data-why="unsure · too few pages · score 0.50">maybe</span> end',
  );
});

test('nothing from the page runs or is fetched', () => {
  const html = annotated(
    '<title></title><script>alert(2)</script><img src=x.png onerror=alert(3) alt="<b>a">' +
      '<p style="background:url(x)" onclick=alert(4)>&lt;script>alert(5)&lt;/script></p><a href="javascript:alert(6)">x</a>' +
      '<iframe src=y></iframe><svg><image href=z /></svg><form action=z><input value="&quot;><script>"></form>',
  );
  const body = html.slice(html.indexOf('<body>'));
  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'`);
  expect(body).not.toMatch(/<script|onerror=|onclick=|\ssrc=|javascript:|url\(|<iframe|<form/i);
  expect(body.match(/href=/g)).toEqual(['href=']); // the way back to the index
  expect(body).toContain('&lt;script&gt;alert(5)&lt;/script&gt;');
});

test('the legend shows the shares of text and HTML', () => {
  const { tree, ranges, source } = markedPage('{{<p>abcde</p>}}<p>fghij</p>');
  const { shares, html } = annotatePage(tree, ranges, PAGE);
  expect(shares.text).toEqual({ template: 5, slot: 0, content: 5, unsure: 0 });
  expect(shares.bytes.template + shares.bytes.content).toBe(source.length);
  expect(html).toContain('template <small>50 % of text, 50 % of HTML</small>');
});

test('the index lists pages by site, most template first, and links to files only', () => {
  const shares = (template: number) => ({
    bytes: { template, slot: 0, content: 10 - template, unsure: 0 },
    text: { template, slot: 0, content: 10 - template, unsure: 0 },
  });
  const entry = { time: '', site: 'b.example', title: '<i>t</i>', url: 'http://b.example/' };
  const html = renderAnnotateIndex([
    { ...entry, file: '1.html', shares: shares(2) },
    { ...entry, file: 'javascript:alert(1)', shares: shares(7) },
    { ...entry, site: 'a.example', file: 'x y.html', shares: shares(0) },
  ]);
  expect([...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1])).toEqual([
    './x%20y.html',
    './javascript%3Aalert(1)',
    './1.html',
  ]);
  expect(html).toContain('&lt;i&gt;t&lt;/i&gt;');
});
