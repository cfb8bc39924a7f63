/**
 * A skin is the markup of one template generation: the HTML of a menu, a box, a paragraph, a comment in the
 * style of its years. Page kinds decide what is on a page, skins how it is written; a redesign is the same
 * site with another skin. All functions are pure: equal arguments give equal bytes on every page, which makes
 * the result a template.
 */

/** Styles of building sites, by the years in which they were usual. */
const ERAS = ['tables', 'divs', 'html5', 'utility'] as const;
/** Name of an era. */
export type Era = (typeof ERAS)[number];

/** A link with its text. */
export interface Link {
  href: string;
  text: string;
}

/** An entry of a menu. */
interface MenuItem extends Link {
  active: boolean;
  children: Link[];
}

/** Choices of one site within its era. */
export interface SkinStyle {
  /** A short prefix or system name for classes and paths, such as `wp`, `tx`, `mysite`. */
  prefix: string;
  /** Name and language of the site, for alternative texts and attributes. */
  siteName: string;
  lang: string;
  /** Two colours of the design, as `#rrggbb`. */
  dark: string;
  light: string;
  /** Number that varies the look within an era. */
  variant: number;
}

/** A field of a form. */
interface FormField {
  label: string;
  name: string;
  long?: boolean;
}

/** Functions and constants that give the markup of a page's parts. */
export interface Skin {
  // the frame of the page
  doctype: string;
  htmlOpen: string;
  headClose: string;
  headTags(charset: string): string;
  bodyOpen: string;
  bodyClose: string;
  topOpen: string;
  topClose: string;
  columnsOpen: string;
  columnsClose: string;
  mainOpen: string;
  mainClose: string;
  sideOpen: string;
  sideClose: string;
  /** Whether the side column comes before the main one in the source. */
  sideFirst: boolean;
  scripts: string;

  // repeated parts
  notice(text: string, accept: string, settings: string): string;
  logo(tagline: string): string;
  today(date: string): string;
  searchBox(label: string): string;
  menu(items: MenuItem[]): string;
  ad(unit: number, serial: number, caption: string): string;
  crumbsOpen: string;
  crumb(link: Link): string;
  crumbHere(text: string): string;
  crumbsClose: string;
  boxOpen(role: string): string;
  boxTitle(title: string): string;
  boxBody: string;
  boxClose: string;
  linkList(links: Link[]): string;
  cloud(links: Link[]): string;
  form(action: string, fields: FormField[], button: string): string;
  /** Boilerplate prose: legal notes, house rules. */
  small(text: string): string;
  shareBar(label: string, links: Link[]): string;
  footerOpen: string;
  footerColumn(title: string, links: Link[]): string;
  footerNote(text: string): string;
  counter(text: string): string;
  footerClose: string;

  // content
  bodyPartOpen(kind: string): string;
  bodyPartClose: string;
  h1(text: string): string;
  h2(text: string): string;
  byline(text: string): string;
  p(text: string): string;
  bullets(items: string[], ordered: boolean): string;
  table(head: string[], rows: string[][], caption: string): string;
  quote(text: string, source: string): string;
  code(text: string): string;
  figure(src: string, caption: string, width: number): string;
  tagLine(links: Link[]): string;
  /** A titled excerpt on a listing or front page. */
  excerpt(link: Link, meta: string, text: string, image: string): string;
  comment(id: number, meta: string, paragraphs: string[]): string;
  price(amount: string): string;
  button(label: string, id: number): string;
  post(id: number, author: string[], meta: string, body: string, signature: string): PostMarkup;
  postTools(id: number, labels: string[]): string;
  pager(pages: Link[], here: number): string;

  // boxes of related pages
  teaser(link: Link, text: string): string;
}

/** Returns a complete box of boilerplate. */
export function box(skin: Skin, role: string, title: string, inner: string): string {
  return skin.boxOpen(role) + skin.boxTitle(title) + skin.boxBody + inner + skin.boxClose;
}

/** A forum post in two parts; its buttons go between them. */
interface PostMarkup {
  before: string;
  after: string;
}

/** Returns CSS as themes have it: many small rules that the page does not use. */
export function themeRules(names: string[], style: SkinStyle, count: number): string {
  const properties = [
    (n: number) => `margin:${n % 24}px ${(n * 7) % 32}px`,
    (n: number) => `padding:${(n * 3) % 20}px`,
    (n: number) => `color:${n % 2 ? style.dark : '#333'}`,
    () => `border-bottom:1px solid ${style.light}`,
    (n: number) => `font-size:${11 + (n % 9)}px;line-height:1.${3 + (n % 5)}`,
    (n: number) => `background:${n % 3 ? '#fff' : style.light}`,
    (n: number) => `max-width:${600 + ((n * 40) % 700)}px`,
    () => 'list-style:none;padding:0',
  ];
  const states = ['', ' a', ' a:hover', ' li', ' h3', ' p', ' img', ':after', ' .inner', ' ul'];
  let css = '';
  for (let at = 0; at < count; at++) {
    const turn = at * 5 + style.variant * 3;
    const name = names[at % names.length];
    const state = states[(at + (turn % 3)) % states.length];
    css += `.theme-alt ${name}${state}{${properties[turn % 8](turn)};${properties[(turn + 3) % 8](turn + at)}}\n`;
  }
  return css;
}

/** Returns the markup of several items, one after another. */
export function each<T>(items: readonly T[], render: (item: T, at: number) => string): string {
  return items.map(render).join('');
}
