/**
 * Plans a generated site: its name, sections, tags and, for any page number, the kind, section and URL of
 * that page. The plan does not depend on the number of pages: a site of 100 pages is the beginning of the
 * site of 100,000, and its links may lead to pages that are not generated, as in any crawl.
 */
import type { Language } from './language.ts';
import { keyOf, Random } from './random.ts';
import type { Link } from './skin.ts';

/** Kinds of pages that a site has by default. */
export const PAGE_KINDS = ['home', 'article', 'listing', 'product', 'forum'] as const;
/** Kinds that a site has only on request; see rare-kinds.ts. */
export const RARE_KINDS = ['record', 'goods', 'manual', 'contract', 'tabs', 'landing'] as const;
/** Name of a page kind. */
export type PageKind = (typeof PAGE_KINDS)[number] | (typeof RARE_KINDS)[number];

/** Kinds of successive pages after the front page: two fifths articles, one fifth of each other kind. */
const PATTERN: PageKind[] = ['article', 'listing', 'article', 'product', 'forum'];
/** Number of pages of other kinds per page of the second layout. */
const PAGES_PER_LANDING = 24;
const SECTION_COUNT = 4;
const DAY = 86_400_000;
/** Sites that share stories have the same ones within every group of this many articles. */
const STORIES_IN_TURN = 256;

/** A section of a site. */
interface Section {
  slug: string;
  name: string;
  topics: Link[];
}

/** The plan of a generated site. */
export interface SitePlan {
  seed: number;
  host: string;
  /** Scheme and host, without a slash at the end. */
  origin: string;
  language: Language;
  name: string;
  sections: Section[];
  tags: Link[];
  /** Names of product attributes. */
  attributes: string[];
  staff: string[];
  pattern: PageKind[];
  hasHome: boolean;
  /** First day of the first template generation, in milliseconds of UTC. */
  start: number;
  /** Seed of the articles that the site shares with others. */
  stories?: number;
  comments: boolean;
  /** Whether its pages have boilerplate that resembles prose. */
  isHard: boolean;
}

/** Identity of a page of a site. */
export interface PageId {
  index: number;
  kind: PageKind;
  section: number;
  /** Number of the page among those of its kind. */
  ordinal: number;
  url: string;
  path: string;
}

/** Options of `planSite`. */
export interface SitePlanOptions {
  seed: number;
  host: string;
  language: Language;
  kinds: readonly PageKind[];
  start: number;
  stories?: number;
  comments?: boolean;
  hard?: boolean;
}

/** Returns the plan of a site. */
export function planSite(options: SitePlanOptions): SitePlan {
  const { seed, host, language, kinds, start, stories, comments = true, hard = false } = options;
  const siteSeed = keyOf(seed, host);
  const random = new Random(keyOf(siteSeed, 'plan'));
  const sections = random.sample(language.table.sections, SECTION_COUNT).map((name, at) => {
    const slug = `${asciiName(name)}${asciiName(name).length < 3 ? `section${at + 1}` : ''}`;
    const topics = Array.from({ length: 7 }, (_, topic) => ({
      href: `/${slug}/topic/${topic + 1}/`,
      text: language.term(random),
    }));
    return { slug, name, topics };
  });
  const place = random.pick(language.table.places);
  return {
    seed: siteSeed,
    host,
    origin: `http://${host}`,
    language,
    name: place + language.table.joint + language.word(random),
    sections,
    tags: Array.from({ length: 48 }, (_, at) => ({ href: `/tag/${at + 100}/`, text: language.word(random) })),
    attributes: Array.from({ length: 80 }, () => language.term(random)),
    staff: Array.from({ length: 40 }, () => language.person(random)),
    pattern: patternOf(kinds),
    hasHome: kinds.includes('home'),
    start,
    stories,
    comments,
    isHard: hard,
  };
}

/** Returns the kinds of successive pages. */
function patternOf(kinds: readonly PageKind[]): PageKind[] {
  const rare = RARE_KINDS.filter((kind) => kinds.includes(kind) && kind !== 'landing');
  const pattern = [...PATTERN.filter((kind) => kinds.includes(kind)), ...rare];
  if (!kinds.includes('landing') || pattern.length === 0) return pattern;
  const turn = Array.from({ length: PAGES_PER_LANDING }, (_, at) => pattern[at % pattern.length]);
  return [...turn, 'landing'];
}

/** Returns the number of an article's story; shared stories have another order on every site. */
export function storyAt({ seed, stories }: SitePlan, ordinal: number): number {
  if (stories === undefined) return ordinal;
  const turn = ordinal - (ordinal % STORIES_IN_TURN);
  // an odd factor and a shift modulo a power of two visit every story of the group once
  const factor = 2 * (keyOf(seed, 'story order', turn) % (STORIES_IN_TURN / 2)) + 1;
  const shift = keyOf(seed, 'story shift', turn);
  return turn + ((Math.imul(ordinal - turn, factor) + shift) & (STORIES_IN_TURN - 1));
}

/** Returns the key of the content of a page. */
export function storyKey(plan: SitePlan, kind: PageKind, ordinal: number): [seed: number, ordinal: number] {
  if (plan.stories === undefined || kind !== 'article') return [plan.seed, ordinal];
  return [plan.stories, storyAt(plan, ordinal)];
}

/** Returns the identity of the page with an index. */
export function pageAt(plan: SitePlan, index: number): PageId {
  const { pattern } = plan;
  if (plan.hasHome && (index === 0 || pattern.length === 0)) {
    const path = index === 0 ? '/' : `/index-${index}.html`;
    return {
      index,
      kind: 'home',
      section: index % SECTION_COUNT,
      ordinal: index,
      url: plan.origin + path,
      path,
    };
  }
  const step = index - (plan.hasHome ? 1 : 0);
  const slot = step % pattern.length;
  const kind = pattern[slot];
  const perTurn = pattern.filter((other) => other === kind).length;
  const before = pattern.slice(0, slot).filter((other) => other === kind).length;
  const ordinal = Math.floor(step / pattern.length) * perTurn + before;
  const { href } = linkTo(plan, kind, ordinal);
  return { index, kind, section: ordinal % SECTION_COUNT, ordinal, url: plan.origin + href, path: href };
}

/** Returns the ordinal of the nth page of a section, for every kind. */
export function ordinalIn(section: number, nth: number): number {
  return nth * SECTION_COUNT + section;
}

/** Returns address and title of any page, whether it is generated or not. */
export function linkTo(plan: SitePlan, kind: PageKind, ordinal: number): Link {
  const section = plan.sections[ordinal % SECTION_COUNT];
  const id = 1000 + ordinal;
  if (kind === 'home') return { href: '/', text: plan.name };
  if (kind === 'listing') {
    const number = Math.floor(ordinal / SECTION_COUNT) + 1;
    return { href: `/${section.slug}/page/${number}/`, text: `${section.name} (${number})` };
  }
  const text = titleOf(plan, kind, ordinal);
  if ((RARE_KINDS as readonly string[]).includes(kind)) return { href: `/${kind}/${id}.html`, text };
  if (kind === 'product') return { href: `/shop/${section.slug}/p${id}.html`, text };
  if (kind === 'forum') {
    return { href: `/forum/viewtopic.php?f=${(ordinal % SECTION_COUNT) + 1}&t=${id}`, text };
  }
  const year = new Date(publishedAt(plan, kind, ordinal)).getUTCFullYear();
  const slug = asciiName(text).slice(0, 60);
  return { href: `/${section.slug}/${year}/${slug.length > 9 ? `${slug}-` : ''}${id}.html`, text };
}

/** Returns when a page was first published: within three years before the first generation. */
export function publishedAt(plan: SitePlan, kind: PageKind, ordinal: number): number {
  const days = keyOf(plan.seed, 'published', kind, ordinal) % 1095;
  return plan.start - days * DAY - (keyOf(plan.seed, 'minute', kind, ordinal) % 1440) * 60_000;
}

function titleOf(plan: SitePlan, kind: PageKind, ordinal: number): string {
  const [seed, story] = storyKey(plan, kind, ordinal);
  const random = new Random(keyOf(seed, 'title', kind, story));
  if (kind !== 'product') return plan.language.title(random);
  return `${plan.language.term(random)} ${String.fromCharCode(65 + random.below(26))}${random.between(10, 9999)}`;
}

/** Returns a text reduced to lower-case ASCII letters with hyphens. */
function asciiName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '');
}
