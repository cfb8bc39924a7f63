/**
 * Words of class, id, role, rel and item attributes that show the role of an element. The kernel cuts names into words
 * (`comments-open`: comments, open; `entryTitle`: entry, title) and ors the bits of the words of each name, less the
 * bits that other words of the same name clear (kernel/assembly/read-names.ts).
 */
import * as layout from '../../kernel/block-layout.ts';
import { tagsOf } from '../../parse/tag-names.ts';

// bits of names; the words of a row of SETTING set each bit
/** Bit of a name that says title or headline. */
export const TITLE = 1 << 0;
/** Bit of a name that says byline or author. */
export const BYLINE = 1 << 1;
/** Bit of a name that says date or time. */
export const DATE = 1 << 2;
/** Bit of a name that says caption. */
export const CAPTION = 1 << 3;
/** Bit of a name that says code. */
export const CODE = 1 << 4;
/** Bit of a name that says facts, such as a table of properties. */
export const FACTS = 1 << 5;
/** Bit of a name that says comments. */
export const COMMENTS = 1 << 6;
/** Bit of a name that says related or recommended pages. */
export const RELATED = 1 << 7;
/** Bit of a name that says navigation. */
export const NAVIGATION = 1 << 8;
/** Bit of a name that says breadcrumb. */
export const BREADCRUMB = 1 << 9;
/** Bit of a name that says footer. */
export const FOOTER = 1 << 10;
/** Bit of a name that says legal notice or cookies. */
export const LEGAL = 1 << 11;
/** Bit of a name that says table of contents. */
export const TOC = 1 << 12;
/** Says little alone: `contents` is a table of contents with `table`, `recent` is related in a sidebar. */
export const CONTENTS = 1 << 13;
/** Bit of a name with the word `table`, which only counts together with CONTENTS. */
export const TABLE = 1 << 14;
/** Bit of a name that says sidebar. */
export const SIDE = 1 << 15;
/** Bit of a name that says recent or latest, which means related pages in a sidebar. */
export const RECENT = 1 << 16;
/** A form or another thing to use, not to read; then what belongs to a forum. */
export const FORM = 1 << 17;
/** Bit of a name that says forum or thread. */
export const FORUM = 1 << 18;
/** Bit of a name that says post. */
export const POST = 1 << 19;
/** The name of the site. */
export const SITE = 1 << 20;
const ALL = -1;

/** Words of names and the bits that they set. Most class names are English, whatever the page is. */
const SETTING: [bits: number, words: string][] = [
  [TITLE, 'title headline heading entrytitle posttitle articletitle pagetitle titel titre titulo'],
  [
    BYLINE,
    'byline author authors writer writers reporter creator contributor contributors authorname postauthor entryauthor articleauthor autor autore autoren auteur verfasser redakteur journalist columnist postedby writtenby',
  ],
  [
    DATE,
    'date time timestamp published datetime datestamp pubdate publishdate datepublished datecreated datemodified dateline postdate posttime entrydate articledate modified updated lastmodified datum fecha pubtime publishtime created timeago',
  ],
  [
    CAPTION,
    'caption captions figcaption cutline photocaption imagecaption imgcaption captiontext bildunterschrift bildtext legende leyenda photocredit imagecredit',
  ],
  [CODE, 'codehilite sourcecode syntaxhighlighter prettyprint crayon hljs codesnippet'],
  [
    FACTS,
    'infobox specs spec specification specifications specsheet datasheet techspecs facts factbox factsheet keyfacts steckbrief',
  ],
  [
    COMMENTS,
    'comment comments commentlist commentslist commentarea commentbox commentsection commentbody commenttext commentcontent disqus dsq kommentar kommentare kommentarer comentario comentarios commentaire commentaires commenti komentarze usercomments commentthread intensedebate pingback trackback pingbacks trackbacks livefyre',
  ],
  [
    RELATED,
    'related relatedposts relatedarticles relatednews relatedlinks relatedcontent relatedstories recommended recommendation recommendations similar popular trending mostread mostpopular mostviewed morefrom morenews morestories outbrain taboola alsolike upnext recirc crosssell upsell upsells yarpp zemanta',
  ],
  [
    NAVIGATION,
    'nav navi navigation navbar navlinks navlist menu menus submenu mainmenu mainnav topnav subnav sidenav leftnav sitenav globalnav megamenu menubar topmenu pagination paginator pager paging pagenav wppagenavi postnav dropdown',
  ],
  [
    BREADCRUMB,
    'breadcrumb breadcrumbs crumb crumbs breadcrumblist pathway youarehere brotkrumen breadcrumbtrail',
  ],
  [
    FOOTER,
    'footer footers colophon contentinfo pagefooter sitefooter footerlinks globalfooter mainfooter wpfooter',
  ],
  [
    LEGAL,
    'legal copyright copyrights disclaimer disclaimers cookie cookies cookiebanner cookieconsent cookieinfo cookiebar gdpr ccpa consent imprint impressum legalese',
  ],
  [TOC, 'toc tableofcontents tocify localtoc inhaltsverzeichnis onthispage'],
  [CONTENTS, 'contents'],
  [TABLE, 'table'],
  [SIDE, 'sidebar sidebars aside complementary rail widget widgets'],
  [RECENT, 'recent latest newest recentposts latestnews'],
  [FORM, 'respond commentform replyform calendar poll survey popup modal dialog tooltip'],
  [SITE, 'logo branding brand masthead'],
  [
    FORUM,
    'forum forums phpbb vbulletin postbody postbit postbitlegacy thread threads postrow xenforo discourse smf mybb ipscomment ipb windowbg discussionforumposting bbp bbpress flarum nodebb viewtopic showthread forumpost',
  ],
  [POST, 'post posts message messages reply replies topic topics'],
];

/** Words that take bits away from the words of the same name. */
const CLEARING: [bits: number, words: string][] = [
  // the state of a page or a wrapper: `comments-open`, `has-sidebar`, `tag-comments`, `post-with-author`
  [ALL, 'has no with without open opened closed tag category cat hentry status format after before'],
  [FOOTER | TITLE, 'modal card widget panel popup dialog'],
  [FOOTER | NAVIGATION, 'entry post article item story comment comments'],
  [TITLE, 'site section related comments comment reply sub sidebar block box module list nav menu item blog'],
  [
    COMMENTS,
    'link links count counts number num icon button btn form recent latest top add write leave editor',
  ],
  [
    DATE,
    'reading read range picker up left right run delivery cook cooking prep total opening hours duration',
  ],
  [LEGAL, 'image img photo picture bild media'],
  [DATE | BYLINE, 'outer posts archive archives list grid'],
  [BYLINE, 'more related box bio about description comment comments'],
  // WordPress numbers the threads of its comments
  [FORUM, 'even odd alt depth parent related hot trending comment comments dsq disqus'],
  [CAPTION, 'slide slider carousel large medium small teaser rating sr'],
];

const TAG_BITS = new Int32Array(256);
for (const [bits, tags] of [
  [NAVIGATION, 'nav menu'],
  [FOOTER, 'footer'],
  [CAPTION, 'figcaption caption'],
  [CODE, 'pre listing xmp'],
  [DATE, 'time'],
  [SIDE, 'aside'],
  [FORM, 'form dialog'],
] as const) {
  for (const tag of tagsOf(tags)) TAG_BITS[tag] = bits;
}

/** Bits of a tag. */
export function tagBits(tag: number): number {
  return tag < TAG_BITS.length ? TAG_BITS[tag] : 0;
}

const WORD_BITS = new Map<string, { set: number; cleared: number }>();
for (const [key, groups] of [
  ['set', SETTING],
  ['cleared', CLEARING],
] as const) {
  for (const [bits, words] of groups) {
    for (const word of words.split(' ')) {
      const known = WORD_BITS.get(word) ?? { set: 0, cleared: 0 };
      known[key] |= bits;
      WORD_BITS.set(word, known);
    }
  }
}

/**
 * Bits of a class or id attribute, for callers that ask about a few elements; the kernel reads those of whole pages.
 */
export function nameBits(names: string): number {
  let bits = 0;
  for (const name of names.split(/\s+/)) {
    let set = 0;
    let cleared = 0;
    for (const word of name.match(/[A-Z]*[a-z]+|[A-Z]+/g) ?? []) {
      const known = WORD_BITS.get(word.toLowerCase());
      set |= known?.set ?? 0;
      cleared |= known?.cleared ?? 0;
    }
    bits |= set & ~cleared;
  }
  return bits;
}

/** The words as the kernel looks them up: ROLE_WORD_SIZE numbers for each bucket. */
export function roleWordTable(): Int32Array {
  const table = new Int32Array(layout.ROLE_WORD_BUCKETS * layout.ROLE_WORD_SIZE);
  for (const [column, groups] of [SETTING, CLEARING].entries()) {
    for (const [bits, words] of groups) {
      for (const word of words.split(' ')) table[roleBucket(table, hashOf(word)) + 1 + column] |= bits;
    }
  }
  return table;
}

function roleBucket(table: Int32Array, hash: number): number {
  let index = hash & (layout.ROLE_WORD_BUCKETS - 1);
  for (;;) {
    const bucket = index * layout.ROLE_WORD_SIZE;
    if (table[bucket] === 0) table[bucket] = hash;
    if (table[bucket] === hash) return bucket;
    index = (index + 1) & (layout.ROLE_WORD_BUCKETS - 1);
  }
}

/** The hash of a word of a name, as the kernel makes it (kernel/assembly/read-names.ts). */
function hashOf(word: string): number {
  let hash = 0;
  for (let k = 0; k < word.length; k++) {
    hash = (Math.imul(hash ^ word.charCodeAt(k), 0x01000193) + 0x811c9dc5) | 0;
  }
  return hash;
}
