/**
 * What every detector promises, tested once for all: `testDetector(domDetector())` in a test file. Its
 * ranges are ordered, disjoint and tile the page; its scores lie in [0, 1]; the same pages give the same
 * model in any order; a model that was written and read again labels alike.
 */
import { expect, test } from 'vitest';
import type { Detector, ParsedPage, SiteModel } from '../src/detect/detector.ts';
import { BottomK, bottomK } from '../src/detect/sample.ts';
import type { Page } from '../src/model/page.ts';
import type { Range } from '../src/model/range.ts';
import { Parser } from '../src/parse/parser.ts';
import { parseHeld } from './held-tree.ts';

export function testDetector<Model extends SiteModel>(
  detector: Detector<Model>,
  name: string = detector.name,
  /** Pattern of the reason of a template on the 24 pages of the sample site. */
  reason = /\d+ of 24 pages/,
  /** Whether it judges a page without others of its site. */
  judgesAlone = false,
): void {
  const site = samplePages(24);

  test(`${name}: ranges are ordered, disjoint and tile the source`, () => {
    const model = learn(detector, site);
    for (const page of [...site, ...oddPages()]) checkRanges(page.source, labelOne(detector, model, page));
  });

  test(`${name}: templates have an id and a reason, content has neither`, () => {
    const model = learn(detector, site);
    for (const page of site) {
      for (const range of labelOne(detector, model, page)) {
        if (range.label === 'content') expect([range.template, range.reason]).toEqual(['', '']);
        else {
          expect(range.template).toMatch(/^[0-9a-f]{16}$/);
          expect(range.reason).toMatch(reason);
        }
      }
    }
  });

  test(`${name}: the same pages give the same labels`, () => {
    const [first, second] = [learn(detector, site), learn(detector, site)];
    for (const page of site)
      expect(labelOne(detector, second, page)).toEqual(labelOne(detector, first, page));
  });

  test(`${name}: the pages in any order give an equal model`, () => {
    const bytes = detector.encode(learn(detector, site));
    expect(detector.encode(learn(detector, [...site].reverse()))).toEqual(bytes);
    const shuffled = site.map((_, i) => site[(i * 7 + 5) % site.length]);
    expect(detector.encode(learn(detector, shuffled))).toEqual(bytes);
  });

  test(`${name}: parts of a site that were sampled separately and merged give the model of the whole`, () => {
    const size = 16; // fewer than the pages, so that each part has pages that the whole leaves out
    const whole = bottomK(site, size, 5);
    expect(whole.length).toBe(size);
    const parts = [0, 1, 2].map((part) => {
      const drawn = new BottomK<Page>(size, 5);
      // pages that two parts have count once
      for (const [i, page] of site.entries()) if (i % 3 === part || i % 5 === part) drawn.add(page);
      return drawn;
    });
    const model = detector.encode(learn(detector, whole));
    for (const order of [parts, [...parts].reverse()]) {
      const merged = new BottomK<Page>(size, 5);
      for (const part of order) merged.merge(part);
      expect(detector.encode(learn(detector, merged.items()))).toEqual(model);
    }
    expect(detector.encode(learn(detector, parts[0].items()))).not.toEqual(model);
  });

  test(`${name}: pages whose trees are kept give the model and the labels that refilled ones give`, () => {
    const kept = site.map((page) => ({ ...parsePage(page), kept: true }));
    const ofKept = detector.learn('a.example', kept);
    const model = learn(detector, site);
    expect(detector.encode(ofKept)).toEqual(detector.encode(model));
    for (const [i, parsed] of kept.entries()) {
      expect(detector.label(parsed, ofKept)).toEqual(labelOne(detector, model, site[i]));
    }
  });

  test(`${name}: a model written and read again is equal and labels alike`, () => {
    const model = learn(detector, site);
    const bytes = detector.encode(model);
    const again = detector.decode(bytes);
    expect(detector.encode(again)).toEqual(bytes);
    expect(again).toEqual(model);
    for (const page of site) expect(labelOne(detector, again, page)).toEqual(labelOne(detector, model, page));
  });

  test(`${name}: a model is plain data that can be sent to a worker`, () => {
    const model = learn(detector, site);
    const clone = structuredClone(model);
    for (const page of site) expect(labelOne(detector, clone, page)).toEqual(labelOne(detector, model, page));
  });

  test(`${name}: templates come most pages first, with sane counts`, () => {
    const { templates, pagesLearnt } = learn(detector, site);
    expect(pagesLearnt).toBe(24);
    for (const [i, { id, pages, occurrences, sizeBytes }] of templates.entries()) {
      expect(id).toMatch(/^[0-9a-f]{16}$/);
      expect(pages).toBeLessThanOrEqual(pagesLearnt);
      expect(occurrences).toBeGreaterThanOrEqual(pages);
      expect(sizeBytes).toBeGreaterThan(0);
      if (i > 0) expect(pages).toBeLessThanOrEqual(templates[i - 1].pages);
    }
  });

  test(`${name}: a site without pages, with one, and with empty ones can be learnt`, () => {
    for (const pages of [[], samplePages(1), oddPages()]) {
      const model = learn(detector, pages);
      expect(model.pagesLearnt).toBe(pages.length);
      expect(model.site).toBe('a.example');
      for (const page of [...pages, ...site]) checkRanges(page.source, labelOne(detector, model, page));
      expect(detector.decode(detector.encode(model))).toEqual(model);
    }
  });

  test.skipIf(judgesAlone)(`${name}: one page alone has no templates`, () => {
    const [page] = samplePages(1);
    const ranges = labelOne(detector, learn(detector, [page]), page);
    expect(ranges.some(({ label }) => label === 'template')).toBe(false);
  });

  test.skipIf(detector.wantsCaptures)(`${name}: two captures of one URL are refused`, () => {
    const [page] = samplePages(1);
    expect(() => learn(detector, [page, { ...page, time: '2012-01-01T00:00:00Z' }])).toThrow(
      'one capture per URL',
    );
  });

  test.runIf(detector.wantsCaptures)(`${name}: two captures of one URL are one page`, () => {
    const [page] = samplePages(1);
    expect(learn(detector, [page, { ...page, time: '2012-01-01T00:00:00Z' }]).pagesLearnt).toBe(1);
  });

  test(`${name}: the times of a model are those of its pages`, () => {
    const { firstTime, lastTime } = learn(detector, site);
    expect([firstTime, lastTime]).toEqual(['2011-01-01T00:00:00Z', '2011-01-24T00:00:00Z']);
  });
}

/** Learns pages as the pipeline does: one parser, its tree refilled from page to page. */
export function learn<Model extends SiteModel>(detector: Detector<Model>, pages: readonly Page[]): Model {
  return detector.learn('a.example', parsedPages(pages));
}

export function labelOne<Model extends SiteModel>(
  detector: Detector<Model>,
  model: Model,
  page: Page,
): Range[] {
  return detector.label(parsePage(page), model);
}

export function parsePage(page: Page): ParsedPage {
  return { page, tree: parseHeld(page.source) };
}

function* parsedPages(pages: readonly Page[]): Generator<ParsedPage> {
  const parser = new Parser();
  for (const page of pages) yield { page, tree: parser.parse(page.source) };
}

export function checkRanges(source: Uint8Array, ranges: readonly Range[]): void {
  let position = 0;
  for (const { start, end, score } of ranges) {
    expect(start).toBe(position);
    expect(end).toBeGreaterThan(start);
    expect(score).toBeGreaterThanOrEqual(0);
    expect(score).toBeLessThanOrEqual(1);
    position = end;
  }
  expect(position).toBe(source.length);
}

export function makePage(html: string, number: number): Page {
  const day = String((number % 28) + 1).padStart(2, '0');
  return {
    url: `http://a.example/page/${number}`,
    time: `2011-01-${day}T00:00:00Z`,
    status: 200,
    mime: 'text/html',
    recordId: '',
    payloadDigest: '',
    file: 'a.warc',
    offset: number * 1000,
    length: 1000,
    site: 'a.example',
    charset: 'UTF-8',
    source: new Uint8Array(Buffer.from(html)),
  };
}

const WORDS =
  'river stone winter garden letter market engine silver candle forest history window ποτάμι χειμώνας κήπος 河流 冬天 花园 🌲 été'.split(
    ' ',
  );

/** Words that no other seed gives, the same on every run. */
export function words(count: number, seed: number): string {
  let state = (seed + 1) * 2654435761;
  let text = '';
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += `${i > 0 ? ' ' : ''}${WORDS[(state >>> 8) % WORDS.length]}${(state >>> 16) % 97}x${seed}`;
  }
  return text;
}

/** A menu, a changing slot, an article and a footer. */
export function samplePages(count: number): Page[] {
  return Array.from({ length: count }, (_, i) =>
    makePage(
      `<!DOCTYPE html><html><head><title>Page ${i}</title><link rel=stylesheet href=/s.css></head><body>
<div class="menu"><ul><li><a href="/">Home of the sample</a></li><li><a href="/ειδήσεις">Όλες οι ειδήσεις της ημέρας</a></li><li><a href="/3">网站地图与联系方式以及版权信息和隐私政策说明</a></li></ul></div>
<h1>${words(4, i)}</h1><p>${words(60, i + 100)}</p><p>${words(40, i + 200)}</p>
<div class="footer"><p>Copyright 2011 A. Example &amp; Sons, all rights reserved 🌲 everywhere.</p></div></body></html>`,
      i,
    ),
  );
}

function oddPages(): Page[] {
  return [
    '',
    ' \n ',
    '<br><br><img src=x.gif>',
    'no markup at all',
    '<p>unclosed <b>soup</p></b></i><table><td>',
    '<!-- only a comment -->',
    '<script>only("script")</script>',
  ].map((html, i) => makePage(html, 1000 + i));
}
