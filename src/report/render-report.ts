/**
 * Renders report.html, a self-contained file to read and to send. It starts with the finding, then shows the sites,
 * their history, the paper's figures under "Study", and last how the run went. All of that is plain HTML and SVG
 * that works without scripts and in print; the browser script adds the large picture of a site, sorting, searching
 * and saving of figures.
 *
 * The same data gives the same bytes. The content security policy allows only the script in the file, by its hash,
 * and no requests; titles, URLs and texts of pages are escaped.
 */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { escapeHtml } from '../view/escape-html.ts';
import { renderStudy } from './figures/study-section.ts';
import { findingOf } from './finding.ts';
import { formatCount } from './format-numbers.ts';
import { renderFragments } from './fragment-section.ts';
import { DARK_PALETTE, LIGHT_PALETTE, type Palette } from './frequency-classes.ts';
import { renderHistory } from './history-section.ts';
import type { ReportData } from './report-data.ts';
import { encodeReportData } from './report-json.ts';
import { renderFooter } from './run-footer.ts';
import { renderSiteCards } from './site-cards.ts';
import { renderSitesTable } from './sites-table.ts';

const LABEL_SCRIPTS = [
  'format.js',
  'sort-table.js',
  'sites.js',
  'picture.js',
  'templates.js',
  'picture-files.js',
  'save-figures.js',
  'report.js',
];
const FRAGMENT_SCRIPTS = ['sort-table.js', 'fragments.js', 'save-figures.js'];
const STYLES = [
  'report.css',
  'tables.css',
  'site.css',
  'media.css',
  'overview.css',
  'plots.css',
  'study.css',
];

/** Returns the HTML of a report. */
export function renderReport(data: ReportData): string {
  const hasLabels = data.detectors.length > 0;
  const scripts = new Set([
    ...(hasLabels ? LABEL_SCRIPTS : []),
    ...(data.fragments === undefined ? [] : FRAGMENT_SCRIPTS),
  ]);
  const script = `\n(() => {\n'use strict';\n${[...scripts].map(readScript).join('\n')}\n})();\n`;
  const scriptHash = createHash('sha256').update(script).digest('base64');
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src blob:; script-src 'sha256-${scriptHash}'; base-uri 'none'; form-action 'none'`;
  const title = reportTitle(data);
  const sections = sectionsOf(data);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)} – Chaff report</title>
<style>${paletteStyle()}${[...STYLES, ...(data.fragments === undefined ? [] : ['fragments.css'])].map(readAsset).join('\n')}</style>
</head>
<body>
<header class="page">
<p class="kicker">Chaff report · ${escapeHtml(title)}</p>
${renderFinding(data)}
${renderContents(sections)}
</header>
<main class="page">
${sections.map(({ html }) => html).join('\n')}
</main>
${renderFooter(data)}
${hasLabels ? `<div id="tip" role="status" aria-live="polite" hidden></div>\n<script type="application/json" id="data">${encodeReportData(data)}</script>\n` : ''}<script>${script}</script>
</body>
</html>
`;
}

interface Section {
  id: string;
  name: string;
  html: string;
}

/** Returns the sections that have data, in order; a history comes first. */
function sectionsOf(data: ReportData): Section[] {
  const { detectors, fragments, study, sites } = data;
  const hasLabels = detectors.length > 0;
  const sections: Section[] = [
    { id: 'history', name: 'History', html: renderHistory(data) },
    { id: 'overview', name: 'Overview', html: hasLabels ? renderSiteCards(data) : '' },
    {
      id: 'fragments',
      name: 'Shared fragments',
      html: fragments === undefined ? '' : renderFragments(fragments),
    },
    {
      id: 'site',
      name: 'A site in detail',
      html: hasLabels && sites.length > 0 ? '<section id="site" aria-live="off" hidden></section>' : '',
    },
    { id: 'sites', name: 'All sites', html: hasLabels && sites.length > 0 ? renderSitesTable(data) : '' },
    {
      id: 'study',
      name: 'Study',
      html: study === undefined ? '' : renderStudy(study.study, study.figures, sites, data.annotated),
    },
  ];
  return sections.filter(({ html }) => html !== '');
}

function renderFinding(data: ReportData): string {
  const { sentence, numbers } = findingOf(data);
  const items = numbers.map(([value, name]) => `<div><dd>${value}</dd><dt>${escapeHtml(name)}</dt></div>`);
  return `<h1>${escapeHtml(sentence)}</h1>
${items.length === 0 ? '' : `<dl class="headline">${items.join('')}</dl>`}`;
}

function renderContents(sections: readonly Section[]): string {
  const links = [...sections, { id: 'run', name: 'The run' }].map(
    ({ id, name }) => `<li><a href="#${id}">${name}</a></li>`,
  );
  return `<nav class="contents" aria-label="Sections"><ul>${links.join('')}</ul></nav>`;
}

/** Joins the modules of the browser script into one, without their imports and exports. */
function readScript(name: string): string {
  return readAsset(name)
    .replace(/^import [^;]*;\n/gm, '')
    .replace(/^export /gm, '');
}

function readAsset(name: string): string {
  return readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8').trim();
}

function paletteStyle(): string {
  const variables = ({ classes, content, onFew, onMany }: Palette): string =>
    `${classes.map((colour, at) => `--f${at}:${colour};`).join('')}--content:${content};--on-few:${onFew};--on-many:${onMany}`;
  return `:root{${variables(LIGHT_PALETTE)}}
@media screen and (prefers-color-scheme:dark){:root{${variables(DARK_PALETTE)}}}
`;
}

function reportTitle({ inputs }: ReportData): string {
  if (inputs.length === 0) return 'No archive';
  if (inputs.length <= 3) return inputs.map(({ name }) => name).join(', ');
  return `${inputs[0].name} and ${formatCount(inputs.length - 1)} more archives`;
}
