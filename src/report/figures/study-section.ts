/** Renders the part of the report about templates: figures, schemas, main areas. */

import { countOf } from '../../model/count-of.ts';
import type { SiteSummary } from '../../store/open-folder.ts';
import { type DrawnSchema, SHOWN_ROWS, SHOWN_SITES } from '../../store/study/read-site-lists.ts';
import type { Study } from '../../store/study/read-study.ts';
import { escapeHtml } from '../../view/escape-html.ts';
import { formatBytes, formatCount, formatPercent, formatTimes } from '../format-numbers.ts';
import { classBounds, classOf } from '../frequency-classes.ts';
import { annotatedLink, pageLink } from '../page-link.ts';
import { type Figure, renderFigure } from './figure.ts';

/** Returns the HTML of the section; `figures` must be ordered by number and `sites` by pages, most first. */
export function renderStudy(
  study: Study,
  figures: readonly Figure[],
  sites: readonly SiteSummary[],
  annotated: ReadonlySet<number> = new Set(),
): string {
  if (figures.length === 0) return '';
  const present = figures.filter((figure) => figure.absent === undefined);
  const elsewhere = present.filter(({ shownElsewhere }) => shownElsewhere);
  const absent = figures.filter((figure) => figure.absent !== undefined);
  const here = present.filter((figure) => !figure.shownElsewhere);
  const parts = [
    { title: 'Figures', own: here.filter(({ id }) => id.startsWith('figure')) },
    { title: 'Tables', own: here.filter(({ id }) => id.startsWith('table')) },
  ].filter(({ own }) => own.length > 0);
  return `<section id="study"><details class="fold"><summary><h2>Study</h2> <span class="how">The figures and tables of Gibson, Punera and Tomkins (2005), drawn from this archive</span></summary>
<p class="how">Each figure has its data as a CSV file in the folder <code>figures</code> beside this report, and the query that gives it. Figures 1 to 15 and Tables 1 and 2 have the numbers of the paper, the others are ours. The paper’s Figures 5 to 9 are pictures of single sites: here every site has one in the <a href="#overview">overview</a>, and <a href="#figure-05">Figure 5</a> has their data.</p>
${parts.map(({ title, own }) => `<h3>${title}</h3>\n<div class="plots">\n${own.map(renderFigure).join('\n')}\n</div>`).join('\n')}
${absent.length === 0 ? '' : `<details class="absent"><summary>${countOf(absent.length, 'figure or table', 'figures and tables')} without data in this archive</summary><div class="plots">${absent.map(renderFigure).join('\n')}</div></details>`}
${renderSchemas(study, sites, annotated)}
${elsewhere.length === 0 ? '' : `<h3>Pictures and lists of the sites as data</h3>\n<div class="plots">${elsewhere.map(renderFigure).join('\n')}</div>`}
</details></section>`;
}

function renderSchemas(study: Study, sites: readonly SiteSummary[], annotated: ReadonlySet<number>): string {
  const drawn = new Set(study.drawnSchemas.map(({ site }) => site));
  if (drawn.size === 0) return '';
  const sections = sites
    .filter(({ site }) => drawn.has(site))
    .map((site, k) => renderSite(site, study, k === 0, annotated));
  const more = sites.length - SHOWN_SITES;
  return `<h3>Schemas of the sites</h3>
<p class="how">A schema is the pages with the same templates in the same order, such as articles or listings. Each bar is a typical page of the schema: templates have the colours of the picture of the site, content is white.</p>
${sections.join('\n')}
${more > 0 ? `<p class="note">${countOf(more, 'smaller site is', 'smaller sites are')} in study/schemas.parquet.</p>` : ''}`;
}

function renderSite(
  { site, pages, urls }: SiteSummary,
  study: Study,
  open: boolean,
  annotated: ReadonlySet<number>,
): string {
  const own = <T extends { site: string }>(rows: readonly T[]): T[] =>
    rows.filter((row) => row.site === site);
  const schemas = own(study.drawnSchemas);
  const bounds = classBounds(urls);
  const isHistory = pages > urls;
  // schemas of one pattern are distinguished by their templates and their dates
  const detailsOf = ({ templates, first_seen, last_seen }: DrawnSchema): string =>
    [countOf(templates, 'template'), isHistory ? formatTimes(first_seen, last_seen) : '']
      .filter((detail) => detail !== '')
      .join(', ');
  const longest = Math.max(1, ...schemas.map(({ html_bytes }) => html_bytes));
  const rows = schemas.map(
    (schema) =>
      `<tr><td class="number">${schema.schema}</td><td class="number">${formatCount(schema.pages)}</td><td class="number">${formatPercent(schema.share, 1)}</td><td class="bar">${renderBar(schema, bounds, longest)}</td><td><code>${escapeHtml(schema.pattern)}</code> ${detailsOf(schema)}<small>${pageLink(schema.typical_url, schema.title)}${annotatedLink(schema.typical_page, annotated)}</small></td></tr>`,
  );
  const all = own(study.schemas)[0]?.of_site ?? 0;
  // schemas are numbered by pages: those beyond the shown ones are outliers that a change refers to
  const shown = schemas.filter(({ schema }) => schema <= all).length;
  const outliers = own(study.outliers);
  const changes = own(study.schemaChanges);
  const counts = [
    countOf(all, 'schema') + (shown < all ? `, ${formatCount(shown)} of them shown` : ''),
    ...(outliers.length > 0 ? [countOf(outliers[0].of_site, 'outlier')] : []),
    ...(changes.length > 0 ? [countOf(changes[0].of_site, 'change of schema', 'changes of schema')] : []),
  ];
  // show the time for pages with several captures
  const dated = (figure: string, time: string): string =>
    isHistory && time !== '' ? `${figure}, ${time.slice(0, 10)}` : figure;
  return `<details class="site-study"${open ? ' open' : ''}><summary><b>${escapeHtml(site === '' ? '(no host)' : site)}</b> ${counts.join(', ')}</summary>
<div class="scroll whole"><table class="plain schemas"><thead><tr><th scope="col" class="number">Schema</th><th scope="col" class="number">${isHistory ? 'Captures' : 'Pages'}</th><th scope="col" class="number">Share</th><th scope="col">Typical page</th><th scope="col">Its pages</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>
<div class="lists">
${renderList(
  'Main areas',
  own(study.keyPages).map(({ target, title, linked_from }) => ({
    url: target,
    title,
    figure: `linked from ${countOf(linked_from, 'page')}`,
  })),
)}
${renderList(
  'Pages with the most content of their own',
  own(study.ownContent).map(({ url, title, time, own_bytes }) => ({
    url,
    title,
    figure: dated(formatBytes(own_bytes), time),
  })),
)}
${renderList(
  'Outliers',
  outliers.map(({ url, title, time, html_bytes }) => ({
    url,
    title,
    figure: dated(formatBytes(html_bytes), time),
  })),
)}
${renderList(
  'Changed schema',
  changes.map(({ url, time, schema_before, schema }) => ({
    url,
    title: '',
    figure: `${schema_before} to ${schema}, ${time.slice(0, 10)}`,
  })),
)}
</div></details>`;
}

/** Draws the typical page of a schema as a bar: its templates in the colours of the site's picture, content white. */
function renderBar(
  { stretches, html_bytes: size }: DrawnSchema,
  bounds: readonly number[],
  longest: number,
): string {
  const width = Math.max(4, (100 * size) / longest);
  const parts = stretches.map(
    ({ start, end, pages }) =>
      `<rect class="f${classOf(pages, bounds)}" x="${place(start, size)}" width="${place(end - start, size)}" height="10"/>`,
  );
  return `<svg class="page-bar" style="width:${width.toFixed(1)}%" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="${countOf(stretches.length, 'template')} on ${formatBytes(size)}"><rect class="own" width="1000" height="10"/>${parts.join('')}</svg>`;
}

/** A position or width in the bar, in thousandths of the page with one decimal. */
function place(bytes: number, size: number): string {
  return String(Math.round((10_000 * bytes) / Math.max(1, size)) / 10);
}

interface ListItem {
  url: string;
  title: string;
  figure: string;
}

function renderList(title: string, items: readonly ListItem[]): string {
  if (items.length === 0) return '';
  const shown = items.slice(0, SHOWN_ROWS);
  // pages with the same title are distinguished by their addresses
  const nameOf = (item: ListItem): string =>
    item.title === '' || shown.some(({ url, title }) => title === item.title && url !== item.url)
      ? item.url
      : item.title;
  const listed = shown.map(
    (item) => `<li>${pageLink(item.url, nameOf(item))} <small>${escapeHtml(item.figure)}</small></li>`,
  );
  return `<div><h4>${title}</h4><ul>${listed.join('')}</ul></div>`;
}
