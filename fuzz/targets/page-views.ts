/**
 * Tests what is made of one page: its metadata, Markdown and HTML on small random pages, and all of `extract` on pages of 50
 * and 200 kB made to be slow (hostile-pages.ts).
 */
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { ParsedPage } from '../../src/detect/detector.ts';
import { readMetadata } from '../../src/metadata/read-metadata.ts';
import type { Page } from '../../src/model/page.ts';
import type { Range } from '../../src/model/range.ts';
import { Parser } from '../../src/parse/parser.ts';
import { extract } from '../../src/run/library/extract.ts';
import { makeInputPage } from '../../src/run/library/page-input.ts';
import { sharedDetector, unknownSite } from '../../src/run/library/shared-detector.ts';
import { renderHtml } from '../../src/view/html.ts';
import { renderMarkdown } from '../../src/view/markdown.ts';
import { htmlNodes } from '../../test/markdown-words.ts';
import { patternsOf, sourceFiles } from '../../test/regex-growth.ts';
import { pumpsOf } from '../../test/regex-pumps.ts';
import { type HostileTexts, hostilePage } from '../hostile-pages.ts';
import { mutate, pick } from '../mutate.ts';
import { promise, type Random, type Target } from '../target.ts';

const URL = 'https://hostile.example/news/2019/harbour.html';
const SIZES = [50_000, 200_000];
/** CPU time of a page per 1,000 bytes, in milliseconds. */
const MS_PER_KILOBYTE = 20;
/** Longer results are not read again by another parser, which may be slow itself. */
const MAX_READ_CHARACTERS = 20_000;
/** Bounds of metadata in characters (read-metadata.ts). */
const MAX_CHARACTERS = {
  title: 500,
  description: 1000,
  siteName: 200,
  author: 200,
  published: 40,
  modified: 40,
};

const parser = new Parser();
let texts: HostileTexts | undefined;

/** Parts of the patterns that pages reach. */
function hostileTexts(): HostileTexts {
  const folders = /^(?:analysis|detect|layout|metadata|model|parse|view)\//;
  texts ??= {
    pumps: sourceFiles()
      .filter((name) => folders.test(name))
      .flatMap(patternsOf)
      .flatMap(({ pattern }) => pumpsOf(pattern))
      .filter(({ suffix }) => suffix === ''),
  };
  return texts;
}

function smallPage(random: Random): Uint8Array {
  const page = Buffer.from(hostilePage(random, 2 ** (6 + random(7)), hostileTexts()).toWellFormed());
  return random(3)
    ? page
    : mutate(page, random, { tokens: ['<p>', '<b>', '"', '<a href=x>', '<td>', '<li>'] });
}

function judged(bytes: Uint8Array): ParsedPage & { page: Page; ranges: Range[] } {
  const source = Uint8Array.from(bytes);
  const page = makeInputPage(URL, { site: 'hostile.example', charset: 'UTF-8', source });
  const parsed = { page, tree: parser.parse(source) };
  return { ...parsed, ranges: sharedDetector().label(parsed, unknownSite()) };
}

/** The target `metadata`. */
export const metadataTarget: Target = {
  name: 'metadata',
  extension: 'html',
  msPerKilobyte: MS_PER_KILOBYTE,
  generate: smallPage,

  check(bytes) {
    const { title, metadata } = readMetadata(judged(bytes));
    const { words, linkDensity, sources, ...values } = { title, ...metadata };
    promise('numbers are in their range', words >= 0 && linkDensity >= 0 && linkDensity <= 1, () =>
      JSON.stringify({ words, linkDensity }),
    );
    for (const [field, value] of Object.entries(values)) {
      const shown = () => `${field} ${JSON.stringify(value)}`;
      promise('texts are well-formed', value.isWellFormed() && !/[\0-\x1f]/.test(value), shown);
      const most = MAX_CHARACTERS[field as keyof typeof MAX_CHARACTERS] ?? 4000;
      promise('texts are bounded', value.length <= most, shown);
      if (/^(?:canonical|image|licence)$/.test(field))
        promise('addresses are of the web', /^https?:\/\/[^\s<>"]+$/.test(value), shown);
      if (/^(?:published|modified)$/.test(field))
        promise('days are ISO 8601', /^\d{4}-\d\d(?:-\d\d(?:T\d\d:\d\d:\d\d\S*)?)?$/.test(value), shown);
      promise('values have a source', (field === 'title' && value === '') || field in sources, shown);
    }
  },
};

/** The target `markdown`. */
export const markdownTarget: Target = {
  name: 'markdown',
  extension: 'html',
  msPerKilobyte: MS_PER_KILOBYTE,
  generate: smallPage,

  check(bytes) {
    const { page, tree, ranges } = judged(bytes);
    // all of the page: text of templates is as hostile
    for (const kept of [ranges, []]) {
      const markdown = renderMarkdown(tree, kept, page);
      promise('Markdown is well-formed', markdown.isWellFormed(), () => markdown);
      if (markdown.length > MAX_READ_CHARACTERS) continue;
      const { html, urls } = htmlNodes(markdown);
      for (const piece of html)
        checkHtml(
          piece,
          /^(?:table|t[rhd]|caption|thead|tbody|tfoot|colgroup|col|sup|sub|br|a|img|b|i|em|strong|code|kbd|samp|tt|var|cite|del|s|strike|pre|p|div|ul|ol|li|dl|dt|dd|blockquote|h[1-6]|q|span)$/,
        );
      for (const url of urls) checkUrl(url);
    }
  },
};

/** The target `html`. */
export const htmlTarget: Target = {
  name: 'html',
  extension: 'html',
  msPerKilobyte: MS_PER_KILOBYTE,
  generate: smallPage,

  check(bytes) {
    const { page, tree, ranges } = judged(bytes);
    for (const kept of [ranges, []]) {
      const html = renderHtml(tree, kept, page);
      promise('HTML is well-formed', html.isWellFormed(), () => html);
      if (html.length <= MAX_READ_CHARACTERS) checkHtml(html, /./);
    }
  },
};

/** The target `extract`. */
export const extractTarget: Target = {
  name: 'extract',
  extension: 'html',
  msPerKilobyte: MS_PER_KILOBYTE,

  generate: (random) => Buffer.from(hostilePage(random, pick(random, SIZES), hostileTexts()).toWellFormed()),

  check(bytes) {
    const { regions, text, markdown, html, title } = extract(bytes, { url: URL });
    let end = 0;
    for (const region of regions) {
      promise('regions tile the page', region.start === end && region.end > end, () =>
        JSON.stringify(region),
      );
      end = region.end;
    }
    for (const result of [text, markdown, html, title])
      promise('results are well-formed', result.isWellFormed(), () => result.slice(0, 1000));
    const most = Math.max(100_000, MAX_OUTPUT_SHARE * bytes.length);
    const size = Math.max(text.length, markdown.length, html.length);
    promise('results are not much longer than the page', size <= most, () => `${size} of ${bytes.length}`);
  },
};
/** Markdown of a quote in a list in a quote has long lines. */
const MAX_OUTPUT_SHARE = 60;

const NEVER = /^(?:script|iframe|frame|object|embed|applet|svg|template|noscript|base|link|style|meta)$/;

/** Checks HTML as a browser reads it. */
function checkHtml(html: string, allowed: RegExp): void {
  const open: DefaultTreeAdapterTypes.Node[] = [parse(html)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ('childNodes' in node) open.push(...node.childNodes);
    if (!('attrs' in node)) continue;
    const { tagName, attrs } = node;
    const isOurs = (tagName === 'base' || tagName === 'meta') && html.includes('<meta charset="utf-8">');
    const isFrame = /^(?:html|head|body)$/.test(tagName);
    promise(
      'only safe elements',
      isFrame || isOurs || (allowed.test(tagName) && !NEVER.test(tagName)),
      () => `${tagName}\n${html}`,
    );
    for (const { name, value } of attrs) {
      promise('no handlers', !/^on|^srcdoc$|^formaction$|^http-equiv$/.test(name), () => `${name}\n${html}`);
      if (/^(?:href|src|action|cite|background|poster)$/.test(name)) checkUrl(value);
    }
  }
}

/** Browsers skip white space and controls in a scheme. */
function checkUrl(url: string): void {
  const plain = url.replace(/[\0-\x20\x7f-\xa0]/g, '');
  promise('no address that runs', !/^(?:javascript|vbscript|data:(?!image\/))/i.test(plain), () => url);
}
