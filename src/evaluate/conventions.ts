/**
 * What each gold set counts as content. Sets disagree on the title, comments, captions and bylines, and no output can suit
 * all of them: the title alone is worth about one point of F1. So every contender is scored by the habit of the set:
 * roles that the set leaves out are left out of a detector's text, and an extractor that tells the title apart gets it
 * added or removed. Shares are of pages whose title is in the gold text, and of words with such names that gold keeps.
 */

/** A part of a page that sets disagree on, by the name it has as a role of a range. */
export type ConventionRole = 'title' | 'byline' | 'date' | 'caption' | 'comments';

export interface Convention {
  /** Whether gold has the role on most pages; `mixed` where no rule fits. */
  title: 'in' | 'out' | 'mixed';
  byline: 'in' | 'out' | 'mixed';
  caption: 'in' | 'out' | 'mixed';
  /** `apart`: the gold row has them in a field of their own, and they count neither way. */
  comments: 'in' | 'out' | 'apart' | 'forums';
  /** What the set is, and the bias of its gold. */
  note: string;
}

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
    comments: 'in',
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
  'chinese-wce': {
    title: 'mixed',
    byline: 'out',
    caption: 'mixed',
    comments: 'forums',
    note: 'Chinese articles and forums, 2003–06, by hand',
  },
};

/** The convention of a set by the name that rows or files have for it; undefined for an unknown set. */
export function conventionOf(set: string): Convention | undefined {
  return CONVENTIONS[set] ?? CONVENTIONS[set.replace(/[-_](dev|data)$/, '')];
}

/** Roles that are not content by a convention; none where it is mixed or depends on the page. */
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

/** Parts of an article that a set leaves out on some pages or on all. A model must not learn this from the look of its pages. */
export function habitsOf(convention: Convention | undefined): ConventionRole[] {
  if (!convention) return [];
  const roles: ConventionRole[] = [];
  if (convention.title !== 'in') roles.push('title');
  if (convention.byline !== 'in') roles.push('byline', 'date');
  if (convention.caption !== 'in') roles.push('caption');
  return roles;
}

/**
 * The text of an extractor that tells the title apart, as a set wants it: the title in front where gold has it and the
 * text does not, and gone where gold leaves it out and the text starts with it.
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

/** A title that stands further down, in characters, is not the heading of the text. */
const TITLE_WITHIN = 2000;

function foldSpace(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
}
