/**
 * Renders sites as small multiples: a strip picture, the wireframe of a typical page and the templates that save
 * the most bytes.
 */
import { countOf } from '../model/count-of.ts';
import type { SiteSummary } from '../store/open-folder.ts';
import { typicalWireframe } from '../store/read-wireframes.ts';
import { escapeHtml } from '../view/escape-html.ts';
import { ownShares, siteName } from './finding.ts';
import { formatBytes, formatCount, formatPercent } from './format-numbers.ts';
import { CLASS_NAMES } from './frequency-classes.ts';
import { cut } from './html-cells.ts';
import { annotatedLink, pageLink } from './page-link.ts';
import type { ReportData, ReportPicture, ReportTemplate } from './report-data.ts';
import { roleName } from './role-name.ts';
import { renderBands, renderStrip } from './strip-picture.ts';
import { rankTemplates } from './template-rank.ts';
import { renderWireframe, savedWireframe } from './wireframe-svg.ts';

/** Maximum number of sites with a card. */
const MAX_CARDS = 48;
const CARD_TEMPLATES = 8;
const LONGEST_TEXT = 140;

/** Returns the HTML of the cards of the sites. */
export function renderSiteCards(data: ReportData): string {
  const { sites, detectors, pictures } = data;
  const drawn = ownShares(sites, detectors[0]).flatMap(({ site, own }) => {
    const picture = pictures.find((each) => each.site === site.site && each.detector === detectors[0]);
    return picture === undefined ? [] : [{ site, own, picture }];
  });
  if (drawn.length === 0) return '';
  const cards = drawn
    .slice(0, MAX_CARDS)
    .map(({ site, own, picture }) => renderCard(data, site, own, picture));
  const more = sites.length - cards.length;
  return `<section id="overview"><h2 class="unseen">The sites, most repeated first</h2>
${renderLegend()}
<div class="cards${cards.length === 1 ? ' single' : ''}">
${cards.join('\n')}
</div>
${more > 0 ? `<p class="note">${countOf(more, 'site is', 'sites are')} not drawn here: ${more === 1 ? 'it is' : 'they are'} in the table of sites below.</p>` : ''}
</section>`;
}

function renderLegend(): string {
  const shades = CLASS_NAMES.map(
    (name, k) => `<li><i class="swatch" style="background:var(--f${k})"></i>${name}</li>`,
  );
  return `<ul class="legend" aria-label="Shades"><li class="legend-title">Each line is a page, from its first byte to its last. Repeated on</li>${shades.join('')}<li class="legend-title">of the site’s pages;</li><li><i class="swatch own"></i>only on this page</li></ul>`;
}

function renderCard(data: ReportData, site: SiteSummary, own: number, picture: ReportPicture): string {
  const { annotated } = data;
  const wireframe = typicalWireframe(data.wireframes.filter((each) => each.site === site.site));
  const repeated = formatPercent(1 - own);
  const captures = site.pages > site.urls ? `, ${formatCount(site.pages)} captures` : '';
  const label = `${siteName(site)}: ${repeated} of the text is repeated`;
  const typical =
    wireframe === undefined || wireframe.boxes.length === 0
      ? ''
      : `<figure class="typical" ${savedWireframe(wireframe)}>${renderWireframe(wireframe, site.urls)}<figcaption>A typical page: ${pageLink(wireframe.url, wireframe.title)}${annotatedLink(wireframe.page, annotated)}</figcaption></figure>`;
  return `<article class="card" data-site="${escapeHtml(site.site)}">
<h3><bdi>${escapeHtml(siteName(site))}</bdi></h3>
<p class="facts"><b>${repeated}</b> of the text repeated · ${countOf(site.urls, 'page')}${captures}</p>
<div class="seen">${renderStripFigure(picture, site, label)}${typical}</div>
${renderTemplates(picture, site)}
</article>`;
}

function renderStripFigure(picture: ReportPicture, site: SiteSummary, label: string): string {
  return `<figure class="strip-figure" data-save="strip-${escapeHtml(fileNameOf(site.site))}">${renderStrip(picture, site.urls, label)}${renderBands(picture)}</figure>`;
}

/** Returns the name of a site for use in a file name. */
function fileNameOf(site: string): string {
  return site.replace(/[^a-z0-9.-]+/gi, '-').slice(0, 60);
}

function renderTemplates({ templates }: ReportPicture, site: SiteSummary): string {
  const ranked = rankTemplates(templates).filter(({ savedBytes }) => savedBytes > 0);
  if (ranked.length === 0) return '<p class="note">No template is on two pages.</p>';
  const rows = ranked
    .slice(0, CARD_TEMPLATES)
    .map(
      ({ template, savedBytes }) =>
        `<tr><td>${renderName(template)}</td><td class="number">${formatCount(template.pages)}<small>of ${formatCount(site.urls)}</small></td><td class="number">${formatBytes(savedBytes)}</td></tr>`,
    );
  return `<details><summary>Templates that repeat the most bytes</summary><table class="plain templates-of-site"><thead><tr><th scope="col">Template</th><th scope="col" class="number">Pages</th><th scope="col" class="number">Repeated</th></tr></thead><tbody>${rows.join('')}</tbody></table></details>`;
}

/** Returns the HTML of a template's name: `menu · nav.main`, and the beginning of its text. */
function renderName({ role, place, text }: Pick<ReportTemplate, 'role' | 'place' | 'text'>): string {
  const where = place === '' ? '' : ` · <code>${escapeHtml(place)}</code>`;
  const said =
    text === '' ? '' : `<small class="said"><bdi>${escapeHtml(cut(text, LONGEST_TEXT))}</bdi></small>`;
  return `<b>${escapeHtml(roleName(role))}</b>${where}${said}`;
}
