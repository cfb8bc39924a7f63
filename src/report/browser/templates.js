// Templates of a site: the table of those that save the most, and the cards of a template or page that was picked.

import { element, formatBytes, formatCount, formatTimes } from './format.js';
import { classOf } from './picture.js';

const FIRST_ROWS = 12;

// a web address becomes a link, anything else stays text
function linkTo(url, name = url) {
  const shown = element('bdi', {}, name === '' ? url : name);
  return /^https?:\/\/[^/]/i.test(url) ? element('a', { href: url, rel: 'noreferrer' }, shown) : shown;
}

function annotatedLink(file) {
  return file === '' ? '' : element('a', { href: file, className: 'annotated' }, 'annotated');
}

// `menu · nav.main`
export function templateName([, , , , , , , name, place]) {
  if (name === undefined) return 'Template';
  const parts = [element('b', {}, name)];
  if (place !== '') parts.push(' · ', element('code', {}, place));
  return element('span', {}, ...parts);
}

const savedBytes = ([pages, , sizeBytes]) => sizeBytes * Math.max(0, pages - 1);

export function templateTable({ site, picture, onPick }) {
  // the day is the same everywhere on a site that was captured once
  const isHistory = picture.templates.some(([, , , first, last]) => first.slice(0, 10) !== last.slice(0, 10));
  const table = element('table', { className: 'templates' });
  const head = table.createTHead().insertRow();
  for (const [name, kind] of [
    ['Template', ''],
    ['Pages', 'number'],
    ['Size', 'number'],
    ['Repeated', 'number'],
    ...(isHistory ? [['Seen', '']] : []),
  ]) {
    head.append(element('th', { scope: 'col', className: kind }, name));
  }
  const body = table.createTBody();
  const addRows = (from, to) => {
    for (const number of picture.ranked.slice(from, to)) {
      const template = picture.templates[number];
      const [pages, , sizeBytes, first, last, text] = template;
      const row = body.insertRow();
      row.dataset.template = number;
      const swatch = element('i', { className: 'swatch' });
      swatch.style.background = `var(--f${classOf(pages, site.bounds)})`;
      const pick = element('button', { type: 'button', className: 'pick' }, swatch, templateName(template));
      const said = element('small', { className: 'said' }, text);
      row.append(
        element('td', { className: 'text' }, pick, text === '' ? '' : said),
        element('td', { className: 'number' }, `${formatCount(pages)} of ${formatCount(site.urls)}`),
        element('td', { className: 'number' }, formatBytes(sizeBytes)),
        element('td', { className: 'number' }, formatBytes(savedBytes(template))),
        isHistory ? element('td', { className: 'seen' }, formatTimes(first, last)) : '',
      );
      row.addEventListener('click', () => onPick(number));
    }
  };
  addRows(0, FIRST_ROWS);
  const holder = element('div', {}, element('div', { className: 'scroll whole' }, table));
  const hidden = picture.ranked.length - FIRST_ROWS;
  if (hidden > 0) {
    const more = element('button', { type: 'button', className: 'more' }, `Show ${formatCount(hidden)} more`);
    more.addEventListener('click', () => {
      addRows(FIRST_ROWS, picture.ranked.length);
      more.remove();
    });
    holder.append(more);
  }
  const left = picture.templateCount - picture.ranked.length;
  if (left > 0) {
    holder.append(
      element(
        'p',
        { className: 'note' },
        `${formatCount(left)} ${left === 1 ? 'template that repeats' : 'templates that repeat'} less ${left === 1 ? 'is' : 'are'} in templates/*.parquet.`,
      ),
    );
  }
  return {
    element: holder,
    mark(number) {
      for (const row of body.rows) row.classList.toggle('current', Number(row.dataset.template) === number);
    },
  };
}

function cardOf(onClose, ...children) {
  const close = element('button', { type: 'button', className: 'close', title: 'Close (Escape)' }, '×');
  close.setAttribute('aria-label', 'Close');
  close.addEventListener('click', onClose);
  return element('div', { className: 'card' }, close, ...children);
}

export function templateCard({ site, picture, number, onClose }) {
  const template = picture.templates[number];
  const [pages, occurrences, sizeBytes, first = '', last = '', text, samples = []] = template;
  const swatch = element('i', { className: 'swatch' });
  swatch.style.background = `var(--f${classOf(pages, site.bounds)})`;
  const facts = [
    `on ${formatCount(pages)} of ${formatCount(site.urls)} ${site.urls === 1 ? 'page' : 'pages'}`,
    `${formatCount(occurrences)} ${occurrences === 1 ? 'occurrence' : 'occurrences'}`,
    `${formatBytes(sizeBytes)} each, ${formatBytes(savedBytes(template))} repeated`,
    first === '' ? '' : `seen ${formatTimes(first, last)}`,
  ].filter((fact) => fact !== '');
  const card = cardOf(
    onClose,
    element('h4', {}, swatch, templateName(template)),
    element('p', { className: 'facts' }, facts.join(' · ')),
  );
  if (text === undefined)
    card.append(
      element('p', { className: 'note' }, 'Its text is not in this file: see templates/*.parquet.'),
    );
  else card.append(element('blockquote', {}, text === '' ? 'It holds no text.' : text));
  if (samples.length > 0) {
    const list = element(
      'ul',
      { className: 'urls' },
      ...samples.map(([url, file]) => element('li', {}, linkTo(url), ' ', annotatedLink(file))),
    );
    card.append(element('p', { className: 'facts' }, 'Some of its pages'), list);
  }
  return card;
}

export function pageCard({ page, onClose }) {
  const [url, time, title, sizeBytes, file] = page;
  const facts = [formatBytes(sizeBytes), time.slice(0, 10)].filter((fact) => fact !== '');
  const view =
    file === ''
      ? element(
          'p',
          { className: 'note' },
          'To see what is template on it: chaff report … --annotated 20 writes annotated pages beside the report, chaff annotate … --include this address writes one.',
        )
      : element('p', {}, element('a', { href: file }, 'Annotated view of the page'));
  return cardOf(
    onClose,
    element('h4', {}, linkTo(url, title)),
    element('p', { className: 'facts' }, element('bdi', {}, url), ` · ${facts.join(' · ')}`),
    view,
  );
}
