/**
 * Renders shared fragments in report.html: totals, the classes that save the most bytes, the four distributions of
 * Ma and Gu's Figure 3, and the bytes of pages by encoding. Plain HTML and SVG; the browser script adds sorting and
 * a choice of relation. Text from pages is escaped.
 */
import { METHOD_NAMES, type SiteCompression } from '../fragments/dictionary/measure.ts';
import type { FragmentClass, Relation } from '../fragments/shared-page.ts';
import { countOf } from '../model/count-of.ts';
import type { Distribution, FragmentFigures } from '../store/fragments/fragment-report.ts';
import { escapeHtml } from '../view/escape-html.ts';
import { type Axis, shortNumber } from './figures/axis.ts';
import { figureCsv } from './figures/figure.ts';
import { renderPlot } from './figures/plot.ts';
import { capitalShare, type Finding } from './finding.ts';
import { formatBytes, formatCount, formatPercent } from './format-numbers.ts';
import { capital, cut, numberCell, shareCell, sortHead } from './html-cells.ts';
import { pageLink } from './page-link.ts';

const LONGEST_TEXT = 160;
const MAX_COMPRESSED_SITES = 50;

/** Returns the HTML of the section about shared fragments. */
export function renderFragments(figures: FragmentFigures): string {
  return `<section id="fragments">
<h2>Shared fragments</h2>
<p class="how">A fragment is an element with all it holds, or several side by side. Fragments are shared completely when markup and
text are the same, structurally when the markup is; only maximal ones are counted, those inside no larger one that is shared.
Saved is what would go if each class were kept once.</p>
${renderCompression(figures)}
${renderRelations(figures)}
${renderClasses(figures)}
${renderPlots(figures)}
</section>`;
}

function renderRelations({ relations, pages, htmlBytes }: FragmentFigures): string {
  const rows = relations.map((each) => {
    const { relation, classes, composites, members, sharedPages, sharedBytes, savedBytes } = each;
    return `<tr><th scope="row">${keyOf(relation)}${relation}</th>${[
      numberCell(classes),
      numberCell(composites),
      numberCell(members),
      numberCell(sharedPages, `${formatCount(sharedPages)} <small>of ${formatCount(pages)}</small>`),
      shareCell(sharedBytes, htmlBytes),
      numberCell(savedBytes, formatBytes(savedBytes)),
      shareCell(savedBytes, htmlBytes),
    ].join('')}</tr>`;
  });
  const heads = [
    'Classes',
    'of several parts',
    'Members',
    'Pages with any',
    'HTML in them',
    'Saved',
    'of all HTML',
  ];
  return `<div class="scroll whole"><table class="relations"><thead><tr><th scope="col">Shared</th>${heads.map((name) => `<th scope="col" class="number">${name}</th>`).join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>`;
}

/** Plots of Figure 3 in the paper. */
function renderPlots(figures: FragmentFigures): string {
  if (figures.relations.every(({ classes }) => classes === 0))
    return '<p class="note">No two pages share a fragment.</p>';
  const legend = figures.relations.map(({ relation }) => `<li>${keyOf(relation)}${relation}</li>`);
  const plots = [
    plot('Classes by number of members', figures.members, {
      xLabel: 'members of a class (log scale)',
      yLabel: 'classes',
      scale: 'log',
      formatX: shortNumber,
      say: sayMembers,
    }),
    plot('Classes by size', figures.sizes, {
      xLabel: 'average size of a member, bytes compared (log scale)',
      yLabel: 'classes',
      scale: 'log',
      formatX: shortBytes,
      say: saySizes,
    }),
    plot('Pages by number of fragments', figures.fragments, {
      xLabel: 'shared fragments on a page (log scale)',
      yLabel: 'pages',
      scale: 'log from zero',
      formatX: shortNumber,
      say: sayFragments,
    }),
    plot('Pages by shared percentage', figures.shares, {
      xLabel: 'share of a page’s HTML in shared fragments, percent',
      yLabel: 'pages',
      scale: 'percent',
      formatX: (value) => `${value}\u00a0%`,
      say: sayShares,
    }),
  ];
  return `<h3>How much is shared, and how often</h3>
<ul class="legend" aria-label="Lines">${legend.join('')}<li class="legend-title">Each line shows the share of all that is at most this large.</li></ul>
<div class="plots">
${plots.join('\n')}
</div>`;
}

interface PlotText {
  xLabel: string;
  yLabel: string;
  scale: 'log' | 'log from zero' | 'percent';
  formatX: (value: number) => string;
  /** Returns the statement about the distribution of one relation. */
  say: (distribution: Distribution) => string;
}

function plot(title: string, distributions: readonly Distribution[], { say, ...options }: PlotText): string {
  const said = distributions
    .filter(({ total }) => total > 0)
    .map((each) => `${capital(each.relation)}: ${say(each)}`);
  const svg = renderDistributions(distributions, { ...options, description: `${title}. ${said.join(' ')}` });
  return `<figure data-save="${title.toLowerCase().replaceAll(' ', '-')}" data-csv="${escapeHtml(csvOf(distributions))}"><h4>${title}</h4>${svg}<figcaption>${said.join(' ')}</figcaption></figure>`;
}

function csvOf(distributions: readonly Distribution[]): string {
  const rows = distributions.flatMap(({ relation, points }) =>
    points.map(([value, count]) => [relation, value, count]),
  );
  return figureCsv({ columns: ['relation', 'value', 'count'], rows });
}

function sayMembers({ total, median, high, largest }: Distribution): string {
  const classes = total === 1 ? 'the one class has' : `half of the ${formatCount(total)} classes have`;
  const most =
    total === 1 ? '' : `, a tenth ${formatCount(high)} or more, and the largest ${formatCount(largest)}`;
  return `${classes} ${total === 1 || median === 2 ? formatCount(median) : `at most ${formatCount(median)}`} members${most}.`;
}

function saySizes({ median, high, largest }: Distribution): string {
  return `half are at most ${formatBytes(median)}, a tenth ${formatBytes(high)} or more; the largest has ${formatBytes(largest)}.`;
}

function sayFragments({ points, total, median, largest }: Distribution): string {
  const none = points[0]?.[0] === 0 ? points[0][1] : 0;
  const without = none === 0 ? 'every page has one' : `${formatPercent(none, total)} of pages have none`;
  return `${without}, half have at most ${formatCount(median)}; the most on one page are ${formatCount(largest)}.`;
}

function sayShares({ median, low }: Distribution): string {
  return `half of the pages are shared to ${formatPercent(median, 100)} or more, nine of ten to ${formatPercent(low, 100)} or more.`;
}

function renderClasses({ classes, relations }: FragmentFigures): string {
  if (classes.length === 0) return '';
  const all = relations.reduce((sum, each) => sum + each.classes, 0);
  const choices = relations.map(({ relation }) => relation);
  const heads = [
    sortHead('Shared', 'text'),
    ...['Pages', 'Members', 'Parts', 'Average'].map((name) => sortHead(name)),
    sortHead('Saved', 'number', ' aria-sort="descending"'),
    sortHead('Place', 'text'),
    sortHead('Text', 'text'),
  ];
  const tabs =
    choices.length < 2
      ? ''
      : `<div class="segments" id="relation" role="group" aria-label="Relation" hidden>${['all', ...choices].map((name) => `<button type="button" data-relation="${name}">${name}</button>`).join('')}</div>`;
  return `<div class="bar-of-title"><h3>Classes that save the most</h3>${tabs}</div>
<div class="scroll" tabindex="0" role="region" aria-label="Table of classes"><table id="class-table">
<thead><tr>${heads.join('')}</tr></thead>
<tbody>
${classes.map(renderClass).join('\n')}
</tbody></table></div>
${all > classes.length ? `<p class="note">${formatCount(all - classes.length)} classes that save less are not listed here; all are in fragments/classes.parquet.</p>` : ''}`;
}

function renderClass(shared: FragmentClass): string {
  const { relation, pages, members, parts, avgBytes, savedBytes, place, text, url, sites } = shared;
  const shown =
    text === '' ? '<i class="none">no text</i>' : `<bdi>${escapeHtml(cut(text, LONGEST_TEXT))}</bdi>`;
  const where = sites > 1 ? ` <span class="sites">on ${formatCount(sites)} sites</span>` : '';
  return `<tr data-relation="${relation}"><td data-v="${relation}" class="relation">${keyOf(relation)}<span>${relation}</span></td>${[
    numberCell(pages),
    numberCell(members),
    numberCell(parts),
    numberCell(avgBytes, formatBytes(avgBytes)),
    numberCell(savedBytes, formatBytes(savedBytes)),
  ].join(
    '',
  )}<td class="place" data-v="${escapeHtml(place)}"><bdi>${escapeHtml(place)}</bdi></td><td class="text" data-v="${escapeHtml(cut(text, 40))}"><div>${shown}</div><small>${pageLink(url)}${where}</small></td></tr>`;
}

/** Returns the table of bytes of a page by encoding, with and without the dictionary of the site. */
function renderCompression({ compression }: FragmentFigures): string {
  const sites = (compression?.sites ?? []).filter(({ methods }) => methods.length > 0);
  if (sites.length === 0) return '';
  const more = sites.length - MAX_COMPRESSED_SITES;
  return `<h3>Bytes of a page on the wire</h3>
<p class="how">Mean over pages that had no part in the making of the dictionary.</p>
${sites.slice(0, MAX_COMPRESSED_SITES).map(renderSiteCompression).join('\n')}
${more > 0 ? `<p class="note">${countOf(more, 'more site is', 'more sites are')} in fragments/compression.json.</p>` : ''}`;
}

function renderSiteCompression(figures: SiteCompression): string {
  const { site, methods, dictionaryBytes, pagesUsed, pagesMeasured } = figures;
  const largest = Math.max(1, ...methods.map(({ meanBytes }) => meanBytes));
  const gzip = methods.find(({ method }) => method === 'gzip-6')?.meanBytes ?? 0;
  const rows = methods.map(({ method, meanBytes, medianBytes }) => {
    const dictionary = method.endsWith('-dictionary');
    const width = ((100 * meanBytes) / largest).toFixed(1);
    return `<tr><th scope="row">${escapeHtml(METHOD_NAMES[method] ?? method)}</th><td class="bar"><span class="meter${dictionary ? ' with' : ''}"><i style="width:${width}%"></i></span></td>${numberCell(meanBytes, formatBytes(meanBytes))}${numberCell(medianBytes, formatBytes(medianBytes))}<td class="number">${gzip > 0 ? formatRatio(meanBytes / gzip) : ''}</td></tr>`;
  });
  return `<div class="scroll whole compression"><table><caption>${escapeHtml(site === '' ? '(no host)' : site)}: ${formatCount(pagesMeasured)} ${pagesMeasured === 1 ? 'page' : 'pages'} measured, dictionary of ${formatBytes(dictionaryBytes)} from ${formatCount(pagesUsed)} others</caption>
<thead><tr><th scope="col">Encoding</th><th scope="col"><span class="unseen">Mean as a bar</span></th><th scope="col" class="number">Mean</th><th scope="col" class="number">Median</th><th scope="col" class="number">of gzip</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>`;
}

/**
 * Returns the finding of a report about fragments: the size of a page with a dictionary, or the bytes saved by
 * keeping each fragment once.
 */
export function fragmentFinding(figures: FragmentFigures): Finding {
  const { relations, htmlBytes, pages, sites } = figures;
  const on = sites === 1 ? 'this site' : `these ${formatCount(sites)} sites`;
  // structural fragments have different texts, so that one copy cannot stand for all of them
  const complete = relations.find(({ relation }) => relation === 'complete');
  const most = complete ?? relations[0];
  const numbers: Finding['numbers'] = [
    ...(complete === undefined
      ? []
      : ([
          [
            formatBytes(complete.savedBytes),
            `of ${formatBytes(htmlBytes)} saved, were each fragment kept once`,
          ],
        ] as Finding['numbers'])),
    [formatCount(pages), `${pages === 1 ? 'page' : 'pages'} on ${countOf(sites, 'site')}`],
  ];
  const sent = sentBytes(figures);
  if (sent !== undefined) {
    numbers.unshift([
      `${formatBytes(sent.gzip)} → ${formatBytes(sent.best)}`,
      `a page on the wire: gzip, and ${sent.name}`,
    ]);
    return {
      sentence: `With a dictionary of what the pages share, a page of ${on} shrinks from ${formatBytes(sent.gzip)} to ${formatBytes(sent.best)} on the wire.`,
      numbers,
    };
  }
  if (most === undefined || most.savedBytes <= 0)
    return { sentence: `The ${countOf(pages, 'page')} of ${on} share no fragment.`, numbers };
  const sentence =
    complete === undefined
      ? `${capitalShare(most.sharedBytes / Math.max(1, htmlBytes))} of the HTML of ${on} is in elements whose markup several pages have.`
      : `${capitalShare(complete.savedBytes / Math.max(1, htmlBytes))} of the HTML of ${on} would go if each shared fragment were kept once.`;
  return { sentence, numbers };
}

/** Returns the mean bytes of a page over the measured sites: by gzip, and by the best method with a dictionary. */
function sentBytes({
  compression,
}: FragmentFigures): { gzip: number; best: number; name: string } | undefined {
  const sites = (compression?.sites ?? []).filter(
    ({ methods, pagesMeasured }) => methods.length > 0 && pagesMeasured > 0,
  );
  const pages = sites.reduce((sum, site) => sum + site.pagesMeasured, 0);
  const mean = (method: string): number =>
    sites.reduce((sum, site) => {
      const own = site.methods.find((each) => each.method === method);
      return own === undefined ? Number.NaN : sum + own.meanBytes * site.pagesMeasured;
    }, 0) / pages;
  const gzip = mean('gzip-6');
  const names = new Set(sites.flatMap(({ methods }) => methods.map(({ method }) => method)));
  const [best] = [...names]
    .filter((method) => method.endsWith('-dictionary'))
    .map((method) => ({ method, bytes: mean(method) }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => a.bytes - b.bytes);
  if (best === undefined || !(gzip > best.bytes)) return undefined;
  return { gzip, best: best.bytes, name: METHOD_NAMES[best.method] ?? best.method };
}

/** Returns a short line in the style of the relation, for legends. */
function keyOf(relation: Relation): string {
  return `<svg class="key" viewBox="0 0 26 10" aria-hidden="true"><path class="line ${relation}" d="M1 5H25"/></svg>`;
}

function formatRatio(ratio: number): string {
  return `${Math.round(100 * ratio)}\u00a0%`;
}

function shortBytes(value: number): string {
  if (value >= 1e6) return `${value / 1e6}\u00a0MB`;
  return value >= 1e3 ? `${value / 1e3}\u00a0kB` : `${value}\u00a0B`;
}

/** Axes and texts of a plot of distributions. */
export interface PlotOptions {
  /** Label of the horizontal axis, with its unit: `average size of a fragment, bytes`. */
  xLabel: string;
  /** Unit that is counted: `classes`. */
  yLabel: string;
  /** `log` starts at the smallest value; `log from zero` has a place for 0; `percent` is 0 to 100. */
  scale: 'log' | 'log from zero' | 'percent';
  formatX: (value: number) => string;
  /** Text for screen readers. */
  description: string;
}

/** Returns the SVG of cumulative distributions, one line per relation. */
export function renderDistributions(
  distributions: readonly Distribution[],
  { xLabel: label, yLabel, scale, formatX: format, description }: PlotOptions,
): string {
  const x: Axis =
    scale === 'percent' ? { label, format, scale: 'linear', from: 0, to: 100 } : { label, format, scale };
  const series = distributions
    .filter(({ total }) => total > 0)
    .map(({ relation, points, total }) => ({
      name: relation,
      kind: 'steps' as const,
      look: `line ${relation}`,
      points: points.map(([value, count]): [number, number] => [value, count / total]),
    }));
  const y: Axis = { label: `share of ${yLabel}`, scale: 'share' };
  return renderPlot({ x, y, series, withoutLegend: true }, { description });
}
