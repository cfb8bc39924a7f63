/**
 * report.html: one self-contained file to look at and to send. Headline, sites and problems are plain HTML
 * (they are there without scripts, and in print); the browser script adds sorting, searching and the picture
 * of section 5 of Gibson, Punera and Tomkins, from the data at the end of the file.
 *
 * The same data gives the same bytes. The policy allows the one script in the file, by its hash, and no
 * request at all; whatever titles, URLs and texts of pages hold is text.
 */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { countOf } from '../model/count-of.ts';
import type { SiteSummary } from '../store/open-folder.ts';
import { escapeHtml } from '../view/escape-html.ts';
import { renderStudy } from './figures/study-section.ts';
import { formatBytes, formatCount, formatPercent, formatTimes } from './format-numbers.ts';
import { fragmentHeadline, renderFragments } from './fragment-section.ts';
import { DARK_PALETTE, LIGHT_PALETTE, type Palette } from './frequency-classes.ts';
import { capital, numberCell, shareCell, sortHead } from './html-cells.ts';
import { MOST_SITES, type ReportData } from './report-data.ts';
import { encodeReportData } from './report-json.ts';

const LABEL_SCRIPTS = ['format.js', 'sort-table.js', 'sites.js', 'picture.js', 'templates.js', 'report.js'];
const FRAGMENT_SCRIPTS = ['sort-table.js', 'fragments.js'];

export function renderReport(data: ReportData): string {
  const hasLabels = data.detectors.length > 0;
  const scripts = [
    ...(hasLabels ? LABEL_SCRIPTS : []),
    ...(data.fragments === undefined
      ? []
      : FRAGMENT_SCRIPTS.filter((name) => !hasLabels || !LABEL_SCRIPTS.includes(name))),
  ];
  const script = `\n(() => {\n'use strict';\n${scripts.map(readScript).join('\n')}\n})();\n`;
  const scriptHash = createHash('sha256').update(script).digest('base64');
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'; base-uri 'none'; form-action 'none'`;
  const title = reportTitle(data);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)} – Chaff report</title>
<style>${paletteStyle()}${readAsset('report.css')}${readAsset('plots.css')}${data.study === undefined ? '' : readAsset('study.css')}${data.fragments === undefined ? '' : readAsset('fragments.css')}</style>
</head>
<body>
<header class="page">
<p class="kicker">Chaff report</p>
<h1>${escapeHtml(title)}</h1>
${renderHeadline(data)}
${renderAccounting(data)}
</header>
<main class="page">
${hasLabels ? `${renderSites(data)}\n<section id="site" aria-live="off" hidden></section>\n` : ''}${data.study === undefined ? '' : `${renderStudy(data.study.study, data.study.figures, data.sites)}\n`}${data.fragments === undefined ? '' : `${renderFragments(data.fragments)}\n`}${renderProblems(data)}
${renderRun(data)}
</main>
${hasLabels ? `<div id="tip" role="status" aria-live="polite" hidden></div>\n<script type="application/json" id="data">${encodeReportData(data)}</script>\n` : ''}<script>${script}</script>
</body>
</html>
`;
}

/** The modules of the browser script stand in one file: in order, without their imports and exports. */
function readScript(name: string): string {
  return readAsset(name)
    .replace(/^import [^;]*;\n/gm, '')
    .replace(/^export /gm, '');
}

function readAsset(name: string): string {
  return readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8').trim();
}

function paletteStyle(): string {
  const variables = ({ classes, content }: Palette): string =>
    `${classes.map((colour, at) => `--f${at}:${colour};`).join('')}--content:${content}`;
  return `:root{${variables(LIGHT_PALETTE)}}
@media screen and (prefers-color-scheme:dark){:root{${variables(DARK_PALETTE)}}}
`;
}

function reportTitle({ inputs }: ReportData): string {
  if (inputs.length === 0) return 'No archive';
  if (inputs.length <= 3) return inputs.map(({ name }) => name).join(', ');
  return `${inputs[0].name} and ${formatCount(inputs.length - 1)} more archives`;
}

function renderHeadline({ counts, sites, detectors, fragments }: ReportData): string {
  const siteCount = detectors.length > 0 ? sites.length : (fragments?.sites ?? 0);
  // a page that was captured often is one page
  const pages = hasRepeats(sites) ? sites.reduce((sum, { urls }) => sum + urls, 0) : counts.labelled;
  const figures: (readonly [value: string, name: string])[] = [
    ...(pages === counts.labelled
      ? []
      : [[formatCount(counts.labelled), counts.labelled === 1 ? 'capture' : 'captures'] as const]),
    [formatCount(pages), pages === 1 ? 'page' : 'pages'],
    [formatCount(siteCount), siteCount === 1 ? 'site' : 'sites'],
    [formatBytes(counts.htmlBytes), 'of HTML'],
    ...detectors.map((detector): [string, string] => {
      const inside = sites.reduce((sum, site) => sum + (site.inside[detector]?.textBytes ?? 0), 0);
      return [formatPercent(inside, counts.textBytes), `of text in templates, by ${detector}`];
    }),
    ...(fragments === undefined ? [] : fragmentHeadline(fragments)),
  ];
  const items = figures.map(([value, name]) => `<div><dd>${value}</dd><dt>${escapeHtml(name)}</dt></div>`);
  return `<dl class="headline">${items.join('')}</dl>`;
}

/** captures read = labelled + skipped, with every code. */
function renderAccounting({ counts, detectors }: ReportData): string {
  const codes = Object.entries(counts.skipped)
    .filter(([, count]) => count > 0)
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
  const skipped = codes.reduce((sum, [, count]) => sum + count, 0);
  const list = codes
    .map(([code, count]) => `<li><b>${formatCount(count)}</b> ${escapeHtml(code)}</li>`)
    .join('');
  return `<p class="sum">${countOf(counts.captures, 'capture')} read = ${formatCount(counts.labelled)} ${detectors.length > 0 ? 'labelled' : 'compared'} + ${formatCount(skipped)} skipped</p>
${list === '' ? '' : `<ul class="codes" aria-label="Skipped, by code">${list}</ul>`}`;
}

const howToRead = (bar: string, bars: string): string =>
  `Each thin bar below is ${bar}, shortest first; coloured stretches are templates, coloured by how
many pages of the site hold them, and gray is what only that page says. Shares in the table are bytes (or links)
inside templates over all bytes (or links) of the site’s ${bars}.`;

/** What joint cuts may be on one page only. */
const ALSO_BY_JOINT = ' By joint, templates are all that is left out of the text, comments and the like too.';

function renderSites({ sites, detectors }: ReportData): string {
  const isHistory = hasRepeats(sites);
  const listed = sites.slice(0, MOST_SITES);
  const more = sites.length - listed.length;
  const groups = detectors.map((detector) => {
    const span = sharesOf(detector).length;
    return `<th scope="colgroup" colspan="${span}" class="group"><span>in templates, ${escapeHtml(detector)}</span></th>`;
  });
  const heads = [
    sortHead('Site', 'text'),
    ...[...(isHistory ? ['Captures'] : []), 'Pages', 'Snapshots', 'HTML'].map((name) => sortHead(name)),
    ...detectors.flatMap((detector) => sharesOf(detector).map((part) => sortHead(capital(part)))),
    ...Object.entries(COLUMN_HELP).map(([name, help]) => sortHead(name, 'number', ` title="${help}"`)),
    sortHead('Problems'),
  ];
  return `<section id="sites">
<div class="bar-of-title"><h2>Sites</h2><label class="search">Find <input type="search" id="find" placeholder="part of a name" autocomplete="off" spellcheck="false"></label></div>
<p class="how">${isHistory ? howToRead('a capture of a page', 'captures') : howToRead('a page', 'pages')}${detectors.includes('joint') ? ALSO_BY_JOINT : ''}</p>
<div class="scroll" id="site-scroll" tabindex="0" role="region" aria-label="Table of sites"><table id="site-table">
<thead><tr><td colspan="${isHistory ? 5 : 4}"></td>${groups.join('')}<td colspan="3"></td></tr><tr>${heads.join('')}</tr></thead>
<tbody>
${listed.map((site) => renderSiteRow(site, detectors, isHistory)).join('\n')}
</tbody></table></div>
<p class="note" id="found" role="status"></p>
${more > 0 ? `<p class="note">${formatCount(more)} smaller sites are not listed here; all are in pages/*.parquet.</p>` : ''}
</section>`;
}

/** Whether some page was captured more than once: then captures and pages are told apart. */
function hasRepeats(sites: readonly SiteSummary[]): boolean {
  return sites.some(({ pages, urls }) => pages > urls);
}

/** The text detector knows text only; the others also tell HTML and links. */
function sharesOf(detector: string): ('text' | 'HTML' | 'links')[] {
  return detector === 'text' ? ['text'] : ['text', 'HTML', 'links'];
}

const COLUMN_HELP: Readonly<Record<string, string>> = {
  Exact: 'Captures whose misnested formatting was rebuilt as browsers do',
  Unsure: 'Captures that kept all their text because too little would have been left',
};

function renderSiteRow(site: SiteSummary, detectors: readonly string[], isHistory: boolean): string {
  const shares = detectors.flatMap((detector) => {
    const inside = site.inside[detector];
    return sharesOf(detector).map((part) => {
      if (inside === undefined) return '<td class="share" data-v="-1"></td>';
      if (part === 'text') return sortedShare(inside.textBytes, site.textBytes);
      return part === 'HTML'
        ? sortedShare(inside.htmlBytes, site.htmlBytes)
        : sortedShare(inside.links, site.links);
    });
  });
  return `<tr data-site="${escapeHtml(site.site)}"><td data-v="${escapeHtml(site.site)}"><button type="button" class="pick">${escapeHtml(site.site === '' ? '(no host)' : site.site)}</button><small>${formatTimes(site.firstTime, site.lastTime)}</small></td>${[
    numberCell(site.pages),
    ...(isHistory ? [numberCell(site.urls)] : []),
    numberCell(site.snapshots),
    numberCell(site.htmlBytes, formatBytes(site.htmlBytes)),
    ...shares,
    numberCell(site.exactPages),
    numberCell(site.unsurePages),
    numberCell(site.problems),
  ].join('')}</tr>`;
}

/** A share that its column is sorted by. */
function sortedShare(inside: number, all: number): string {
  if (all <= 0) return '<td class="share" data-v="-1"><i class="none">–</i></td>';
  return shareCell(inside, all, ` data-v="${Math.min(1, inside / all).toFixed(5)}"`);
}

function renderProblems({ problems }: ReportData): string {
  if (problems.total === 0) return '<section id="problems"><h2>Problems</h2><p>None.</p></section>';
  const codes = Object.entries(problems.byCode)
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .map(([code, count]) => `<li><b>${formatCount(count)}</b> ${escapeHtml(code)}</li>`);
  const rows = problems.listed.map((problem) => {
    const where = [problem.file, problem.entry].filter((part) => part !== undefined).join(' › ');
    const offset = problem.offset === undefined ? '' : ` at ${formatCount(problem.offset)}`;
    const url = problem.url === undefined ? '' : `<small><bdi>${escapeHtml(problem.url)}</bdi></small>`;
    return `<tr><td><code>${escapeHtml(problem.code)}</code></td><td>${escapeHtml(problem.message)}${url}</td><td>${escapeHtml(where)}${offset}</td></tr>`;
  });
  const unlisted = problems.total - rows.length;
  return `<section id="problems"><h2>Problems</h2>
<ul class="codes" aria-label="Problems, by code">${codes.join('')}</ul>
<details><summary>${unlisted > 0 ? `The first ${formatCount(rows.length)}` : 'List'}</summary>
<div class="scroll"><table class="plain"><thead><tr><th scope="col">Code</th><th scope="col">What</th><th scope="col">Where</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div></details>
${unlisted > 0 ? `<p class="note">${formatCount(unlisted)} more are in problems.jsonl.</p>` : ''}
</section>`;
}

function renderRun({ version, inputs, options }: ReportData): string {
  const rows = Object.entries(options).map(
    ([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(String(value))}</dd></div>`,
  );
  const files = inputs
    .slice(0, 100)
    .map(
      ({ name, sizeBytes, captures }) =>
        `<tr><td>${escapeHtml(name)}</td><td class="number">${sizeBytes > 0 ? formatBytes(sizeBytes) : '–'}</td><td class="number">${formatCount(captures)}</td></tr>`,
    );
  const more = inputs.length > 100 ? `<p class="note">and ${formatCount(inputs.length - 100)} more</p>` : '';
  return `<section id="run"><h2>The run</h2>
<dl class="options"><div><dt>chaff</dt><dd>${escapeHtml(version)}</dd></div>${rows.join('')}</dl>
<div class="scroll"><table class="plain"><thead><tr><th scope="col">Archive</th><th scope="col" class="number">Size</th><th scope="col" class="number">Captures</th></tr></thead><tbody>${files.join('')}</tbody></table></div>${more}
</section>`;
}
