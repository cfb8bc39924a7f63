/** A seeded sample of the pages of each site of some archives, decoded and in memory. */
import { BottomK } from '../src/detect/sample.ts';
import type { Page } from '../src/model/page.ts';
import { Parser } from '../src/parse/parser.ts';
import { closeInputs, openInputs } from '../src/read/open-inputs.ts';
import { readPages } from '../src/read/read-captures.ts';

/** The sample of one site. */
export interface SiteSample {
  site: string;
  pages: Page[];
  bytes: number;
  /** Nodes of our tree per KB of HTML, which determines the speed of a parser. */
  nodesPerKb: number;
}

const SEED = 1;

/** Returns at most `pagesPerSite` pages of each site, the same ones every time. */
export async function sampleSites(names: string[], pagesPerSite: number): Promise<SiteSample[]> {
  const { inputs } = await openInputs(names);
  const drawn = new Map<string, BottomK<Page>>();
  for (const input of inputs) {
    for (const event of readPages(input)) {
      if (event.kind !== 'page') continue;
      const { page } = event;
      let sample = drawn.get(page.site);
      if (!sample) drawn.set(page.site, (sample = new BottomK(pagesPerSite, SEED)));
      if (sample.wants(page)) sample.add({ ...page, source: page.source.slice() });
    }
  }
  closeInputs(inputs);
  const parser = new Parser();
  return [...drawn].map(([site, sample]) => {
    const pages = sample.items();
    const bytes = pages.reduce((sum, { source }) => sum + source.length, 0);
    const nodes = pages.reduce((sum, { source }) => sum + parser.parse(source).nodeCount, 0);
    return { site, pages, bytes, nodesPerKb: nodes / (bytes / 1024) };
  });
}
