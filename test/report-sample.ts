/** Report data for tests: sites with a header, a footer, sections and teasers, all from a seed. */

import type { ReportBar, ReportData, ReportPicture, ReportTemplate } from '../src/report/report-data.ts';
import type { SiteSummary } from '../src/store/open-folder.ts';
import type { Wireframe } from '../src/store/read-wireframes.ts';
import { BAR_STEP } from '../src/store/site-pictures.ts';
import { seededRandom } from './seeded-random.ts';

export interface SampleOptions {
  /** Pages of each site. @default [220] */
  sitePages?: number[];
  /** Text put where pages bring their own: titles, URLs, template texts. */
  hostile?: string;
  seed?: number;
}

export function sampleReportData({
  sitePages = [220],
  hostile = '',
  seed = 1,
}: SampleOptions = {}): ReportData {
  const random = seededRandom(seed);
  const names = sitePages.map((_, at) => (at === 0 ? 'example.org' : `site-${at}.example.net`));
  const pictures: ReportPicture[] = [];
  const sites: SiteSummary[] = [];
  sitePages.forEach((pageCount, at) => {
    const dom = samplePicture(names[at], 'dom', pageCount, hostile, random);
    const text = samplePicture(names[at], 'text', pageCount, hostile, random, dom);
    pictures.push(dom, text);
    sites.push(sampleSite(names[at], pageCount, [dom, text], random));
  });
  sites.sort((a, b) => b.pages - a.pages || (a.site < b.site ? -1 : 1));
  const sum = (pick: (site: SiteSummary) => number): number =>
    sites.reduce((total, site) => total + pick(site), 0);
  const labelled = sum((site) => site.pages);
  return {
    version: '0.1.0',
    inputs: [
      { name: `example-2004-2009.warc.gz${hostile}`, sizeBytes: 18_400_000, captures: labelled + 530 },
    ],
    options: { detector: 'dom, text', site: 'host', sample: 200, text: '32.10.0.200', seed: 1 },
    detectors: ['dom', 'text'],
    counts: {
      captures: labelled + 530,
      labelled,
      skipped: { 'not-html': 402, 'http-status': 117, truncated: 8, 'bad-encoding': 3 },
      htmlBytes: sum((site) => site.htmlBytes),
      textBytes: sum((site) => site.textBytes),
      links: sum((site) => site.links),
    },
    sites,
    pictures,
    savedBytes: 1_200_000,
    wireframes: names.map((site, at) => sampleWireframe(site, at + 1, hostile)),
    annotated: new Set([1, 2]),
    problems: {
      total: 14,
      byCode: { truncated: 8, 'bad-encoding': 3, 'too-few-pages': 3 },
      listed: [
        {
          code: 'truncated',
          message: 'the record ends 812 bytes early; skipped',
          file: 'example-2004-2009.warc.gz',
          offset: 1_203_441,
          url: `http://example.org/late${hostile}`,
        },
        {
          code: 'too-few-pages',
          message: '3 pages are too few to find templates; kept as unsure',
          site: 'tiny.example',
        },
      ],
    },
  };
}

/** A header over a menu beside content, and a footer. */
export function sampleWireframe(site: string, page: number, hostile = ''): Wireframe {
  return {
    site,
    snapshot: 'all',
    page,
    url: `https://www.${site}/article/${page}.html${hostile}`,
    urlKey: `${site}/article/${page}.html`,
    title: `The article number ${page}${hostile}`,
    time: '2004-05-12T08:30:00Z',
    height: 1600,
    alike: 100,
    ownBytes: 900,
    boxes: [
      { role: 'header', pages: 200, left: 0, top: 0, width: 1280, height: 160 },
      { role: 'menu', pages: 220, left: 0, top: 180, width: 260, height: 900 },
      { role: 'content', pages: 0, left: 300, top: 180, width: 940, height: 1200 },
      { role: 'footer', pages: 180, left: 0, top: 1420, width: 1280, height: 160 },
    ],
  };
}

function roleOf(key: string): string {
  const [kind] = key.split('-');
  return { head: 'menu', box: 'related', ad: 'block' }[kind] ?? kind;
}

const KINDS = [
  { name: 'article', sections: 4, header: 3200, footer: 2100, content: [4000, 30_000], share: 0.55 },
  { name: 'listing', sections: 2, header: 3200, footer: 2100, content: [1500, 6000], share: 0.3 },
  { name: 'shop', sections: 3, header: 5400, footer: 1200, content: [2500, 9000], share: 0.15 },
];

function samplePicture(
  site: string,
  detector: string,
  pages: number,
  hostile: string,
  random: () => number,
  like?: ReportPicture,
): ReportPicture {
  const templates = new Map<string, ReportTemplate>();
  let at = 0;
  const use = (key: string, size: number, url: string, time: string, text: string): string => {
    const id = `${detector}-${key}`;
    const known = templates.get(id);
    if (known === undefined) {
      templates.set(id, {
        id,
        pages: 1,
        occurrences: 1,
        sizeBytes: size,
        firstSeen: time,
        lastSeen: time,
        text: text + hostile,
        role: roleOf(key),
        place: `div.${key}${hostile}`,
        samplePages: [{ page: at + 1, url }],
      });
      return id;
    }
    known.pages++;
    known.occurrences++;
    if (known.samplePages.length < 5) known.samplePages.push({ page: at + 1, url });
    if (time < known.firstSeen) known.firstSeen = time;
    if (time > known.lastSeen) known.lastSeen = time;
    return id;
  };
  const drawn = Math.min(pages, 1500);
  const bars: ReportBar[] = [];
  const drawnRanges: { start: number; end: number; template: string }[][] = [];
  for (at = 0; at < drawn; at++) {
    const pick = random();
    const kind = KINDS[pick < 0.55 ? 0 : pick < 0.85 ? 1 : 2];
    const twin = like?.bars[at];
    const url = twin?.url ?? `https://www.${site}/${kind.name}/${at}.html${hostile}`;
    const time =
      twin?.time ?? `200${4 + Math.floor(random() * 5)}-0${1 + Math.floor(random() * 9)}-12T08:30:00Z`;
    const ranges: { start: number; end: number; template: string }[] = [];
    let position = 300 + Math.floor(random() * 200);
    const put = (key: string, size: number, text: string): void => {
      const template = use(key, size, url, time, text);
      ranges.push({ start: position, end: position + size, template });
      position += size;
    };
    put('head', 900, 'Home News Sport Shop Contact');
    position += 40;
    put(
      `header-${kind.name}`,
      kind.header,
      `All ${kind.name}s by date, by author, by place. Subscribe to our letter.`,
    );
    for (let part = 0; part < kind.sections; part++) {
      const [least, most] = kind.content;
      position += Math.floor((least + random() ** 3 * (most - least)) / kind.sections);
      const section = Math.floor(random() * 9);
      if (random() < 0.8)
        put(`box-${section}`, 240 + 70 * section, `Related in section ${section}: read more, write to us`);
      if (random() < 0.3) put(`ad-${Math.floor(random() * 60)}`, 120, 'Advertisement');
    }
    if (detector === 'text' && random() < 0.04)
      ranges.push({ start: position, end: position + 600, template: '' });
    position += 700;
    put(
      `footer-${kind.name}`,
      kind.footer,
      '© Example Ltd. All rights reserved. Terms of use · Privacy · Imprint',
    );
    const sizeBytes = twin?.sizeBytes ?? position + 60;
    bars.push({
      page: at + 1,
      url,
      time,
      title: twin?.title ?? `The ${kind.name} number ${at}${hostile}`,
      sizeBytes,
      ranges: [],
    });
    drawnRanges.push(ranges.filter((range) => range.end <= sizeBytes));
  }
  const scale = pages / Math.max(1, drawn);
  const listed = [...templates.values()]
    .map((template) => ({ ...template, pages: Math.round(template.pages * scale) }))
    .sort((a, b) => b.pages - a.pages || (a.id < b.id ? -1 : 1));
  const numbers = new Map(listed.map(({ id }, at) => [id, at]));
  for (const [at, bar] of bars.entries()) {
    bar.ranges = drawnRanges[at].flatMap(({ start, end, template }) => [
      start,
      end,
      numbers.get(template) ?? -1,
      template === '' ? 1 : 0,
    ]);
  }
  return { site, detector, pages, bars, templates: listed, templateCount: listed.length };
}

function sampleSite(
  site: string,
  pages: number,
  pictures: ReportPicture[],
  random: () => number,
): SiteSummary {
  const htmlBytes = pictures[0].bars.reduce((sum, bar) => sum + bar.sizeBytes, 0);
  const textBytes = Math.round(htmlBytes * 0.31);
  const links = pages * 48;
  return {
    site,
    pages,
    urls: pages,
    snapshots: 3,
    firstTime: '2004-01-12T08:30:00Z',
    lastTime: '2008-09-12T08:30:00Z',
    htmlBytes,
    textBytes,
    links,
    inside: Object.fromEntries(
      pictures.map(({ detector, bars }) => {
        const inside = bars.reduce(
          (sum, { ranges }) =>
            sum + ranges.reduce((s, value, k) => s + [-value, value, 0, 0][k % BAR_STEP], 0),
          0,
        );
        const shift = 0.85 + 0.1 * random();
        return [
          detector,
          {
            htmlBytes: inside,
            textBytes: Math.round(inside * 0.31 * shift),
            links: Math.round(links * 0.62 * shift),
          },
        ];
      }),
    ),
    exactPages: Math.floor(pages / 40),
    unsurePages: pages < 15 ? pages : 0,
    problems: pages > 100 ? 11 : 0,
  };
}

/** mulberry32. */
