// The table of sites: sort by a click on a head, find by part of a name, pick a site.

import { formatCount } from './format.js';
import { sortByHeads } from './sort-table.js';

export function setUpSites({ onPick, hasPicture }) {
  const table = document.getElementById('site-table');
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[1].cells];

  sortByHeads({ heads, body, rows });

  const find = document.getElementById('find');
  const found = document.getElementById('found');
  find.addEventListener('input', () => {
    const wanted = find.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      row.hidden = !row.dataset.site.toLowerCase().includes(wanted);
      if (!row.hidden) shown++;
    }
    found.textContent = wanted === '' ? '' : `${formatCount(shown)} of ${formatCount(rows.length)} sites`;
  });
  // a single site needs no search
  if (rows.length < 6) find.closest('label').hidden = true;

  for (const row of rows) {
    if (!hasPicture(row.dataset.site)) {
      row.querySelector('.pick').disabled = true;
      continue;
    }
    row.classList.add('pickable');
    row.addEventListener('click', () => onPick(row.dataset.site, true));
  }

  return {
    mark(site) {
      for (const row of rows) {
        const current = row.dataset.site === site;
        row.classList.toggle('current', current);
        if (current) row.setAttribute('aria-current', 'true');
        else row.removeAttribute('aria-current');
      }
    },
  };
}
