/**
 * The categories of Gibson, Punera and Tomkins 2005, section 4.1, the figures of their Figure 2, and the
 * category of each site at hand, judged by looking at its pages. A site may be in several.
 */

export const CATEGORIES = [
  'Brochure',
  'Catalog',
  'Community',
  'Documents',
  'News',
  'Personal',
  'Portal',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** Text by text; HTML, text and links by dom; in per cent. */
export const PAPER: Record<Category | 'OVERALL', readonly [number, number, number, number]> = {
  Brochure: [56, 59, 53, 55],
  Catalog: [66, 59, 57, 51],
  Community: [64, 51, 50, 53],
  Documents: [35, 57, 26, 58],
  News: [12, 15, 8, 12],
  Personal: [67, 68, 77, 52],
  Portal: [44, 48, 39, 43],
  OVERALL: [53, 53, 46, 49],
};

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
