/**
 * Which sites belong to which categories, from a CSV file of the user: a column `site` and a column `category`
 * (also `categories`), in any order among others; a site may stand in several rows or have several categories in one
 * cell, separated by `/`, `;` or `|`. Quoted cells as in RFC 4180; `www.` does not matter.
 */

/** A site and one of its categories. */
export type SiteCategory = [site: string, category: string];

/** The row of all sites in tables by category. */
const ALL_SITES = 'OVERALL';

/** Reads the file; throws a RangeError with the line and what was expected. */
export function readCategories(csv: string): SiteCategory[] {
  const rows = parseCsv(csv.replace(/^\ufeff/, '')).filter(({ cells }) => cells.some((cell) => cell !== ''));
  const head = rows.shift()?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const siteColumn = head.indexOf('site');
  const categoryColumn = head.findIndex((name) => name === 'category' || name === 'categories');
  if (siteColumn < 0 || categoryColumn < 0) {
    throw new RangeError('the first line must name the columns: site,category');
  }
  const found = new Map<string, SiteCategory>();
  for (const { line, cells } of rows) {
    const site = (cells[siteColumn] ?? '')
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .replace(/^www\./, '')
      .replace(/\/$/, '');
    const categories = (cells[categoryColumn] ?? '')
      .split(/[/;|]/)
      .map((part) => part.trim())
      .filter((part) => part !== '');
    if (site === '' || categories.length === 0)
      throw new RangeError(`line ${line}: a site and a category are needed`);
    if (categories.some((category) => category.toUpperCase() === ALL_SITES))
      throw new RangeError(
        `line ${line}: ${ALL_SITES} is what all sites together are called: name it otherwise`,
      );
    for (const category of categories) found.set(`${site}\n${category}`, [site, category]);
  }
  if (found.size === 0) throw new RangeError('there is no site in it');
  // one order, whatever that of the file
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair);
}

function parseCsv(text: string): { line: number; cells: string[] }[] {
  const rows: { line: number; cells: string[] }[] = [];
  let cells: string[] = [];
  let line = 1;
  let rowLine = 1;
  const cell = /"((?:[^"]|"")*)"[^,\n]*(,|\r?\n|$)|([^,\n]*?)(,|\r?\n|$)/y;
  while (cell.lastIndex < text.length) {
    const [whole, quoted, quotedEnd, plain, plainEnd] = cell.exec(text)!;
    cells.push((quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim());
    line += whole.split('\n').length - 1;
    if ((quotedEnd ?? plainEnd) === ',' && cell.lastIndex < text.length) continue;
    rows.push({ line: rowLine, cells });
    cells = [];
    rowLine = line;
  }
  return rows;
}
