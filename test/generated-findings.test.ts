/**
 * Reproduces errors that were found on real sites, with the generator: content that was lost, and template that
 * was kept. Each error is a test of the text that `joint` gives, on sites of four eras.
 */
import { expect, test } from 'vitest';
import type { ParsedPage } from '../src/detect/detector.ts';
import { makeDetector } from '../src/detect/index.ts';
import type { Range } from '../src/model/range.ts';
import { Parser } from '../src/parse/parser.ts';
import { TAG } from '../src/parse/tag-names.ts';
import { TEXT, type Tree } from '../src/parse/tree.ts';
import { type GeneratedCapture, generateSite } from '../src/research/generated-sites/site-generator.ts';
import type { PageKind } from '../src/research/generated-sites/site-plan.ts';
import { renderMarkdown } from '../src/view/markdown.ts';
import { renderText } from '../src/view/visible-text.ts';

const ERAS = ['2005-01-01', '2010-01-01', '2015-01-01', '2021-01-01'];
const parser = new Parser();

interface JudgedPage {
  capture: GeneratedCapture;
  tree: Tree;
  ranges: Range[];
  text: string;
}

interface ExplainedPage extends JudgedPage {
  /** The texts that a reader sees, and why each is kept or cut. */
  reasons: { text: string; reason: string }[];
}

/** The pages of a kind, judged as pages of a site of these kinds. */
function* judgedPages(
  kind: PageKind,
  start: string,
  { kinds = [kind], pages = 60, detector: name = 'joint' } = {},
): Generator<ExplainedPage> {
  const captures = [...generateSite({ seed: 3, host: `${kind}.example`, pages, kinds, start })];
  const detector = makeDetector(name);
  const parse = ({ url, time, charset, source }: GeneratedCapture): ParsedPage => ({
    page: {
      ...{ url, time, charset, site: `${kind}.example`, status: 200, mime: 'text/html', file: 'generated' },
      ...{ offset: 0, length: source.length, recordId: '', payloadDigest: '' },
    },
    tree: parser.parse(source),
  });
  function* parsed(): Generator<ParsedPage> {
    for (const capture of captures) yield parse(capture);
  }
  const model = detector.learn(`${kind}.example`, parsed());
  for (const capture of captures) {
    if (capture.kind !== kind) continue;
    const page = parse(capture);
    const ranges = detector.label(page, model);
    const judged = { capture, tree: page.tree, ranges, text: renderText(page.tree, ranges) };
    // a tree holds until the next page is parsed
    const reasons = Array.from(seenTexts(judged), ({ at, text }) => ({
      text,
      reason: rangeAt(ranges, at).reason,
    }));
    yield { ...judged, reasons };
  }
}

/** The texts that a reader sees, with their places. */
function* seenTexts({ capture, tree }: JudgedPage): Generator<{ at: number; text: string }> {
  const { kind, nodeCount, start, end, textStart, last } = tree;
  for (let node = 0; node < nodeCount; node++) {
    if (kind[node] !== TEXT || textStart[last[node]] === textStart[node]) continue;
    const text = Buffer.from(capture.source.subarray(start[node], end[node])).toString();
    yield { at: start[node], text };
  }
}

function rangeAt<R extends { start: number; end: number }>(ranges: readonly R[], at: number): R {
  return ranges.find(({ start, end }) => start <= at && at < end)!;
}

/** Texts that are content by the truth and are cut. A breadcrumb ends in a copy of the headline, which may go. */
function lostTexts(page: JudgedPage): string[] {
  const lost: string[] = [];
  for (const { at, text } of seenTexts(page)) {
    if (rangeAt(page.capture.truth, at).label !== 'content') continue;
    const { label, role } = rangeAt(page.ranges, at);
    if (label === 'template' && role !== 'breadcrumb') lost.push(text);
  }
  return lost;
}

for (const start of ERAS) {
  const era = start.slice(0, 4);

  test(`a short fact between constant labels is kept, and its label with it: ${era}`, () => {
    for (const page of judgedPages('record', start)) {
      expect(lostTexts(page)).toEqual([]);
      expect(page.text).toMatch(/Date of entry:\n.*\d{4}.*\nPerson:\n.* #\d+\nStatement:\n/);
    }
  });

  test(`a reason that names pages is true of every text it stands for: ${era}`, () => {
    const pages = [...judgedPages('record', start)];
    const sources = pages.map(({ capture }) => Buffer.from(capture.source).toString().replace(/\d/g, '0'));
    let checked = 0;
    for (const { capture, reasons } of pages) {
      for (const { text, reason } of reasons) {
        const pagesTold = /on (?:all )?(\d+)(?: or more)?(?: of \d+)? other pages/.exec(reason);
        if (!pagesTold) continue;
        const others = sources.filter((source) => source.includes(text.replace(/\d/g, '0'))).length - 1;
        expect(others, `${text} of ${capture.url}`).toBeGreaterThanOrEqual(Number(pagesTold[1]));
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(50);
  });

  test(`values that many pages share are kept on every page, with their labels: ${era}`, () => {
    const shapes = new Set<string>();
    for (const { text } of judgedPages('goods', start)) {
      expect(text).toMatch(/^Price: \$\d\.\d\d$/m);
      expect(text).toMatch(
        /^Country\t(?:Japan|Korea|Peru)\nRating\t\d\.\d\nCondition\t\w+\nItem number\t\d+$/m,
      );
      expect(text).toMatch(/^Tags: \w+$/m);
      shapes.add(`${/^By \w+ \w+$/m.test(text)} ${/^\d minute read$/m.test(text)}`);
      // no leftovers of a value
      expect(text).not.toMatch(/^(?:: .*|By|Tags:|Price:|\d|minute read)$/m);
    }
    expect(shapes.size).toBe(1);
  });

  test(`headings that every page has stay above their sections: ${era}`, () => {
    for (const page of judgedPages('manual', start)) {
      expect(lostTexts(page)).toEqual([]);
      for (const section of ['Synopsis', 'Description', 'Parameters', 'Notes', 'Examples'])
        expect(page.text).toMatch(new RegExp(`^${section}$`, 'm'));
      expect(page.text).toMatch(/ 2[⁰¹²³⁴⁵⁶⁷⁸⁹]+ H₂O\.$/m);
      expect(renderMarkdown(page.tree, page.ranges, page.capture)).toMatch(/ 2[⁰¹²³⁴⁵⁶⁷⁸⁹]+ H₂O\.$/m);
    }
  });

  test(`hidden tabs and long noscript are kept, options, pixels and overlays are not: ${era}`, () => {
    for (const page of judgedPages('tabs', start)) {
      expect(lostTexts(page)).toEqual([]);
      expect(page.text).not.toMatch(/Month \d|enable JavaScript|Added to your basket/);
    }
  });

  test(`a list of clauses is not cut in the middle: ${era}`, () => {
    for (const page of judgedPages('contract', start)) {
      const { name, nodeCount, parent, start, end } = page.tree;
      const texts = [...seenTexts(page)];
      let kept = 0;
      for (let list = 1; list < nodeCount; list++) {
        if (name[list] !== TAG.ol || name[parent[list]] === TAG.li) continue;
        const clauses = texts.filter(
          ({ at, text }) => at > start[list] && at < end[list] && /^\(/.test(text),
        );
        if (clauses.length === 0) continue;
        const labels = new Set(clauses.map(({ at }) => rangeAt(page.ranges, at).label));
        expect([...labels], clauses.map(({ text }) => text).join('\n')).toHaveLength(1);
        if (labels.has('content')) kept++;
      }
      expect(kept).toBeGreaterThan(0);
    }
  });

  test(`the footer of a layout that ten of 250 pages have goes: ${era}`, () => {
    let pages = 0;
    for (const page of judgedPages('landing', start, { kinds: ['product', 'landing'], pages: 250 })) {
      pages++;
      expect(lostTexts(page)).toEqual([]);
      const footer = /<div class="lp-footer">[\s\S]*/.exec(Buffer.from(page.capture.source).toString())![0];
      for (const [, text] of footer.matchAll(/<p>(.*?)<\/p>/g))
        expect(page.text).not.toContain(text.slice(0, 40));
    }
    expect(pages).toBe(10);
  });

  test(`the headline is kept, also by the page alone: ${era}`, () => {
    for (const detector of ['joint', 'page']) {
      for (const { capture, text } of judgedPages('product', start, { detector })) {
        const [, headline] = /<h1[^>]*>(?:<[^>]*>)*([^<]+)/.exec(Buffer.from(capture.source).toString())!;
        expect(text.split('\n'), `${detector} ${capture.url}`).toContain(headline);
      }
    }
  });
}
