/**
 * Renders the table of all sites; a control opens the columns of all detectors. Plain HTML; the browser script
 * sorts and searches.
 */
import type { SiteSummary } from '../store/open-folder.ts';
import { escapeHtml } from '../view/escape-html.ts';
import { siteName } from './finding.ts';
import { formatBytes, formatCount, formatTimes } from './format-numbers.ts';
import { capital, numberCell, shareCell, sortHead } from './html-cells.ts';
import { MAX_SITES, type ReportData } from './report-data.ts';

const HOW = 'Shares are bytes (or links) inside templates over all bytes (or links) of the site’s';

/** Note on joint, whose templates may be on one page only. */
const ALSO_BY_JOINT = ' By joint, templates are all that the clean text leaves out, comments included.';

/** Returns the HTML of the table of sites. */
export function renderSitesTable({ sites, detectors }: ReportData): string {
  const isHistory = hasRepeats(sites);
  const listed = sites.slice(0, MAX_SITES);
  const more = sites.length - listed.length;
  const groups = detectors.map((detector, k) => {
    const span = sharesOf(detector).length;
    return `<th scope="colgroup" colspan="${span}" class="group${k === 0 ? '' : ' other'}"><span>repeated, by ${escapeHtml(detector)}</span></th>`;
  });
  const heads = [
    sortHead('Site', 'text'),
    ...[...(isHistory ? ['Captures'] : []), 'Pages', 'Snapshots', 'HTML'].map((name) => sortHead(name)),
    ...detectors.flatMap((detector, k) =>
      sharesOf(detector).map((part) => sortHead(capital(part), 'number', '', k === 0 ? '' : 'other')),
    ),
    ...Object.entries(COLUMN_HELP).map(([name, help]) => sortHead(name, 'number', ` title="${help}"`)),
  ];
  return `<section id="sites">
<div class="bar-of-title"><h2>All sites</h2><label class="search">Find <input type="search" id="find" placeholder="part of a name" autocomplete="off" spellcheck="false"></label></div>
<p class="how">${HOW} ${isHistory ? 'captures' : 'pages'}.${detectors.includes('joint') ? ALSO_BY_JOINT : ''}</p>
${detectors.length > 1 ? `<p><label class="switch"><input type="checkbox" id="side-by-side"> all detectors side by side: ${detectors.map(escapeHtml).join(', ')}</label></p>` : ''}
<div class="scroll" id="site-scroll" tabindex="0" role="region" aria-label="Table of sites"><table id="site-table">
<thead><tr><td colspan="${isHistory ? 5 : 4}"></td>${groups.join('')}<td colspan="${Object.keys(COLUMN_HELP).length}"></td></tr><tr>${heads.join('')}</tr></thead>
<tbody>
${listed.map((site) => renderSiteRow(site, detectors, isHistory)).join('\n')}
</tbody></table></div>
<p class="note" id="found" role="status"></p>
${more > 0 ? `<p class="note">${more === 1 ? '1 smaller site is' : `${formatCount(more)} smaller sites are`} not listed here; all are in pages/*.parquet.</p>` : ''}
</section>`;
}

/** True when some page has several captures, so that captures and pages are counted separately. */
function hasRepeats(sites: readonly SiteSummary[]): boolean {
  return sites.some(({ pages, urls }) => pages > urls);
}

/**
 * Returns the shares that a detector has: the text detector has only that of text, others also those of HTML and
 * links.
 */
function sharesOf(detector: string): ('text' | 'HTML' | 'links')[] {
  return detector === 'text' ? ['text'] : ['text', 'HTML', 'links'];
}

const COLUMN_HELP: Readonly<Record<string, string>> = {
  'Kept whole': 'Pages that kept all their text because too little would have been left',
  Problems: 'Pages with a problem',
};

function renderSiteRow(site: SiteSummary, detectors: readonly string[], isHistory: boolean): string {
  const shares = detectors.flatMap((detector, k) => {
    const inside = site.inside[detector];
    const look = k === 0 ? '' : 'other';
    return sharesOf(detector).map((part) => {
      if (inside === undefined) return `<td class="share ${look}" data-v="-1"></td>`;
      if (part === 'text') return sortedShare(inside.textBytes, site.textBytes, look);
      return part === 'HTML'
        ? sortedShare(inside.htmlBytes, site.htmlBytes, look)
        : sortedShare(inside.links, site.links, look);
    });
  });
  return `<tr data-site="${escapeHtml(site.site)}"><td data-v="${escapeHtml(site.site)}"><button type="button" class="pick">${escapeHtml(siteName(site))}</button><small>${formatTimes(site.firstTime, site.lastTime)}</small></td>${[
    numberCell(site.pages),
    ...(isHistory ? [numberCell(site.urls)] : []),
    numberCell(site.snapshots),
    numberCell(site.htmlBytes, formatBytes(site.htmlBytes)),
    ...shares,
    numberCell(site.unsurePages),
    numberCell(site.problems),
  ].join('')}</tr>`;
}

/** Returns a cell with a share and its sort key. */
function sortedShare(inside: number, all: number, look: string): string {
  if (all <= 0) return `<td class="share ${look}" data-v="-1"><i class="none">–</i></td>`;
  return shareCell(inside, all, ` data-v="${Math.min(1, inside / all).toFixed(5)}"`, look);
}
