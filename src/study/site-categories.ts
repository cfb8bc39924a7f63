/**
 * Reads which sites belong to which categories and collections from the user's CSV file. The file has a
 * column `site` and a column `category` (also `categories`) or `collection` or both, in any order and among
 * others. A site may occur in several rows or have several categories in one cell, separated by `/`, `;` or
 * `|`. Quoted cells follow RFC 4180; a leading `www.` is ignored.
 */

/** A site and one of its categories, or one of its collections. */
export type SiteCategory = [site: string, category: string];

/** Name of the row of all sites in tables by category. */
const ALL_SITES = 'OVERALL';

/** Categories and collections of sites, sorted by site and name. */
export interface SiteGroups {
  categories: SiteCategory[];
  collections: SiteCategory[];
}

/** Reads the file. Throws a `RangeError` that names the line and the expected format. */
export function readSiteGroups(csv: string): SiteGroups {
  const rows = parseCsv(csv.replace(/^\ufeff/, '')).filter(({ cells }) => cells.some((cell) => cell !== ''));
  const head = rows.shift()?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const siteColumn = head.indexOf('site');
  const categoryColumn = head.findIndex((name) => name === 'category' || name === 'categories');
  const collectionColumn = head.findIndex((name) => name === 'collection' || name === 'collections');
  if (siteColumn < 0 || (categoryColumn < 0 && collectionColumn < 0)) {
    throw new RangeError('the first line must name the columns: site,category or site,collection');
  }
  const categories = new Map<string, SiteCategory>();
  const collections = new Map<string, SiteCategory>();
  for (const { line, cells } of rows) {
    const site = (cells[siteColumn] ?? '')
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .replace(/^www\./, '')
      .replace(/\/$/, '');
    const inCategories = namesIn(cells[categoryColumn]);
    const inCollections = namesIn(cells[collectionColumn]);
    if (site === '' || inCategories.length + inCollections.length === 0)
      throw new RangeError(`line ${line}: expected a site and a category or collection`);
    if (inCategories.some((category) => category.toUpperCase() === ALL_SITES))
      throw new RangeError(
        `line ${line}: ${ALL_SITES} is reserved for the total of all sites; use another category name`,
      );
    for (const name of inCategories) categories.set(`${site}\n${name}`, [site, name]);
    for (const name of inCollections) collections.set(`${site}\n${name}`, [site, name]);
  }
  if (categories.size + collections.size === 0) throw new RangeError('the file lists no site');
  return { categories: inOrder(categories), collections: inOrder(collections) };
}

function namesIn(cell = ''): string[] {
  return cell
    .split(/[/;|]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Returns the pairs in an order that does not depend on the file. */
function inOrder(pairs: ReadonlyMap<string, SiteCategory>): SiteCategory[] {
  return [...pairs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair);
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
