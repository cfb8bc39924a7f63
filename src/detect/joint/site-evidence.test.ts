import { describe, expect, it } from 'vitest';
import * as layout from '../../kernel/block-layout.ts';
import { Parser } from '../../parse/parser.ts';
import { BlockReader } from './block-reader.ts';
import { FEATURE } from './feature-names.ts';
import { SiteEvidence } from './site-evidence.ts';

const parser = new Parser();
const reader = new BlockReader();
const PAGES = ['ann', 'bob', 'cleo', 'dan'].map(
  (name, k) =>
    `<div class=menu><a href=/home>Home</a></div><h1 class=name>${name}</h1><p class=text>${'word '.repeat(k + 3)}</p><p class=legal>All rights reserved</p>`,
);

function parse(html: string) {
  return parser.parse(new TextEncoder().encode(html));
}

function count(pages: readonly string[]): SiteEvidence {
  const evidence = new SiteEvidence(reader);
  for (const html of pages) {
    const tree = parse(html);
    evidence.count(tree, reader.read(tree, ''));
  }
  evidence.finish();
  return evidence;
}

/** Features of the blocks of a page, with the evidence of the site. */
function featuresOf(evidence: SiteEvidence, html: string, isCounted: boolean) {
  const tree = parse(html);
  const blocks = reader.read(tree, '');
  evidence.addTo(tree, blocks, isCounted);
  const { rows } = blocks;
  return Array.from({ length: blocks.count }, (_, block) => {
    const of = (column: number) => rows[block * layout.ROW_FLOATS + column];
    return {
      same: of(FEATURE.samePages),
      pages: of(FEATURE.sitePages),
      pair: of(FEATURE.pairShare),
      distinct: of(FEATURE.slotDistinct),
    };
  });
}

describe('evidence of a site', () => {
  it('counts the other pages with a text, and how the text of a slot varies', () => {
    const [menu, name, , legal] = featuresOf(count(PAGES), PAGES[0], true);
    expect(menu).toMatchObject({ pages: 3, same: 3, pair: 1, distinct: 0.25 });
    expect(name).toMatchObject({ pages: 3, same: 0, pair: 0, distinct: 1 });
    expect(legal).toMatchObject({ same: 3, pair: 1 });
  });

  it('counts all pages for one that was not counted', () => {
    const [menu] = featuresOf(count(PAGES.slice(1)), PAGES[0], false);
    expect(menu).toMatchObject({ pages: 3, same: 3 });
  });

  it('says that everything is missing when there is no other page', () => {
    const [menu] = featuresOf(count(PAGES.slice(0, 1)), PAGES[0], true);
    expect(menu).toEqual({ pages: -1, same: -1, pair: -1, distinct: -1 });
  });

  it('is the same for any order of pages, saved and loaded', () => {
    const saved = count(PAGES).save();
    expect(count([...PAGES].reverse()).save()).toEqual(saved);
    const loaded = new SiteEvidence(reader, saved);
    expect(featuresOf(loaded, PAGES[2], true)).toEqual(featuresOf(count(PAGES), PAGES[2], true));
    loaded.release();
  });
});
