/**
 * Conventions of gold sets: what each set counts as content. Sets disagree on the title, comments, captions and
 * bylines, and no output can suit all of them: the title alone changes F1 by about one point. So each contender is
 * scored by the convention of the set: roles that the set leaves out are removed from a detector's text, comments
 * are added when the set has them, and an extractor with a separate title gets it added or removed. Shares are of
 * pages with the title in the gold text, and of words with such class names that gold keeps.
 */

/** A part of a page that sets disagree on, named as the role of a range. */
export type ConventionRole = 'title' | 'byline' | 'date' | 'caption' | 'comments';

/** Parts of a page that a gold set counts as content. */
export interface Convention {
  /** Whether gold has the role on most pages; `mixed` when no rule fits. */
  title: 'in' | 'out' | 'mixed';
  byline: 'in' | 'out' | 'mixed';
  caption: 'in' | 'out' | 'mixed';
  /** `apart`: the gold row has comments in a separate field, and they are not scored. */
  comments: 'in' | 'out' | 'mixed' | 'apart' | 'forums';
  /** Description of the set and the bias of its gold. */
  note: string;
}

/** Conventions by the name of the gold set. */
export const CONVENTIONS: Readonly<Record<string, Convention>> = {
  daniel: {
    title: 'in',
    byline: 'out',
    caption: 'mixed',
    comments: 'out',
    note: 'news of 2011–12 in five languages; title in 94 % of the gold, captions 55 %, bylines 13 %',
  },
  dragnet: {
    title: 'in',
    byline: 'in',
    caption: 'mixed',
    comments: 'apart',
    note: 'blogs and news of 2012; title in 86 %, bylines 70 %, captions 53 %; comments in a field of their own',
  },
  cleanportaleval: {
    title: 'in',
    byline: 'out',
    caption: 'in',
    comments: 'out',
    note: 'two news portals; title in 100 %, captions 95 %, bylines 4 %; two section fronts have no content at all',
  },
  'l3s-gn1': {
    title: 'in',
    byline: 'in',
    caption: 'in',
    comments: 'apart',
    note: 'news, every text node labelled; title in 86 %, bylines 88 %, captions 81 %; comments are blocks of their own',
  },
  wcxb: {
    title: 'out',
    byline: 'mixed',
    caption: 'mixed',
    comments: 'forums',
    note: 'seven types of page, 2019 and later; title in 13 %, bylines 48 %, captions 40 %; replies are content on forums',
  },
  scrapinghub: {
    title: 'out',
    byline: 'out',
    caption: 'out',
    comments: 'out',
    note: 'the article-extraction benchmark: body text alone; title in 2 %, captions 5 %',
  },
  swde: {
    title: 'in',
    byline: 'in',
    caption: 'in',
    comments: 'mixed',
    note: 'catalogues; values that must survive, wherever they stand; no main text',
  },
  cleaneval: {
    title: 'in',
    byline: 'in',
    caption: 'in',
    comments: 'in',
    note: 'pages of all kinds, 2007; generous: the whole page scores 0.90',
  },
  'trafilatura-eval': {
    title: 'mixed',
    byline: 'mixed',
    caption: 'mixed',
    comments: 'apart',
    note: 'articles, mostly German; snippets to keep and to drop, no full text',
  },
  'readability-pages': {
    title: 'out',
    byline: 'out',
    caption: 'in',
    comments: 'out',
    note: 'reviewed output of Mozilla Readability, so biased to it; that tool gives the title and byline apart',
  },
  'fundus-news': {
    title: 'out',
    byline: 'out',
    caption: 'out',
    comments: 'out',
    note: 'news of 2023–26; body text by a parser for each publisher, without title and captions',
  },
  'forum-harvest': {
    title: 'out',
    byline: 'out',
    caption: 'mixed',
    comments: 'in',
    note: 'threads of forums; the text of all posts, without names and times',
  },
  'omnivore-reader': {
    title: 'out',
    byline: 'out',
    caption: 'in',
    comments: 'out',
    note: 'newsletters and articles; reviewed output of a fork of Readability, so biased to it',
  },
  recipes: {
    title: 'mixed',
    byline: 'mixed',
    caption: 'mixed',
    comments: 'mixed',
    note: 'ingredients and steps that must survive; no full text',
  },
  'product-values': {
    title: 'mixed',
    byline: 'mixed',
    caption: 'mixed',
    comments: 'mixed',
    note: 'prices, brands and numbers that must survive; weak labels, no full text',
  },
  'chinese-wce': {
    title: 'mixed',
    byline: 'out',
    caption: 'mixed',
    comments: 'forums',
    note: 'Chinese articles and forums, 2003–06, by hand',
  },
};

/** Returns the convention of a set by its name in rows or files; undefined for an unknown set. */
export function conventionOf(set: string): Convention | undefined {
  return CONVENTIONS[set] ?? CONVENTIONS[set.replace(/[-_](dev|data)$/, '')];
}

/** Returns the roles that are not content by a convention; none when it is mixed or depends on the page. */
export function rolesToLeaveOut(convention: Convention | undefined, type = ''): ConventionRole[] {
  if (!convention) return [];
  const roles: ConventionRole[] = [];
  if (convention.title === 'out') roles.push('title');
  if (convention.byline === 'out') roles.push('byline');
  if (convention.caption === 'out') roles.push('caption');
  if (convention.comments === 'out' || (convention.comments === 'forums' && type !== 'forum')) {
    roles.push('comments');
  }
  return roles;
}

/** Returns the roles that a set has on every page and detectors leave out by default. */
export function rolesToAdd(convention: Convention | undefined): ConventionRole[] {
  return convention?.comments === 'in' ? ['comments'] : [];
}

/**
 * Returns the parts of an article that a set leaves out on some or all pages. A model must not learn this from the
 * look of its pages.
 */
export function habitsOf(convention: Convention | undefined): ConventionRole[] {
  if (!convention) return [];
  const roles: ConventionRole[] = [];
  if (convention.title !== 'in') roles.push('title');
  if (convention.byline !== 'in') roles.push('byline', 'date');
  if (convention.caption !== 'in') roles.push('caption');
  return roles;
}

/**
 * Returns the text of an extractor with a separate title, as a set wants it: the title is put in front when gold
 * has it and the text does not, and removed when gold leaves it out and the text starts with it.
 */
export function withTitleOf(
  { text, title = '' }: { text: string; title?: string },
  convention: Convention | undefined,
): string {
  const wanted = foldSpace(title);
  if (wanted === '' || !convention || convention.title === 'mixed') return text;
  if (convention.title === 'in') {
    const isThere = foldSpace(text.slice(0, title.length + TITLE_WITHIN)).includes(wanted);
    return isThere ? text : `${title}\n${text}`;
  }
  const end = text.indexOf('\n', text.search(/\S/));
  const firstLine = end === -1 ? text : text.slice(0, end);
  return foldSpace(firstLine) === wanted ? text.slice(firstLine.length) : text;
}

/** Characters from the start within which a title counts as the heading of the text. */
const TITLE_WITHIN = 2000;

function foldSpace(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
}
