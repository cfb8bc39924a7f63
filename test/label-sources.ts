/** Learns a small site and labels its pages; the result must be the same in Node and in a browser. */

import type { ParsedPage } from '../src/detect/detector.ts';
import { domDetector } from '../src/detect/dom-detector.ts';
import type { Page } from '../src/model/page.ts';
import { Parser } from '../src/parse/parser.ts';

export interface LabelledSource {
  nodeCount: number;
  ranges: { start: number; end: number; label: string }[];
}

export function labelSources(sources: readonly string[]): LabelledSource[] {
  const parser = new Parser();
  const detector = domDetector();
  const pages = sources.map((html, k) => {
    const source = new TextEncoder().encode(html);
    return { url: `https://site.example/${k}`, site: 'site.example', source } as Page;
  });
  function* parsed(): Generator<ParsedPage> {
    for (const page of pages) yield { page, tree: parser.parse(page.source) };
  }
  const model = detector.learn('site.example', parsed());
  const labelled: LabelledSource[] = [];
  for (const page of parsed()) {
    const ranges = detector.label(page, model).map(({ start, end, label }) => ({ start, end, label }));
    labelled.push({ nodeCount: page.tree.nodeCount, ranges });
  }
  return labelled;
}
