// Rows sorted by a click on the head of their column: numbers begin with the largest, names with a.

export function sortByHeads({ heads, body, rows }) {
  heads.forEach((head, column) => {
    head.firstElementChild.addEventListener('click', () => {
      const byText = head.classList.contains('text');
      const was = head.getAttribute('aria-sort');
      const ascending = was === null ? byText : was === 'descending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', ascending ? 'ascending' : 'descending');
      const value = (row) => row.cells[column].dataset.v;
      const compare = byText
        ? (a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0)
        : (a, b) => Number(value(a)) - Number(value(b));
      const order = rows.toSorted((a, b) => (ascending ? compare(a, b) : -compare(a, b)));
      body.append(...order);
    });
  });
}
