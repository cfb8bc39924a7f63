/**
 * Figure 2 of Gibson, Punera and Tomkins 2005 on other sites: how much of each site is template, by both
 * detectors. Rewrites the generated parts of docs/research/sites.md:
 *
 *     npx tsx bench/site-shares.ts [--workers 2] [archive or folder …]
 *
 * Without archives, those of $CHAFF_DATA/sites. It runs `chaff report` twice, with default options and with
 * those of `--preset gibson-2005`, and one query over each output folder.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gibson2005 } from '../src/cli/presets/papers.ts';
import type { JobOptions } from '../src/run/job.ts';
import { runReport } from '../src/run/report-run.ts';
import { FolderSql } from '../src/store/folder-sql.ts';
import { markdownTable, mean, writeDocPart } from './doc-part.ts';
import { findArchives } from './real-sites.ts';
import {
  CATEGORIES,
  type Category,
  PAPER,
  PAPER_BY_SITE,
  PAPER_BY_SIZE,
  SITE_CATEGORIES,
} from './site-categories.ts';

/** Settings of `--preset gibson-2005`, as options of a job. */
const AS_IN_THE_PAPER: JobOptions = {
  preset: 'gibson-2005',
  statuses: gibson2005.statuses,
  linksBy: gibson2005.linksBy,
  floors: {
    minSitePages: gibson2005.minPages,
    minTextBytes: gibson2005.minLeft,
    minTextShare: gibson2005.minLeftShare,
    fallback: gibson2005.fallback,
  },
  detectorOptions: {
    dom: {
      evidence: gibson2005.domEvidence,
      bounds: gibson2005.domBounds,
      minPages: gibson2005.domMinPages,
    },
    text: {
      count: gibson2005.textCount,
      cut: gibson2005.textCut,
      scaleFrequency: !gibson2005.textExactFrequency,
      wholeWords: !gibson2005.textSplitWords,
    },
  },
};

/**
 * Shares of an average page. A page counts once, with its latest capture; pages without text or links do not
 * count for them.
 */
const QUERY = `
select site, count(*) as pages,
  100 * avg(text_text_share) filter (text_bytes > 0) as text_text,
  100 * avg(dom_html_share) as dom_html,
  100 * avg(dom_text_share) filter (text_bytes > 0) as dom_text,
  100 * avg(dom_link_share) filter (links > 0) as dom_links,
  100 * sum(text_text_bytes) / sum(text_bytes) as text_sum,
  100 * sum(dom_text_bytes) / sum(text_bytes) as dom_sum,
  count(*) filter (dom_unsure or text_unsure) as unsure
from (from pages qualify row_number() over (partition by site, url_key order by time desc, page desc) = 1)
group by site having count(*) >= 4 and sum(text_bytes) > 0 order by site`;

const SHARES = ['text_text', 'dom_html', 'dom_text', 'dom_links'] as const;
type Shares = Record<(typeof SHARES)[number], number>;

interface Site extends Shares {
  site: string;
  pages: number;
  /** Shares of all text of the site, weighted by the length of pages. */
  text_sum: number;
  dom_sum: number;
  unsure: number;
}

const { values, positionals } = parseArgs({
  options: { workers: { type: 'string', default: String(availableParallelism()) } },
  allowPositionals: true,
});
const archives = await findArchives(positionals);
const sites = await sitesOf({});
const plain = await sitesOf(AS_IN_THE_PAPER);
writeDocPart('research/sites.md', 'sites', siteTable());
writeDocPart('research/sites.md', 'agreement', agreement());
writeDocPart('research/sites.md', 'categories', categoryTable('site'));
console.log(categoryTable('size'));

async function sitesOf(options: JobOptions): Promise<Site[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'chaff-shares-'));
  const output = join(scratch, 'sites.chaff');
  try {
    const detectors: JobOptions['detectors'] = ['dom', 'text'];
    await runReport(archives, { ...options, detectors, output, workers: Number(values.workers) });
    const sql = await FolderSql.open(output);
    try {
      const { columns, rows } = await sql.query(QUERY);
      const found: Site[] = [];
      for await (const batch of rows) {
        for (const row of batch) {
          const cells = columns.map(({ name }, k) => [name, name === 'site' ? row[k] : Number(row[k])]);
          found.push(Object.fromEntries(cells) as unknown as Site);
        }
      }
      return found;
    } finally {
      sql.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function siteTable(): string {
  return markdownTable(
    [
      'site',
      'category',
      'pages',
      'text, by text',
      'HTML, by dom',
      'text, by dom',
      'links, by dom',
      'difference',
      'unsure pages',
    ],
    sites.map((site) => [
      site.site,
      (SITE_CATEGORIES[site.site] ?? ['–']).join(', '),
      site.pages.toLocaleString('en'),
      ...SHARES.map((share) => site[share].toFixed(0)),
      (site.text_text - site.dom_text).toFixed(1).replace('-', '−'),
      site.unsure === 0 ? '' : site.unsure.toLocaleString('en'),
    ]),
    { textColumns: 2 },
  );
}

function agreement(): string {
  const row = (name: string, all: Site[], text: 'text_text' | 'text_sum', dom: 'dom_text' | 'dom_sum') => {
    const [bySite, bySize] = [meanBySite, meanBySize].map((mean) => [mean(all, text), mean(all, dom)]);
    return [
      name,
      ...bySite.map((share) => share.toFixed(1)),
      Math.abs(bySite[0] - bySite[1]).toFixed(1),
      Math.abs(bySize[0] - bySize[1]).toFixed(1),
      mean(all.map((site) => Math.abs(site[text] - site[dom]))).toFixed(1),
      Math.max(...all.map((site) => Math.abs(site[text] - site[dom]))).toFixed(1),
    ];
  };
  return markdownTable(
    [
      'over the sites',
      'text, by text',
      'text, by dom',
      'difference of these means',
      'the same, by size',
      'mean absolute difference',
      'largest',
    ],
    [
      row('default settings, an average page', sites, 'text_text', 'dom_text'),
      row('default settings, all text of a site', sites, 'text_sum', 'dom_sum'),
      row('preset gibson-2005, an average page', plain, 'text_text', 'dom_text'),
      row('preset gibson-2005, all text of a site', plain, 'text_sum', 'dom_sum'),
      ['the paper’s appendix, an average page', '45.2', '38.1', '7.1', '7.8', '10.8', '75.0'],
    ],
  );
}

/**
 * Returns our shares and, in brackets, the paper's with the same weighting; by size also as its Figure 2
 * prints them.
 */
function categoryTable(by: 'site' | 'size'): string {
  const rows: (string | number)[][] = [];
  for (const category of CATEGORIES) {
    const members = plain.filter(({ site }) => SITE_CATEGORIES[site]?.includes(category));
    rows.push([category, members.length, ...cellsOf(category, members, by)]);
  }
  rows.push(['all', plain.length, ...cellsOf('OVERALL', plain, by)]);
  rows.push(['all, default settings', sites.length, ...cellsOf('OVERALL', sites, by)]);
  return markdownTable(
    ['category', 'sites', 'text, by text', 'HTML, by dom', 'text, by dom', 'links, by dom'],
    rows,
  );
}

function cellsOf(category: Category | 'OVERALL', members: Site[], by: 'site' | 'size'): string[] {
  return SHARES.map((share, k) => {
    const paper =
      by === 'site'
        ? PAPER_BY_SITE[category][k].toFixed(0)
        : `${PAPER_BY_SIZE[category][k].toFixed(0)}; ${PAPER[category][k]}`;
    if (members.length === 0) return `– (${paper})`;
    return `${(by === 'site' ? meanBySite : meanBySize)(members, share).toFixed(0)} (${paper})`;
  });
}

type SiteShare = (typeof SHARES)[number] | 'text_sum' | 'dom_sum';

function meanBySite(members: Site[], share: SiteShare): number {
  return mean(members.map((site) => site[share]));
}

function meanBySize(members: Site[], share: SiteShare): number {
  const pages = members.reduce((sum, site) => sum + site.pages, 0);
  return members.reduce((sum, site) => sum + site[share] * site.pages, 0) / pages;
}
