import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { expect, test } from 'vitest';
import { markedPage } from '../../test/marked-page.ts';
import { type HtmlOptions, renderHtml } from './html.ts';

function htmlOf(marked: string, options?: HtmlOptions): string {
  const { tree, ranges } = markedPage(marked);
  return renderHtml(tree, ranges, { url: 'https://example.org/a' }, options);
}

/** All elements as a browser would read them. */
function elementsOf(html: string): { name: string; attributes: { name: string; value: string }[] }[] {
  const found: { name: string; attributes: { name: string; value: string }[] }[] = [];
  const open: DefaultTreeAdapterTypes.Node[] = [parse(html)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ('attrs' in node) found.push({ name: node.tagName, attributes: node.attrs });
    if ('childNodes' in node) open.push(...node.childNodes);
  }
  return found;
}

const HEAD = '<meta charset="utf-8"><base href="https://example.org/a">';

test('elements inside templates are gone, those covered in part keep balanced tags', () => {
  expect(
    htmlOf(
      '<div class=x>{{<nav><a href=/>Home</a></nav>}}<p>Text {{<b>ad</b> and}} more<p>two</div>{{<footer>f</footer>}}',
    ),
  ).toBe(`${HEAD}\n<div class="x"><p>Text  more</p><p>two</p></div>`);
});

test('the head keeps its title, the doctype stays', () => {
  expect(htmlOf('<!doctype html><html lang=en><head><title>T</title></head><body>a</body></html>')).toBe(
    `<!DOCTYPE html>\n<html lang="en"><head>${HEAD}<title>T</title></head><body>a</body></html>`,
  );
});

test('a page that is all template gives an empty text', () => {
  expect(htmlOf('{{<p>a</p>}}')).toBe('');
});

test('nothing in the HTML can run', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="java&#10;script:alert(1)">x</a>',
    '<a href=" javascript:alert(1)">x</a>',
    '<a href="&#x6A;avascript:alert(1)">x</a>',
    '<form action=javascript:alert(1)><button formaction=javascript:alert(1)>x</button></form>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data=x.swf></object><embed src=x.swf>',
    '<svg onload=alert(1)><a xlink:href="javascript:alert(1)"><script>alert(1)</script></a></svg>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
    '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<xmp><img src=x onerror=alert(1)></xmp>',
    '<textarea></textarea><textarea>&lt;/textarea><img src=x onerror=alert(1)></textarea>',
    '<div style="background:url(javascript:alert(1))" "onclick=alert(1)" /onclick=alert(1)>x</div>',
    '<p>1 <{{ x }}img src=x onerror=alert(1)>',
    '<link rel=stylesheet href=javascript:alert(1)><base href="javascript:alert(1)//">',
    '<template><script>alert(1)</script></template>',
    '<plaintext><img src=x onerror=alert(1)>',
  ];
  for (const page of hostile) {
    const html = htmlOf(page, { styles: true });
    for (const { name, attributes } of elementsOf(html)) {
      expect(name, page).not.toMatch(/^(?:script|iframe|object|embed|svg|math|template|noscript)$/);
      for (const attribute of attributes) {
        expect(attribute.name, page).not.toMatch(/^on|^srcdoc$|^http-equiv$/);
        if (attribute.name !== 'title')
          expect(attribute.value.replace(/\s/g, ''), page).not.toMatch(/^javascript:/i);
      }
    }
  }
});

test('styles are kept on request', () => {
  const page = '<style>p{color:red}</style><link rel=stylesheet href=a.css><p style="color:red">a</p>';
  expect(htmlOf(page)).toBe(`${HEAD}\n<p>a</p>`);
  expect(htmlOf(page, { styles: true })).toContain(
    '<style>p{color:red}</style><link rel="stylesheet" href="a.css">',
  );
});

test('a style ends where its end tag begins, whatever that tag holds', () => {
  expect(htmlOf('<style>p{color:red}</style a=">"><p>a', { styles: true })).toContain(
    '<style>p{color:red}</style>',
  );
});
