/**
 * The parts that a site repeats: menu, boxes, footer, the boilerplate of each page kind. They are made once
 * per template generation and revision (a menu gains or loses an entry between two crawls without a
 * redesign); pages only append the finished pieces.
 */
import { keyOf, Random } from './random.ts';
import { landingFooter } from './rare-kinds.ts';
import { linkTo, type PageKind, type SitePlan } from './site-plan.ts';
import { box, type Era, type Link, type Skin, type SkinStyle } from './skin.ts';
import { divsSkin, tablesSkin } from './skins-classic.ts';
import { html5Skin, utilitySkin } from './skins-modern.ts';

const SKINS: Record<Era, (style: SkinStyle) => Skin> = {
  tables: tablesSkin,
  divs: divsSkin,
  html5: html5Skin,
  utility: utilitySkin,
};
const PREFIXES = ['site', 'main', 'nova', 'press', 'kiosk', 'portal', 'daily', 'aster', 'mosaic'];
const PALETTES = [
  ['#003366', '#dde6f0'],
  ['#5a1e1e', '#f3e6e1'],
  ['#1f4d3a', '#e2efe8'],
  ['#3b2a5c', '#e9e4f2'],
  ['#4a4a12', '#f1f0dc'],
];

/** The repeated parts of a site as markup. */
export interface Chrome {
  skin: Skin;
  /** Only for the kinds of pages that have another skin. */
  kindSkins?: Partial<Record<PageKind, Skin>>;
  headTags: string;
  titleTail: string;
  notice: string;
  logo: string;
  searchBox: string;
  /** One menu per section, with that section marked; the last one is for pages outside all sections. */
  menus: string[];
  /** Boxes of the side column on every page, above and below the changing one. */
  sideTop: string;
  sideBottom: string;
  /** One box per section. */
  sectionBoxes: string[];
  latest: Link[];
  /** Boilerplate of a page kind, before and after its content. */
  kindTop: Record<PageKind, string>;
  kindBottom: Record<PageKind, string>;
  footer: string;
}

/** Identifies a template generation and revision of a site. */
export interface Generation {
  era: Era;
  /** Number of the redesign, from 0. */
  generation: number;
  /** Number of small changes since the redesign, from 0. */
  revision: number;
  charset: string;
  /** Number of another template of this generation, from which parts are taken. @default its own template */
  other?: number;
}

/** Makes the repeated parts of a site for one generation and revision. */
export function makeChrome(plan: SitePlan, which: Generation): Chrome {
  const { era, generation, revision, charset, other } = which;
  const { language, sections } = plan;
  const { phrases } = language;
  const design = ['design', generation, ...(other === undefined ? [] : [other])];
  const random = new Random(keyOf(plan.seed, ...design));
  const [dark, light] = random.pick(PALETTES);
  const skin = SKINS[era]({
    prefix: random.pick(PREFIXES),
    siteName: plan.name,
    lang: language.code,
    dark,
    light,
    variant: random.below(12),
  });
  const prose = (sentences: number) => language.sentences(random, sentences);

  const notice = skin.notice(prose(3), phrases.accept, phrases.settings);
  const logo = skin.logo(prose(1));
  const searchBox = skin.searchBox(phrases.search);
  const menus = makeMenus(plan, skin, random, revision);
  const socials = random.sample(['Facebook', 'Twitter', 'YouTube', 'Instagram', 'RSS', 'Telegram'], 4);
  const social = socials.map((text) => ({ href: `/go/${text.toLowerCase()}`, text }));
  const categories = random.sample(
    sections.flatMap((section) => section.topics),
    random.between(9, 14),
  );
  const sideTop =
    box(skin, 'categories', phrases.categories, skin.linkList(categories)) +
    box(
      skin,
      'newsletter',
      phrases.newsletter,
      skin.small(prose(2)) +
        skin.form('/newsletter/', [{ label: phrases.email, name: 'email' }], phrases.subscribe),
    );
  const sideBottom =
    box(skin, 'tags', phrases.tags, skin.cloud(random.sample(plan.tags, random.between(18, 28)))) +
    box(skin, 'follow', phrases.followUs, skin.linkList(social));
  const sectionBoxes = sections.map((section) =>
    box(
      skin,
      `about-${section.slug}`,
      section.name,
      skin.small(prose(3)) + skin.linkList(random.sample(section.topics, random.between(4, 6))),
    ),
  );
  const start = (generation * 5 + revision * 2) % 40;
  return {
    skin,
    headTags: skin.headTags(charset),
    titleTail: `${random.pick([' - ', ' | ', ' :: '])}${plan.name}`,
    notice,
    logo,
    searchBox,
    menus,
    sideTop,
    sideBottom,
    sectionBoxes,
    latest: Array.from({ length: 5 }, (_, at) => linkTo(plan, 'article', start + at)),
    ...kindChrome(plan, skin, random, social),
    footer: makeFooter(plan, skin, random, generation),
  };
}

function makeMenus(plan: SitePlan, skin: Skin, random: Random, revision: number): string[] {
  const { phrases } = plan.language;
  const extra = random.sample(
    [
      { href: '/help/', text: phrases.help },
      { href: '/archive/', text: phrases.archive },
      { href: '/register/', text: phrases.register },
      { href: '/newsletter/', text: phrases.newsletter },
      { href: '/poll/', text: phrases.poll },
    ],
    5,
  );
  const fixed = [
    { href: '/shop/', text: phrases.shop },
    { href: '/forum/', text: phrases.forum },
    { href: '/about/', text: phrases.about },
    { href: '/contact/', text: phrases.contact },
  ];
  const children = plan.sections.map((section) => random.sample(section.topics, random.between(3, 5)));
  // odd revisions add an entry, even ones remove it and add another
  const tail = [
    ...fixed.slice(0, 2),
    ...extra.slice(revision % 4, (revision % 4) + 1 + (revision % 2)),
    ...fixed.slice(2),
  ];
  const menuFor = (active: number) =>
    skin.menu([
      { href: '/', text: phrases.home, active: active < 0, children: [] },
      ...plan.sections.map((section, at) => ({
        href: `/${section.slug}/`,
        text: section.name,
        active: at === active,
        children: children[at],
      })),
      ...tail.map((link) => ({ ...link, active: false, children: [] })),
    ]);
  return [...plan.sections.map((_, at) => menuFor(at)), menuFor(-1)];
}

function kindChrome(plan: SitePlan, skin: Skin, random: Random, social: Link[]) {
  const { language } = plan;
  const { phrases } = language;
  const prose = (sentences: number) => language.sentences(random, sentences);
  const commentForm = skin.form(
    '/comment/',
    [
      { label: phrases.name, name: 'author' },
      { label: phrases.email, name: 'mail' },
      { label: phrases.message, name: 'text', long: true },
    ],
    phrases.send,
  );
  const sorts = [phrases.newest, phrases.popular, phrases.cheapest].map((text, at) => ({
    href: `?sort=${at}`,
    text,
  }));
  const share = skin.shareBar(phrases.share, [...social, { href: '?print=1', text: phrases.print }]);
  const none = { record: '', goods: '', manual: '', contract: '', tabs: '', landing: '' };
  const kindTop: Record<PageKind, string> = {
    ...none,
    home: '',
    article: share,
    listing: skin.shareBar(phrases.sortBy, sorts) + skin.small(prose(2)),
    product: '',
    forum: skin.small(prose(3)),
  };
  const kindBottom: Record<PageKind, string> = {
    ...none,
    home: '',
    article: box(skin, 'respond', phrases.leaveComment, skin.small(prose(2)) + commentForm),
    listing: skin.small(prose(2)),
    product: box(skin, 'delivery', phrases.delivery, skin.small(prose(3)) + skin.small(prose(2))),
    forum: box(skin, 'quickreply', phrases.reply, skin.small(prose(1)) + commentForm),
  };
  const own = new Random(keyOf(plan.seed, 'landing footer'));
  kindBottom.landing = landingFooter((count) => language.sentences(own, count));
  return { kindTop, kindBottom };
}

function makeFooter(plan: SitePlan, skin: Skin, random: Random, generation: number): string {
  const { language } = plan;
  const { phrases } = language;
  const column = (title: string, links: Link[]) => skin.footerColumn(title, links);
  const year = new Date(plan.start).getUTCFullYear() + generation * 5;
  return (
    column(phrases.about, [
      { href: '/about/', text: phrases.about },
      { href: '/contact/', text: phrases.contact },
      { href: '/help/', text: phrases.help },
      { href: '/sitemap/', text: phrases.sitemap },
      { href: '/jobs/', text: language.term(random) },
    ]) +
    column(
      phrases.categories,
      plan.sections.map((section) => ({ href: `/${section.slug}/`, text: section.name })),
    ) +
    column(phrases.shop, random.sample(plan.sections[0].topics.concat(plan.sections[1].topics), 6)) +
    column(phrases.login, [
      { href: '/login/', text: phrases.login },
      { href: '/register/', text: phrases.register },
      { href: '/privacy/', text: phrases.privacy },
      { href: '/terms/', text: phrases.terms },
    ]) +
    skin.footerNote(language.sentences(random, random.between(4, 7))) +
    skin.footerNote(
      `&copy; ${year} ${plan.name}. ${phrases.rights} ${language.sentences(random, random.between(2, 4))}`,
    )
  );
}
