/**
 * Renders the history of the sites: a lane for each site with its snapshots as ticks and its redesigns as flags,
 * then each redesign with a page before and after it. Smaller changes are in a closed list.
 */
import { countOf } from '../model/count-of.ts';
import type { History, Redesign } from '../store/history/read-history.ts';
import type { Wireframe } from '../store/read-wireframes.ts';
import { escapeHtml } from '../view/escape-html.ts';
import { placeAxis } from './figures/axis.ts';
import { figureCsv } from './figures/figure.ts';
import { siteName } from './finding.ts';
import { flagLevels } from './flag-levels.ts';
import { formatCount, formatPercent, isoDay } from './format-numbers.ts';
import { annotatedLink, pageLink } from './page-link.ts';
import type { ReportData } from './report-data.ts';
import { renderWireframe, savedWireframe } from './wireframe-svg.ts';

const MAX_LANES = 60;
const MAX_SHOWN = 40;
const MAX_SMALLER = 200;

const WIDTH = 1000;
const LANE = 62;
const AXIS = 30;
const EDGE = 8;
/** Width of the names of the sites, and most characters of one. */
const NAMES = 190;
const LONGEST_NAME = 23;
/** Width and height of the month above a flag, in units of the drawing. */
const LABEL = 54;
const LABEL_LINE = 13;

/** Returns the HTML of the history section; '' without a history. */
export function renderHistory(data: ReportData): string {
  const { history } = data;
  if (history === undefined || history.snapshots.length === 0) return '';
  const { redesigns, smallerChanges: smaller } = history;
  const shown = redesigns.slice(0, MAX_SHOWN);
  const more = redesigns.length - shown.length;
  return `<section id="history"><h2>History</h2>
${renderLanes(history, redesigns)}
${
  shown.length === 0
    ? '<p class="how">No redesign was found.</p>'
    : `<h3>${redesigns.length === 1 ? 'The redesign' : 'The redesigns'}, before and after</h3>
<div class="redesigns">${shown.map((each) => renderRedesign(data, each)).join('\n')}</div>`
}
${more > 0 ? `<p class="note">${countOf(more, 'more redesign is', 'more redesigns are')} in history/redesigns.parquet.</p>` : ''}
${renderSmaller(smaller)}
</section>`;
}

function renderLanes({ snapshots }: History, redesigns: readonly Redesign[]): string {
  const lanes = new Map<string, number[]>();
  for (const { site, moment } of snapshots) lanes.set(site, [...(lanes.get(site) ?? []), 1000 * moment]);
  const sites = [...lanes].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
  const drawn = sites.slice(0, MAX_LANES);
  const axis = placeAxis(
    { label: '', scale: 'time' },
    drawn.flatMap(([, moments]) => moments),
    NAMES,
    WIDTH - EDGE,
  );
  const height = drawn.length * LANE + AXIS;
  const ticks = axis.ticks.map(
    ({ at, text }) =>
      `<path class="grid" d="M${fixed(at)} 0V${height - AXIS + 4}"/><text class="tick" x="${fixed(at)}" y="${height - 10}" text-anchor="${at > WIDTH - 30 ? 'end' : 'middle'}">${escapeHtml(text)}</text>`,
  );
  const parts = drawn.map(([site, moments], k) => {
    const own = redesigns.filter((each) => each.site === site);
    return renderLane(siteName({ site }), moments, own, k * LANE, axis.place);
  });
  const summary = `${countOf(snapshots.length, 'snapshot')} of ${countOf(sites.length, 'site')}, ${countOf(redesigns.length, 'redesign')}`;
  const more = sites.length - drawn.length;
  return `<figure class="lanes" data-save="history" data-csv="${escapeHtml(lanesCsv(snapshots, redesigns))}"><p class="how">A tick is a snapshot of the site, a flag the day from which a new design was seen.</p>
<div class="scroll whole"><svg class="plot" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(summary)}">${ticks.join('')}${parts.join('')}</svg></div>
${more > 0 ? `<p class="note">${countOf(more, 'site', 'sites')} with fewer snapshots ${more === 1 ? 'is' : 'are'} not drawn.</p>` : ''}</figure>`;
}

function renderLane(
  name: string,
  moments: readonly number[],
  redesigns: readonly Redesign[],
  top: number,
  place: (moment: number) => number,
): string {
  const base = top + LANE - 8;
  const seen = [...new Set(moments.map((moment) => Math.round(place(moment))))];
  const firsts = redesigns.map(({ first }) => first).sort();
  const labels = firsts.map((first) => Math.min(WIDTH - LABEL / 2, fixed(place(Date.parse(first)))));
  const levels = flagLevels(labels, LABEL);
  const flags = firsts.map((first, k) => {
    const x = fixed(place(Date.parse(first)));
    const day =
      levels[k] < 0
        ? ''
        : `<text class="flag" x="${fixed(labels[k])}" y="${base - 25 - LABEL_LINE * levels[k]}" text-anchor="middle">${escapeHtml(first.slice(0, 7))}</text>`;
    return `<path class="flag" d="M${x} ${base}V${base - 22}h10l-3 4l3 4h-10"><title>${escapeHtml(first)}</title></path>${day}`;
  });
  const shown = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
  return `<text class="lane" x="${EDGE}" y="${base + 4}">${escapeHtml(shown)}<title>${escapeHtml(name)}</title></text><path class="lane" d="M${NAMES} ${base}H${WIDTH - EDGE}"/><path class="snapshot" d="${seen.map((x) => `M${x} ${base - 5}v10`).join('')}"/>${flags.join('')}`;
}

/** Returns the data of the lanes as CSV. */
function lanesCsv(snapshots: History['snapshots'], redesigns: readonly Redesign[]): string {
  const rows = [
    ...snapshots.map(({ site, moment }) => [site, isoDay(moment), 'snapshot', '']),
    ...redesigns.map(({ site, first, confidence }) => [site, first, 'redesign', confidence]),
  ];
  return figureCsv({ columns: ['site', 'day', 'what', 'confidence'], rows });
}

const REASONS: Readonly<Record<string, string>> = {
  words: 'words of the templates changed',
  layout: 'the layout changed',
  design: 'styles and class names changed',
  links: 'links of the templates changed',
};

function reasonOf(why: string): string {
  const reasons = why.split(' ').map((each) => REASONS[each] ?? each);
  return reasons.join(', ');
}

const MEASURES: Readonly<Record<string, string>> = {
  words: 'words',
  layout: 'layout',
  design: 'styles and class names',
  links: 'links',
};

/** Returns how much of each measure changed, most first, because a page may look the same; '' when it is unknown. */
function changedText({ why, changed }: Redesign): string {
  const reasons = why.split(' ');
  const shares = [...changed.matchAll(/([a-z]{1,20}) ([\d.]{1,20})/g)].sort(
    ([, , a], [, , b]) => Number(b) - Number(a),
  );
  const parts = shares.map(([, name, share]) => {
    const part = `${formatPercent(Number(share))} of the ${MEASURES[name] ?? name}`;
    return reasons.includes(name) ? `<b>${part}</b>` : part;
  });
  return parts.length === 0 ? '' : `Changed in the templates: ${parts.join(', ')}`;
}

function renderRedesign(data: ReportData, redesign: Redesign): string {
  const { site, since, first, why, confidence } = redesign;
  const urls = data.sites.find((each) => each.site === site)?.urls ?? 1;
  const { before, after } = pagesAround(
    data.wireframes.filter((each) => each.site === site),
    since,
    first,
  );
  const side = (name: string, page: Wireframe | undefined): string =>
    page === undefined
      ? ''
      : `<figure class="typical" ${savedWireframe(page)}>${renderWireframe(page, urls)}<figcaption>${name}, ${escapeHtml(page.time.slice(0, 10))}: ${pageLink(page.url, page.title)}${annotatedLink(page.page, data.annotated)}</figcaption></figure>`;
  return `<article class="card"><h4><bdi>${escapeHtml(siteName({ site }))}</bdi>, ${since === first ? escapeHtml(first) : `between ${escapeHtml(since)} and ${escapeHtml(first)}`}</h4>
<p class="facts">${changedText(redesign) || escapeHtml(capitalFirst(reasonOf(why)))} (confidence ${formatPercent(confidence)})</p>
<div class="pair">${side('Before', before)}${side('After', after)}</div></article>`;
}

/**
 * Returns a page before and after a redesign from the nearest snapshots: the page of both with the most templates in
 * its wireframes; where none has a template, the page with the most of each snapshot.
 */
export function pagesAround(
  wireframes: readonly Wireframe[],
  since: string,
  first: string,
): { before?: Wireframe; after?: Wireframe } {
  const old = wireframes.filter(({ time, boxes }) => boxes.length > 0 && time.slice(0, 10) <= since);
  const fresh = wireframes.filter(({ time, boxes }) => boxes.length > 0 && time.slice(0, 10) >= first);
  const last = old.reduce((a, { time, snapshot }) => (time > a.time ? { time, snapshot } : a), {
    time: '',
    snapshot: '',
  });
  const next = fresh.reduce(
    (a, { time, snapshot }) => (a.time === '' || time < a.time ? { time, snapshot } : a),
    { time: '', snapshot: '' },
  );
  const befores = old.filter(({ snapshot }) => snapshot === last.snapshot);
  const afters = fresh.filter(({ snapshot }) => snapshot === next.snapshot);
  const pairs = afters.flatMap((after) => {
    const before = befores.find(({ urlKey }) => urlKey === after.urlKey);
    return before === undefined ? [] : [{ before, after }];
  });
  const shownBy = ({ before, after }: (typeof pairs)[number]): number =>
    Math.min(templateBoxes(before), templateBoxes(after)) +
    (templateBoxes(before) + templateBoxes(after)) / 100;
  const best = maxBy(pairs, shownBy);
  if (best !== undefined && shownBy(best) > 0) return best;
  return { before: maxBy(befores, templateBoxes), after: maxBy(afters, templateBoxes) };
}

/** Returns the number of boxes of a page that show its design. */
function templateBoxes({ boxes }: Wireframe): number {
  return boxes.filter(({ role }) => role !== 'content').length;
}

/** Returns the first item with the largest value; undefined without items. */
function maxBy<T>(items: readonly T[], value: (item: T) => number): T | undefined {
  return items.reduce<T | undefined>(
    (best, item) => (best === undefined || value(item) > value(best) ? item : best),
    undefined,
  );
}

function renderSmaller(smaller: readonly Redesign[]): string {
  if (smaller.length === 0) return '';
  const rows = smaller
    .slice(0, MAX_SMALLER)
    .map(
      ({ site, first, why, confidence }) =>
        `<tr><td>${escapeHtml(siteName({ site }))}</td><td class="number">${escapeHtml(first)}</td><td>${escapeHtml(capitalFirst(reasonOf(why)))}</td><td class="number">${formatPercent(confidence)}</td></tr>`,
    );
  const more = smaller.length - rows.length;
  return `<details><summary>${countOf(smaller.length, 'smaller change')}</summary><p class="how">More changed than usual, but not the whole design, or not surely.</p>
<div class="scroll"><table class="plain"><thead><tr><th scope="col">Site</th><th scope="col" class="number">From</th><th scope="col">What</th><th scope="col" class="number">Confidence</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>${more > 0 ? `<p class="note">${formatCount(more)} more are in history/redesigns.parquet.</p>` : ''}</details>`;
}

function capitalFirst(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function fixed(value: number): number {
  return Math.round(value * 10) / 10;
}
