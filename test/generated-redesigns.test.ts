/**
 * Acceptance test of redesigns of a part: on generated sites of four eras the menu, side column, footer, head or
 * articles are redesigned at a known crawl; on other sites only slots, comments, menu entries and the mix of pages
 * change. Every redesign must be dated, and no other one reported, also with few captures, with another mix of
 * page kinds and with a crawl left out.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type GeneratedCapture,
  openSite,
  REDESIGN_PARTS,
  type RedesignPart,
} from '../src/research/generated-sites/site-generator.ts';
import type { ChangeRow } from '../src/store/change-rows.ts';
import { chaff, rowsOf } from './command-line.ts';
import { warcRecord } from './sample-archives.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-generated-redesigns-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STARTS = { tables: '2003-03-01', divs: '2009-03-01', html5: '2014-03-01', utility: '2019-03-01' };
type EraName = keyof typeof STARTS;
const ERAS = Object.keys(STARTS) as EraName[];
const CRAWLS = 5;
/** The crawl that finds the new part. */
const AT = 2;

interface Case {
  era: EraName;
  part: RedesignPart | 'none';
  pages: number;
  /** Which captures there are. @default all */
  has?: (capture: GeneratedCapture, crawl: number) => boolean;
  name: string;
}

const EVERY_PART = ['none', ...REDESIGN_PARTS] as const;
const CASES: Case[] = [
  // as few URLs as decide about a site, and one
  ...ERAS.flatMap((era) => EVERY_PART.map((part) => ({ name: 'few', era, part, pages: 6 }))),
  // no two neighbouring crawls have the same kinds of pages
  ...(['divs', 'utility'] as const).flatMap((era) =>
    (['none', 'footer', 'head'] as const).map((part) => ({
      name: 'mix',
      era,
      part,
      pages: 16,
      has: ({ kind }: GeneratedCapture, crawl: number) =>
        crawl % 2 === 0 ? kind !== 'product' && kind !== 'listing' : kind !== 'forum' && kind !== 'home',
    })),
  ),
  // the crawl before the redesign is missing
  ...(['tables', 'html5'] as const).flatMap((era) =>
    (['none', 'menu'] as const).map((part) => ({
      name: 'missing',
      era,
      part,
      pages: 6,
      has: (_: GeneratedCapture, crawl: number) => crawl !== AT - 1,
    })),
  ),
];

const hostOf = ({ name, part, era }: Case) => `${name}-${part}-${era}.example`;

function capturesOf(one: Case): { capture: GeneratedCapture; crawl: number }[] {
  const { era, part, pages, has } = one;
  const parts = part === 'none' ? [] : [{ crawl: AT, part }];
  const site = openSite({ seed: 5, host: hostOf(one), pages, captures: CRAWLS, start: STARTS[era], parts });
  return Array.from({ length: CRAWLS * pages }, (_, k) => {
    const crawl = Math.floor(k / pages);
    return { capture: site.capture(k % pages, crawl), crawl };
  }).filter(({ capture, crawl }) => has === undefined || has(capture, crawl));
}

/** Of the URLs that the crawl at `AT` and the one before it have: the first day of the one, the last of the other. */
function daysAround(captures: ReturnType<typeof capturesOf>): { since: string; first: string } {
  const before = Math.max(...captures.map(({ crawl }) => crawl).filter((crawl) => crawl < AT));
  const of = (which: number) => captures.filter(({ crawl }) => crawl === which).map(({ capture }) => capture);
  const dayOf = (own: GeneratedCapture[], others: GeneratedCapture[]) =>
    own
      .filter(({ url }) => others.some((other) => other.url === url))
      .map(({ time }) => time.slice(0, 10))
      .sort();
  return { since: dayOf(of(before), of(AT)).at(-1)!, first: dayOf(of(AT), of(before))[0] };
}

let rows: ChangeRow[] = [];
/** By host. */
const days = new Map<string, { since: string; first: string }>();

beforeAll(async () => {
  const records: Buffer[] = [];
  for (const one of CASES) {
    const captures = capturesOf(one);
    days.set(hostOf(one), daysAround(captures));
    for (const { capture } of captures)
      records.push(
        warcRecord({ url: capture.url, time: capture.time, html: Buffer.from(capture.source).toString() }),
      );
  }
  const archive = join(folder, 'history.warc');
  writeFileSync(archive, Buffer.concat(records));
  const result = await chaff([
    'changes',
    archive,
    '--only',
    'redesign,smaller-change',
    '--format',
    'jsonl',
    '--workers',
    '0',
  ]);
  expect(result.code).toBe(0);
  expect(result.stderr).not.toContain('fewer than three snapshots');
  rows = rowsOf(result) as never;
}, 240_000);

test.each(CASES)('$name captures, $part, $era: one redesign at its date, or none', (one) => {
  const found = rows.filter(({ site }) => site === hostOf(one));
  if (one.part === 'none') return expect(found).toEqual([]);
  // boxes are most of what a site of tables has for a design: by that measure it is another one
  const name = one.part === 'side' && one.era === 'tables' ? 'redesign' : 'smaller-change';
  return expect(found).toMatchObject([{ class: name, ...days.get(hostOf(one)) }]);
});

test('the parts that were changed are the evidence', () => {
  const whyOf = (part: string) => rows.filter(({ site }) => site.includes(`-${part}-`)).map(({ why }) => why);
  expect(new Set(whyOf('head'))).toEqual(new Set(['design']));
  expect(whyOf('articles').every((why) => why?.includes('layout') && why.includes('design'))).toBe(true);
  expect(whyOf('footer').every((why) => why?.startsWith('words'))).toBe(true);
});
