/** The categories of Gibson, Punera and Tomkins 2005, section 4.1. */

/** Names of the categories, in the order of the tables. */
export const CATEGORIES = [
  'Brochure',
  'Catalog',
  'Community',
  'Documents',
  'News',
  'Personal',
  'Portal',
] as const;
/** Name of a category. */
export type Category = (typeof CATEGORIES)[number];

/** Shares in per cent: text by the text detector; HTML, text and links by the dom detector. */
type PaperShares = Record<Category | 'OVERALL', readonly [number, number, number, number]>;

/**
 * Means of the paper's appendix (109 sites) over the sites of a category. The appendix has 32 sites in
 * Brochure, although section 4.1 counts 42.
 */
export const PAPER_BY_SITE: PaperShares = {
  Brochure: [37.8, 42.3, 28.5, 42.8],
  Catalog: [56.2, 50.8, 48.9, 51.9],
  Community: [53.0, 47.1, 47.3, 50.1],
  Documents: [27.9, 38.6, 22.6, 41.6],
  News: [29.2, 25.8, 21.8, 22.4],
  Personal: [47.9, 41.9, 40.9, 46.0],
  Portal: [37.6, 41.6, 35.5, 40.1],
  OVERALL: [45.2, 44.0, 38.1, 46.0],
};

/** The same means, with each site weighted by the number of its pages. */
export const PAPER_BY_SIZE: PaperShares = {
  Brochure: [49.9, 51.8, 42.2, 48.2],
  Catalog: [63.2, 52.0, 53.9, 47.9],
  Community: [61.9, 51.9, 54.4, 56.5],
  Documents: [34.7, 46.2, 29.1, 46.4],
  News: [16.5, 15.0, 11.4, 10.1],
  Personal: [72.0, 65.3, 73.0, 50.5],
  Portal: [46.1, 42.6, 40.3, 38.5],
  OVERALL: [53.7, 47.6, 45.9, 46.5],
};

/** The values printed in Figure 2, which are by size or close to it. */
export const PAPER: PaperShares = {
  Brochure: [56, 59, 53, 55],
  Catalog: [66, 59, 57, 51],
  Community: [64, 51, 50, 53],
  Documents: [35, 57, 26, 58],
  News: [12, 15, 8, 12],
  Personal: [67, 68, 77, 52],
  Portal: [44, 48, 39, 43],
  OVERALL: [53, 53, 46, 49],
};

/** Categories of the sites in CHAFF_DATA, judged by looking at their pages. A site may have several. */
export const SITE_CATEGORIES: Readonly<Record<string, readonly Category[]>> = {
  '100daysofless.com': ['Personal'],
  '120minuten.net': ['News'], // a magazine of long reads
  '90minutos.example': ['News'],
  'afkgamer.com': ['Personal'], // the blog of one player
  'apache2.example': ['Documents'],
  'archiveia.example': ['Brochure'], // an association: positions, statements, press
  'blog.330k.biz': ['Personal'],
  'chartjes-blog.example': ['Personal'],
  'codersclub-pascal-ru.example': ['Documents'], // manuals, and files with a page each
  'dasatech-shop.example': ['Catalog'],
  'drawerb.com': ['News'], // a music blog of several editors
  'eaglecraft-phpbb.example': ['Community'],
  'freegle-wiki.example': ['Community', 'Documents'],
  'ftowa.com': ['Community'], // a forum
  'gimp-help-en.example': ['Documents'],
  'insertcredit.com': ['News'], // reviews and podcasts about games
  'klnet-forum.example': ['Community'],
  'latestnewstoday.example': ['News'],
  'openems-wiki.example': ['Community', 'Documents'],
  'python3.11': ['Documents'],
  'sioc-wiki.example': ['Community', 'Documents'],
  'smartline-legacy.example': ['Brochure'], // a research project: cases, events, press
  'starbound-fr.net': ['Community', 'News'], // a fan site: mostly forum, and news with comments
};
