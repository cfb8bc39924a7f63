// Templates of a site: the table of the most frequent, and the card of the one that was picked.

import { element, formatBytes, formatCount, formatTimes } from './format.js';
import { classOf } from './picture.js';

const FIRST_ROWS = 12;

export function templateTable({ site, picture, onPick }) {
  const full = picture.templates.filter((template) => template.length > 3);
  const table = element('table', { className: 'templates' });
  const head = table.createTHead().insertRow();
  for (const [name, kind] of [
    ['Pages', 'number'],
    ['', ''],
    ['Size', 'number'],
    ['Seen', ''],
    ['Text', ''],
  ]) {
    head.append(element('th', { scope: 'col', className: kind }, name));
  }
  const body = table.createTBody();
  const addRows = (from, to) => {
    full.slice(from, to).forEach((template, index) => {
      const number = from + index;
      const [pages, , sizeBytes, first, last, text] = template;
      const row = body.insertRow();
      row.dataset.template = number;
      const meter = element('i');
      meter.style.width = `${Math.min(100, (100 * pages) / Math.max(1, site.urls)).toFixed(1)}%`;
      meter.style.background = `var(--f${classOf(pages, site.bounds)})`;
      const pick = element('button', { type: 'button', className: 'pick' }, text === '' ? 'no text' : text);
      if (text === '') pick.classList.add('none');
      row.append(
        element('td', { className: 'number' }, formatCount(pages)),
        element('td', { className: 'share' }, element('span', { className: 'meter' }, meter)),
        element('td', { className: 'number' }, formatBytes(sizeBytes)),
        element('td', { className: 'seen' }, formatTimes(first, last)),
        element('td', { className: 'text' }, pick),
      );
      row.addEventListener('click', () => onPick(number));
    });
  };
  addRows(0, FIRST_ROWS);
  const holder = element('div', {}, element('div', { className: 'scroll whole' }, table));
  if (full.length > FIRST_ROWS) {
    const more = element(
      'button',
      { type: 'button', className: 'more' },
      `Show ${formatCount(full.length - FIRST_ROWS)} more`,
    );
    more.addEventListener('click', () => {
      addRows(FIRST_ROWS, full.length);
      more.remove();
    });
    holder.append(more);
  }
  if (picture.templateCount > full.length) {
    const left = formatCount(picture.templateCount - full.length);
    holder.append(
      element(
        'p',
        { className: 'note' },
        `${left} less frequent templates are not listed here; all are in templates/*.parquet.`,
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

export function templateCard({ site, picture, number, onClose }) {
  const [pages, occurrences, sizeBytes, first = '', last = '', text, samples = []] =
    picture.templates[number];
  const swatch = element('i', { className: 'swatch' });
  swatch.style.background = `var(--f${classOf(pages, site.bounds)})`;
  const close = element('button', { type: 'button', className: 'close', title: 'Let go (Escape)' }, '×');
  close.setAttribute('aria-label', 'Let go of this template');
  close.addEventListener('click', onClose);
  const facts = [
    `${formatCount(occurrences)} ${occurrences === 1 ? 'occurrence' : 'occurrences'}`,
    `${formatBytes(sizeBytes)} each`,
    first === '' ? '' : `seen ${formatTimes(first, last)}`,
  ].filter((fact) => fact !== '');
  const card = element(
    'div',
    { className: 'card' },
    close,
    element(
      'h4',
      {},
      swatch,
      `Template on ${formatCount(pages)} of ${formatCount(site.urls)} ${site.urls === 1 ? 'page' : 'pages'}`,
    ),
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
      ...samples.map((url) => element('li', {}, element('bdi', {}, url))),
    );
    card.append(element('p', { className: 'facts' }, 'Among its pages'), list);
  }
  return card;
}
