/** The part of the report that tells what templates say about the sites: figures, schemas, main areas. */
import type { SchemaRow, Study } from '../../store/study/read-study.ts';
import { escapeHtml } from '../../view/escape-html.ts';
import { formatBytes, formatCount, formatPercent } from '../format-numbers.ts';
import { classBounds, classOf } from '../frequency-classes.ts';
import { type Figure, renderFigure } from './figure.ts';

/** Sites whose schemas and areas are shown; the queries tell the rest. */
const MOST_SITES = 30;
const MOST_LISTED = 8;
const LONGEST_TITLE = 90;

export function renderStudy(study: Study, figures: readonly Figure[]): string {
  if (figures.length === 0) return '';
  const pictures = figures.filter(({ plot, absent }) => plot !== undefined && absent === undefined);
  const tables = figures.filter((figure) => !pictures.includes(figure) && figure.absent === undefined);
  const absent = figures.filter((figure) => figure.absent !== undefined);
  return `<section id="study"><h2>What the templates tell</h2>
<p class="how">Each figure has its data as a CSV file in the folder <code>figures</code> beside this report, and the query that gives it. Figures are numbered as in Gibson, Punera and Tomkins (2005); its Figures 5 to 9 are pictures of single sites: here every site has one, <a href="#sites">above</a>.</p>
<div class="plots">
${pictures.map(renderFigure).join('\n')}
</div>
<div class="plots wide">
${tables.map(renderFigure).join('\n')}
</div>
${absent.length === 0 ? '' : `<details class="absent"><summary>${formatCount(absent.length)} ${absent.length === 1 ? 'figure' : 'figures'} that this archive cannot show</summary><div class="plots">${absent.map(renderFigure).join('\n')}</div></details>`}
${renderSchemas(study)}
</section>`;
}

function renderSchemas(study: Study): string {
  const bySite = groupBySite(study.schemas);
  if (bySite.size === 0) return '';
  const sites = [...bySite].sort(
    ([a, rowsA], [b, rowsB]) => pagesOf(rowsB) - pagesOf(rowsA) || (a < b ? -1 : 1),
  );
  const more = sites.length - MOST_SITES;
  const told = sites.slice(0, MOST_SITES).map(([site, rows], k) => renderSite(site, rows, study, k === 0));
  return `<h3>Schemas of the sites</h3>
<p class="how">Pages that carry the same templates in the same order were made alike. Each bar is the typical page of a schema: coloured stretches are templates, gray is its own.</p>
${told.join('\n')}
${more > 0 ? `<p class="note">${formatCount(more)} more sites are in study/schemas.parquet.</p>` : ''}`;
}

function renderSite(site: string, schemas: readonly SchemaRow[], study: Study, open: boolean): string {
  const own = <T extends { site: string }>(rows: readonly T[]): T[] =>
    rows.filter((row) => row.site === site);
  const bounds = classBounds(pagesOf(schemas));
  const longest = Math.max(1, ...schemas.map(({ html_bytes }) => html_bytes));
  const rows = schemas.map(
    (schema) =>
      `<tr><td class="number">${schema.schema}</td><td class="number">${formatCount(schema.pages)}</td><td class="number">${formatPercent(schema.share, 1)}</td><td class="bar">${renderBar(schema, bounds, longest)}</td><td><code>${escapeHtml(schema.pattern)}</code><small><bdi>${escapeHtml(cut(schema.title || schema.typical_url))}</bdi></small></td></tr>`,
  );
  const outliers = own(study.outliers);
  const changes = own(study.schemaChanges);
  return `<details class="site-study"${open ? ' open' : ''}><summary><b>${escapeHtml(site === '' ? '(no host)' : site)}</b> ${formatCount(schemas.length)} ${schemas.length === 1 ? 'schema' : 'schemas'}${outliers.length > 0 ? `, ${formatCount(outliers.length)} outliers` : ''}${changes.length > 0 ? `, ${formatCount(changes.length)} changes of schema` : ''}</summary>
<div class="scroll whole"><table class="plain schemas"><thead><tr><th scope="col" class="number">Schema</th><th scope="col" class="number">Pages</th><th scope="col" class="number">Share</th><th scope="col">Typical page</th><th scope="col">Its pages</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>
<div class="lists">
${renderList(
  'Main areas',
  own(study.keyPages).map(({ target, title, linked_from }) => [
    title || target,
    `linked from ${formatCount(linked_from)} pages`,
  ]),
)}
${renderList(
  'Pages that say most themselves',
  own(study.ownContent).map(({ url, title, own_bytes }) => [title || url, formatBytes(own_bytes)]),
)}
${renderList(
  'Outliers',
  outliers.map(({ url, title, html_bytes }) => [title || url, formatBytes(html_bytes)]),
)}
${renderList(
  'Changed schema',
  changes.map(({ url, time, schema_before, schema }) => [
    url,
    `${schema_before} to ${schema}, ${time.slice(0, 10)}`,
  ]),
)}
</div></details>`;
}

/** The typical page, as in the picture of its site. */
function renderBar(
  { stretches, html_bytes: size }: SchemaRow,
  bounds: readonly number[],
  longest: number,
): string {
  const width = Math.max(4, (100 * size) / longest);
  const parts = stretches.map(
    ({ start, end, pages }) =>
      `<rect class="f${classOf(pages, bounds)}" x="${place(start, size)}" width="${place(end - start, size)}" height="10"/>`,
  );
  return `<svg class="page-bar" style="width:${width.toFixed(1)}%" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="${formatCount(stretches.length)} templates on ${formatBytes(size)}"><rect class="own" width="1000" height="10"/>${parts.join('')}</svg>`;
}

function place(bytes: number, size: number): string {
  return String(Math.round((10_000 * bytes) / Math.max(1, size)) / 10);
}

function renderList(title: string, items: readonly (readonly [name: string, figure: string])[]): string {
  if (items.length === 0) return '';
  const listed = items
    .slice(0, MOST_LISTED)
    .map(
      ([name, figure]) => `<li><bdi>${escapeHtml(cut(name))}</bdi> <small>${escapeHtml(figure)}</small></li>`,
    );
  return `<div><h4>${title}</h4><ul>${listed.join('')}</ul></div>`;
}

function groupBySite(rows: readonly SchemaRow[]): Map<string, SchemaRow[]> {
  const groups = new Map<string, SchemaRow[]>();
  for (const row of rows) {
    const known = groups.get(row.site);
    if (known) known.push(row);
    else groups.set(row.site, [row]);
  }
  return groups;
}

function pagesOf(schemas: readonly SchemaRow[]): number {
  return schemas.reduce((sum, { pages }) => sum + pages, 0);
}

function cut(text: string): string {
  return text.length <= LONGEST_TITLE
    ? text
    : `${text.slice(0, LONGEST_TITLE).replace(/[\ud800-\udbff]$/, '')}…`;
}
