// Puts the page together: the chosen site with its picture, and what the pointer is over.

import { element, formatBytes, formatCount } from './format.js';
import { classOf, Picture } from './picture.js';
import { pictureCsv, pictureSvg } from './picture-files.js';
import { addSaveButtons, saveButtons } from './save-figures.js';
import { setUpSites } from './sites.js';
import { pageCard, templateCard, templateName, templateTable } from './templates.js';

const data = JSON.parse(document.getElementById('data').textContent);
const sitesByName = new Map(data.sites.map((site) => [site.site, site]));
const section = document.getElementById('site');
const tip = document.getElementById('tip');

const table = setUpSites({ onPick: showSite, hasPicture: (name) => sitesByName.has(name) });
let shown = null; // { site, detector, picture: Picture, card, templates }

function showSite(name, scroll) {
  const site = sitesByName.get(name);
  if (site === undefined) return;
  table.mark(name);
  const detectors = data.detectors.filter((detector) => detector in site.pictures);
  const detector = detectors.includes(shown?.detector) ? shown.detector : detectors[0];
  const tabs = element('div', { className: 'segments', role: 'group' });
  tabs.setAttribute('aria-label', 'Detector');
  for (const each of detectors) {
    const tab = element('button', { type: 'button' }, each);
    tab.dataset.detector = each;
    tab.addEventListener('click', () => showPicture(each));
    tabs.append(tab);
  }
  const verdicts = element('div', { className: 'verdicts' }, 'Verdict of ', tabs);
  verdicts.hidden = detectors.length < 2;
  const frame = element('div', { className: 'frame' });
  const note = element('p', { className: 'note', id: 'drawn' });
  const card = element('div', { id: 'picked' });
  const templates = element('div', { id: 'templates' });
  const controls = element('div', { className: 'controls' });
  section.replaceChildren(
    element('div', { className: 'bar-of-title' }, element('h2', {}, name), verdicts),
    legend(site),
    frame,
    element('div', { className: 'under' }, note, controls),
    card,
    element('h3', {}, 'Templates that repeat the most bytes'),
    templates,
  );
  section.hidden = false;
  const picture = new Picture(frame, { onHover: showTip, onSelect: select });
  shown = { site, detector, picture, card, templates, tabs, note, controls };
  showPicture(detector);
  if (scroll) {
    history.replaceState(null, '', `#site=${encodeURIComponent(name)}`);
    section.scrollIntoView({
      behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
    });
  }
}

function showPicture(detector) {
  const { site, picture, templates, tabs, note, controls } = shown;
  const entry = site.pictures[detector];
  shown.detector = detector;
  shown.entry = entry;
  for (const tab of tabs.children)
    tab.setAttribute('aria-pressed', String(tab.dataset.detector === detector));
  picture.show(site, entry);
  picture.setScale(picture.hasOutliers);
  const bars = picture.bars.length;
  // a bar is a capture; where pages were captured once these are the same
  const kind = entry.captures > site.urls ? 'captures' : 'pages';
  const label = `Picture of ${formatCount(bars)} ${kind} of ${site.site}. Arrow keys walk over pages and templates, Enter picks a template, Escape lets go.`;
  picture.scroller.setAttribute('aria-label', label);
  note.textContent =
    (bars < entry.captures
      ? `${formatCount(bars)} of ${formatCount(entry.captures)} ${kind} are drawn, a uniform sample`
      : bars === 1
        ? 'The only page is drawn'
        : `All ${formatCount(bars)} ${kind} are drawn`) +
    (kind === 'captures' ? `, of ${formatCount(site.urls)} ${site.urls === 1 ? 'page' : 'pages'}.` : '.');
  const files = { draw: () => pictureSvg(picture), csv: () => pictureCsv(site, entry) };
  controls.replaceChildren(
    saveButtons(`picture-${fileName(site.site)}-${detector}`, files),
    ...pictureControls(picture),
  );
  const listed = templateTable({ site, picture: entry, onPick: select });
  shown.listed = listed;
  templates.replaceChildren(listed.element);
  select(null);
}

function fileName(site) {
  return site.replace(/[^a-z0-9.-]+/gi, '-').slice(0, 60);
}

// Sites whose pictures are printed, the chosen one among them.
const MAX_PRINTED = 60;

// on paper no other site can be picked: all have their pictures there
function printOthers() {
  const others = data.sites.filter((site) => site !== shown?.site && shown?.detector in site.pictures);
  if (others.length === 0) return;
  const drawn = others.slice(0, MAX_PRINTED - 1);
  const left = others.length - drawn.length;
  const printed = element('div', { id: 'printed' });
  section.append(
    element('h3', { className: 'printed' }, 'The other sites'),
    element(
      'p',
      { className: 'printed note' },
      `Drawn like ${shown.site.site}, by ${shown.detector}${left > 0 ? `; ${formatCount(left)} more sites with fewer pages are in the report on a screen` : ''}.`,
    ),
    printed,
  );
  for (const site of drawn) {
    const frame = element('div', { className: 'frame' });
    const count = site.pictures[shown.detector].captures;
    const size = `${formatCount(count)} ${count > site.urls ? 'captures' : count === 1 ? 'page' : 'pages'}`;
    printed.append(
      element(
        'figure',
        {},
        element('h4', {}, site.site, element('small', {}, ` ${size}`)),
        legend(site),
        frame,
      ),
    );
    const picture = new Picture(frame, { isStill: true });
    picture.show(site, site.pictures[shown.detector]);
    picture.setScale(picture.hasOutliers);
  }
}

addEventListener('beforeprint', printOthers);
addEventListener('afterprint', () => {
  for (const part of section.querySelectorAll('.printed, #printed')) part.remove();
});

function pictureControls(picture) {
  const zoom = (by, sign, name) => {
    const button = element('button', { type: 'button', title: name }, sign);
    button.setAttribute('aria-label', name);
    button.addEventListener('click', () => picture.zoomBy(by));
    return button;
  };
  const parts = [
    element('span', { className: 'segments' }, zoom(-1, '−', 'Thinner bars'), zoom(1, '+', 'Thicker bars')),
  ];
  if (picture.hasOutliers) {
    const cut = element('input', { type: 'checkbox', checked: true });
    cut.addEventListener('change', () => picture.setScale(cut.checked));
    parts.unshift(element('label', {}, cut, ' cut the longest 5 %'));
  }
  return parts;
}

function legend(site) {
  const items = data.classes.map((name, at) => {
    const swatch = element('i', { className: 'swatch' });
    swatch.style.background = `var(--f${at})`;
    return element('li', {}, swatch, name);
  });
  const content = element('i', { className: 'swatch own' });
  const list = element(
    'ul',
    { className: 'legend' },
    element('li', { className: 'legend-title' }, 'A bar is a page, shortest first. Repeated on'),
    ...items,
    element('li', { className: 'legend-title' }, 'of the pages;'),
    element('li', {}, content, 'only on this page'),
  );
  const hasUnsure = Object.values(site.pictures).some((picture) =>
    picture.ranges.some((flat) => flat?.some((value, at) => at % 3 === 2 && value === -1)),
  );
  if (hasUnsure) {
    const unsure = element('i', { className: 'swatch' });
    unsure.style.background = 'var(--unsure)';
    list.append(element('li', {}, unsure, 'unsure, kept'));
  }
  return list;
}

function select(number, page = null) {
  const { site, entry, picture, card, listed } = shown;
  picture.setSelected(number);
  listed.mark(number);
  if (page !== null) {
    card.replaceChildren(pageCard({ page, onClose: () => select(null) }));
    return;
  }
  if (number === null) {
    card.replaceChildren(
      element('p', { className: 'hint' }, 'Click a template to read its text, or content to open its page.'),
    );
    return;
  }
  card.replaceChildren(templateCard({ site, picture: entry, number, onClose: () => select(null) }));
}

function showTip(what, x, y) {
  tip.hidden = what === null;
  if (what === null) return;
  const [url, time, title, sizeBytes] = what.page;
  const { site, entry } = shown;
  const lines = [];
  if (what.stretch === null) {
    lines.push(element('b', {}, 'Only on this page'));
  } else if (what.stretch.template < 0) {
    const bytes = formatBytes(what.stretch.end - what.stretch.start);
    lines.push(
      element('b', {}, what.stretch.template === -1 ? `Unsure, kept · ${bytes}` : `Rare template · ${bytes}`),
    );
  } else {
    const template = entry.templates[what.stretch.template];
    const [pages, , , , , text] = template;
    const swatch = element('i', { className: 'swatch' });
    swatch.style.background = `var(--f${classOf(pages, site.bounds)})`;
    const bytes = formatBytes(what.stretch.end - what.stretch.start);
    lines.push(
      element(
        'b',
        {},
        swatch,
        templateName(template),
        ` on ${formatCount(pages)} of ${formatCount(site.urls)} ${site.urls === 1 ? 'page' : 'pages'} · ${bytes}`,
      ),
    );
    if (text)
      lines.push(element('span', { className: 'text' }, text.length > 160 ? `${text.slice(0, 160)}…` : text));
  }
  const facts = [formatBytes(sizeBytes), time.slice(0, 10)].filter((fact) => fact !== '').join(' · ');
  lines.push(
    element(
      'span',
      { className: 'page-of-tip' },
      element('bdi', {}, title === '' ? url : title),
      title === '' ? '' : element('bdi', { className: 'url' }, url),
      facts,
    ),
  );
  tip.replaceChildren(...lines);
  // beside the pointer, never over the window's edge
  const { offsetWidth, offsetHeight } = tip;
  const left = Math.max(8, Math.min(x + 14, innerWidth - offsetWidth - 8));
  const top = y + 18 + offsetHeight > innerHeight - 8 ? y - offsetHeight - 12 : y + 18;
  tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(Math.max(8, top))}px)`;
}

const asked = /^#site=(.*)$/.exec(location.hash);
let wanted = '';
try {
  wanted = asked === null ? '' : decodeURIComponent(asked[1]);
} catch {
  // a broken address: the first site will do
}
for (const card of document.querySelectorAll('article.card[data-site]')) {
  const { site } = card.dataset;
  if (!sitesByName.has(site)) continue;
  const open = element('button', { type: 'button', className: 'more' }, 'See the site in detail');
  open.setAttribute('aria-label', `See the site in detail: ${site}`);
  open.addEventListener('click', () => showSite(site, true));
  card.append(open);
}
const siteOf = (strip) => sitesByName.get(strip.closest('article').dataset.site);
addSaveButtons([...document.querySelectorAll('.strip-figure')].filter(siteOf), (strip) =>
  pictureCsv(siteOf(strip), siteOf(strip).pictures[data.detectors[0]]),
);
const sideBySide = document.getElementById('side-by-side');
sideBySide?.addEventListener('change', () =>
  document.getElementById('site-table').classList.toggle('all', sideBySide.checked),
);
// the first card is of the most repeated site
const firstCard = document.querySelector('article.card[data-site]')?.dataset.site;
const atFirst = sitesByName.has(firstCard) ? firstCard : (data.sites[0]?.site ?? '');
showSite(sitesByName.has(wanted) ? wanted : atFirst, false);
