import { createHash } from 'node:crypto';
import { TextDecoder } from '@exodus/bytes/encoding.js';
import { expect, test } from 'vitest';
import { CHARSETS } from './languages.ts';
import { LANGUAGE_CODES } from './phrases.ts';
import {
  type GeneratedCapture,
  type GeneratedSiteOptions,
  generateSite,
  openSite,
} from './site-generator.ts';

const small: GeneratedSiteOptions = { seed: 7, host: 'news.example', pages: 40 };

test('true labels tile the source of every page, in every language and generation, tidy or not', () => {
  for (const language of LANGUAGE_CODES) {
    for (const soup of [false, true]) {
      for (const { truth, source } of generateSite({ ...small, pages: 11, generations: 4, language, soup })) {
        expect(truth[0].start).toBe(0);
        expect(truth.at(-1)!.end).toBe(source.length);
        const gap = truth.find((range, at) => at > 0 && range.start !== truth[at - 1].end);
        const twins = truth.find((range, at) => at > 0 && range.label === truth[at - 1].label);
        expect([gap, twins]).toEqual([undefined, undefined]);
      }
    }
  }
});

test('the stored bytes decode to the source in every charset', () => {
  for (const language of LANGUAGE_CODES) {
    for (const charset of CHARSETS[language]) {
      const decoder = new TextDecoder(charset, { fatal: true });
      for (const { html, source } of generateSite({
        ...small,
        pages: 10,
        generations: 4,
        language,
        charset,
      })) {
        expect(Buffer.from(decoder.decode(html)).equals(source)).toBe(true);
      }
    }
  }
});

test('the same options give the same bytes', () => {
  const options = { ...small, generations: 2, captures: 2, soup: true };
  expect(digestOf(generateSite(options))).toBe(digestOf(generateSite(options)));
});

test('a page depends neither on the number of pages nor on their order', () => {
  const wholeSite = [...generateSite({ ...small, captures: 2 })];
  const site = openSite({ ...small, pages: 90, captures: 2 });
  expect(digestOf([site.capture(31, 1)])).toBe(digestOf([wholeSite[40 + 31]]));
  expect(digestOf([site.capture(5, 0)])).toBe(digestOf([wholeSite[5]]));
});

test('another seed gives another site', () => {
  const [, one] = generateSite(small);
  const [, other] = generateSite({ ...small, seed: 8 });
  expect(textOf(one, 'content')).not.toBe(textOf(other, 'content'));
  expect(textOf(one, 'template')).not.toBe(textOf(other, 'template'));
});

test('a site has all page kinds, of ten to seventy kilobytes each', () => {
  const captures = [...generateSite({ ...small, pages: 101, generations: 4 })];
  expect(new Set(captures.map(({ kind }) => kind))).toEqual(
    new Set(['home', 'article', 'listing', 'product', 'forum']),
  );
  expect(new Set(captures.slice(0, 101).map(({ url }) => url)).size).toBe(101);
  for (const { source } of captures) {
    expect(source.length).toBeGreaterThan(10_000);
    expect(source.length).toBeLessThan(75_000);
  }
});

test('a site has only the requested page kinds', () => {
  const kinds = new Set([...generateSite({ ...small, kinds: ['product', 'forum'] })].map(({ kind }) => kind));
  expect(kinds).toEqual(new Set(['product', 'forum']));
});

test('two pages rarely share 32 characters of content', () => {
  for (const language of LANGUAGE_CODES) {
    const pagesWith = new Map<string, number>();
    let windows = 0;
    for (const capture of generateSite({
      ...small,
      pages: 24,
      language,
      kinds: ['article', 'product', 'forum'],
    })) {
      const text = textOf(capture, 'content')
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ');
      const own = new Set<string>();
      for (let at = 0; at + 32 <= text.length; at++) own.add(text.slice(at, at + 32));
      windows += own.size;
      for (const window of own) pagesWith.set(window, (pagesWith.get(window) ?? 0) + 1);
    }
    let shared = 0;
    for (const count of pagesWith.values()) if (count > 1) shared += count;
    expect(shared / windows, language).toBeLessThan(0.02);
  }
});

test('the menu of a section is the same on all its pages until a redesign', () => {
  const menus = (generation: number) => {
    const seen = new Map<string, number>();
    for (const capture of generateSite({ ...small, pages: 81, generations: 2, start: '2015-01-01' })) {
      if (capture.generation !== generation || capture.kind === 'home') continue;
      const menu = /<nav[\s\S]*?<\/nav>/.exec(Buffer.from(capture.source).toString())![0];
      seen.set(menu, (seen.get(menu) ?? 0) + 1);
    }
    return seen;
  };
  expect([...menus(0).values()]).toEqual([20, 20, 20, 20]);
  expect(new Set([...menus(0).keys(), ...menus(1).keys()]).size).toBe(8);
});

test('between two crawls a page keeps most of its content and gains comments', () => {
  const captures = [...generateSite({ ...small, captures: 2, kinds: ['article'] })];
  let changed = 0;
  let grown = 0;
  for (let at = 0; at < 40; at++) {
    const [before, after] = [captures[at], captures[40 + at]];
    expect(after.url).toBe(before.url);
    expect(after.time > before.time).toBe(true);
    if (textOf(before, 'content') !== textOf(after, 'content')) changed++;
    if (countComments(after) > countComments(before)) grown++;
  }
  expect(changed).toBeGreaterThan(5);
  expect(changed).toBeLessThan(40);
  expect(grown).toBeGreaterThan(2);
});

test('soup leaves tags open or out and attributes unquoted, and does not change words', () => {
  const words = (capture: GeneratedCapture) =>
    Buffer.from(capture.source)
      .toString()
      .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  const options: GeneratedSiteOptions = { ...small, start: '2005-01-01', kinds: ['listing'] };
  const tidy = [...generateSite(options)];
  const soup = [...generateSite({ ...options, soup: true })];
  for (let at = 0; at < 40; at++) {
    expect(soup[at].source.length).toBeLessThan(tidy[at].source.length);
    expect(words(soup[at])).toBe(words(tidy[at]));
  }
});

test('sites that share stories have the same articles in different templates and orders', () => {
  const articles = (host: string) => {
    const site = generateSite({ seed: 3, host, pages: 256, kinds: ['article'], stories: 7 });
    return new Map(Array.from(site, (capture) => [capture.story, capture]));
  };
  const [one, two] = [articles('one.example'), articles('two.example')];
  expect([...one.keys()].sort()).toEqual([...two.keys()].sort());
  expect(one.size).toBe(256);
  expect([...one.keys()]).not.toEqual([...two.keys()]);
  const paragraphs = (capture: GeneratedCapture) =>
    new Set(
      textOf(capture, 'content')
        .match(/<p[^>]*>[^<]{80,}/g)
        ?.map((text) => text.replace(/^<p[^>]*>/, '')),
    );
  let shared = 0;
  for (const [story, capture] of one) {
    const [a, b] = [paragraphs(capture), paragraphs(two.get(story)!)];
    shared += [...a].filter((text) => b.has(text)).length;
    expect(textOf(capture, 'template')).not.toBe(textOf(two.get(story)!, 'template'));
  }
  expect(shared).toBeGreaterThan(256 * 2);
});

test('wrong options are refused by name', () => {
  expect(() => [...generateSite({ ...small, pages: 0 })]).toThrow(
    'pages must be a whole number from 1, not 0',
  );
  expect(() => [...generateSite({ ...small, start: 'soon' })]).toThrow('start must be a day');
  expect(() => [...generateSite({ ...small, language: 'xx' as 'en' })]).toThrow('language must be one of');
});

function digestOf(captures: Iterable<GeneratedCapture>): string {
  const hash = createHash('sha256');
  for (const { html, source, ...rest } of captures)
    hash.update(JSON.stringify(rest)).update(html).update(source);
  return hash.digest('hex');
}

function textOf({ source, truth }: GeneratedCapture, label: string): string {
  const bytes = Buffer.from(source);
  return truth
    .filter((range) => range.label === label)
    .map(({ start, end }) => bytes.toString('utf8', start, end))
    .join('\n');
}

function countComments(capture: GeneratedCapture): number {
  return textOf(capture, 'content').split('data-comment=').length;
}
