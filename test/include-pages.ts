/**
 * Collections for the tests of includes: ordinary generated pages, and pages that hold what an include
 * processor takes for its own, in their shared fragments and around them.
 */

import type { Page } from '../src/model/page.ts';
import { toUtf8 } from '../src/read/charset.ts';
import { keyOf, Random } from '../src/research/generated-sites/random.ts';
import { type GeneratedSiteOptions, generateSite } from '../src/research/generated-sites/site-generator.ts';

export function pageOf(url: string, body: string | Uint8Array, charsetLabel = ''): Page {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const { bytes: source, charset } = toUtf8(bytes, charsetLabel);
  const page: Page = {
    url,
    time: '2020-01-02T03:04:05Z',
    status: 200,
    mime: 'text/html',
    recordId: '',
    payloadDigest: '',
    file: 'memory',
    offset: 0,
    length: bytes.length,
    site: new URL(url).hostname,
    charset,
    source,
  };
  return source === bytes ? page : { ...page, body: bytes };
}

/** The bytes that a server must send for a page. */
export function servedBytes({ body, source }: Page): Uint8Array {
  return body ?? source;
}

export function generatedPages(options: Partial<GeneratedSiteOptions> = {}): Page[] {
  const site = generateSite({ seed: 7, host: 'generated.example', pages: 30, ...options });
  return [...site].map(({ url, html, charset }) => pageOf(url, html, charset));
}

const FILLER = 'Text that makes a fragment large enough to be worth a file of its own. '.repeat(8);

/** A menu that is the same on every page that asks for it, with something in the middle. */
export function menuOf(inside: string): string {
  return `<ul class="menu">\n  <li><a href="/a">${FILLER}</a></li>\n  <li>${inside}</li>\n</ul>`;
}

/** What one of the processors would interpret, swallow or choke on. */
const HOSTILE: Record<string, string> = {
  'an SSI include': '<!--#include virtual="/etc/passwd" -->',
  'an SSI command': '<!--#echo var="HTTP_HOST" --><!--#config errmsg="x" -->',
  'an open SSI command': '<!--#',
  'the start of an SSI command': 'x<!--',
  'an ESI include': '<esi:include src="/nowhere"/>',
  'an ESI comment': '<!--esi <p>seen</p> --><!--esi',
  'an ESI removal': '<esi:remove>gone</esi:remove></esi:remove><esi:comment text="x"/><esi:bogus>',
  'open CDATA': '<script>//<![CDATA[\nlet a = 1;\n</script>',
  'odd ends of comments': '<!-- a ---> b <!--> c --> <![CDATA[ d ]]]> e ]]>',
  'a bare less-than sign': 'a < b and c <',
  'an unclosed tag': '<b title="x',
  'Nunjucks output': '{{ secret }} {{ "a" }} {{{{ }}}}',
  'Nunjucks blocks': '{% raw %}{% endraw %}{% if x %}{% include "x" %}{%- endraw -%}',
  'Nunjucks comments': '{# hidden #} #} {#',
  'single braces': '{ {% { {{ {# { # } {',
  'quotes and backslashes': `"\\" ' \\n \\\\ \`$\{x}\` &quot;`,
  'NUL and control bytes': 'a\0b\x01\x0b\x0c\x1b\x7f',
  'carriage returns': 'a\r\nb\rc\n\rd\r\n\r\n',
  'line separators': 'a\u2028b\u2029c\u0085d\ufeffe',
  'dollar signs': "$& $1 $$ $` $'",
};

/** For every entry three pages that share a menu with it, and have it around the menu too. */
export function hostilePages(): Page[] {
  const pages: Page[] = [];
  Object.values(HOSTILE).forEach((hostile, kind) => {
    for (const copy of ['one', 'two', 'three']) {
      const url = `http://hostile.example/${kind}/${copy}.html`;
      const menu = menuOf(hostile);
      const row = `<div class="row"><h2>${copy} ${hostile}</h2><p title="${copy}">${FILLER}</p></div>`;
      pages.push(
        pageOf(url, `<html><body>\n${copy} ${hostile}${menu}${hostile}${row}${menu}<p>${copy}${hostile}`),
      );
      // ends with the menu, or starts with the hostile bytes themselves
      pages.push(pageOf(`${url}?end`, `<p>${copy}</p>${menuOf('plain')}${hostile}${menuOf('plain')}`));
      pages.push(pageOf(`${url}?start`, `${hostile}${menuOf('plain')}${copy}`));
    }
  });
  return pages;
}

/** Pages that are odd as a whole: empty, marked, in other charsets, damaged, with front matter. */
export function oddPages(): Page[] {
  const body = (text: string): string => `<html><body>${text}${menuOf('odd')}${text}</body></html>`;
  const russian = '\xcf\xf0\xe8\xe2\xe5\xf2';
  const chinese = '\xc4\xe3\xba\xc3';
  const pages: Page[] = [];
  for (const copy of ['1', '2', '3']) {
    const at = (name: string): string => `http://odd.example/${name}/${copy}`;
    const legacy = (text: string): Buffer => Buffer.from(body(`${text}${copy}`), 'latin1');
    pages.push(
      pageOf(at('front-matter'), `---\ntitle: x\n---\n${body(copy)}`),
      pageOf(at('marked'), `\ufeff${body(copy)}`),
      pageOf(at('marked-menu'), `\ufeff${menuOf('odd')}`),
      pageOf(at('windows-1251'), legacy(russian), 'windows-1251'),
      pageOf(at('windows-1252'), legacy('Gr\xfc\xdfe \x80'), 'windows-1252'),
      pageOf(at('gbk'), legacy(chinese), 'gbk'),
      pageOf(at('damaged'), legacy('caf\xe9 caf\xc3\xa9 caf\xc3\xa9'), 'utf-8'),
      pageOf(at('utf-16'), Buffer.from(`\ufeff${body(copy)}`, 'utf16le')),
      pageOf(at('only-menu'), menuOf('odd')),
      pageOf(at('text'), `no tag at all, number ${copy}`),
      { ...pageOf(at('empty'), ''), source: new Uint8Array(0) },
    );
  }
  return pages;
}

const TOKENS = [
  ...Object.values(HOSTILE),
  ...[
    '<',
    '>',
    '!',
    '-',
    '--',
    '-->',
    '[',
    ']]>',
    '<![CDATA[',
    '#',
    '/',
    'esi:',
    'esi',
    'include',
    '"',
    ' ',
    '\n',
  ],
  ...[
    '{',
    '}',
    '%',
    '{{',
    '}}',
    '{%',
    '%}',
    '#}',
    '\\',
    '&',
    '=',
    'src="/x"',
    '<p>',
    '</p>',
    '<b',
    'text',
    '\0',
  ],
];

/** Pages of tokens drawn at random, with menus that some of them share strewn in. */
export function randomPages(count: number, seed = 1): Page[] {
  return Array.from({ length: count }, (_, number) => {
    const random = new Random(keyOf(seed, number));
    let html = '';
    for (let left = 1 + (random.next() % 24); left > 0; left--) {
      // a menu of few kinds, so that pages share it
      if (random.next() % 5 === 0) html += menuOf(TOKENS[random.next() % 12]);
      else html += TOKENS[random.next() % TOKENS.length];
    }
    return pageOf(`http://random.example/${number}`, html);
  });
}
