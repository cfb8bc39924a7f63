// The table of classes: sort by a click on a head, show one relation or all.

import { sortByHeads } from './sort-table.js';

const classTable = document.getElementById('class-table');
if (classTable !== null) {
  const body = classTable.tBodies[0];
  const rows = [...body.rows];
  sortByHeads({ heads: [...classTable.tHead.rows[0].cells], body, rows });

  const choice = document.getElementById('relation');
  if (choice !== null) {
    const show = (relation) => {
      for (const row of rows) row.hidden = relation !== 'all' && row.dataset.relation !== relation;
      for (const tab of choice.children)
        tab.setAttribute('aria-pressed', String(tab.dataset.relation === relation));
    };
    choice.hidden = false;
    choice.addEventListener('click', ({ target }) => {
      if (target.dataset.relation !== undefined) show(target.dataset.relation);
    });
    show('all');
    // two relations in one table: what saves most first, whichever it is
    classTable.tHead.querySelector('[aria-sort]').removeAttribute('aria-sort');
    classTable.tHead.rows[0].cells[5].firstElementChild.click();
  }
}
