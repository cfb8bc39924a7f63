/**
 * The parser's table of tag names. HTML's own names (and the few of SVG and MathML that change how a page is
 * parsed) have the ids of parse/tag-names.ts; names of a page get ids from FIRST_FOREIGN_TAG on. Each name
 * has an entry of 64 bytes:
 *
 *    0  flags, below
 *    4  group of the start tag in the body, a byte; 5 group of the end tag
 *    8  hash lanes of the name
 *   16  bytes of the name
 *   20  the innermost open element of the name, 0 for none
 *   24  running hash of the name, for names of the page
 *   32  sixteen bytes of the name, zeros after the last
 */
import { BREAK_TAGS, HEADING_TAGS, HIDDEN_TAGS, TAG_NAMES } from '../tag-lists.ts';
import { BARE_BUCKET, NAME_BUCKET_BITS, NAME_BUCKETS_AT, TAGS_AT } from './builder.ts';
import { HIGH_FACTOR, LOW_FACTOR, NAME_BASIS, NAME_PRIME, nameHigh, nameLow } from './node-hashes.ts';

/** Tag ids, in the order of TAG_NAMES. */
// biome-ignore format: a table
export enum Tag {
  html = 2, head, body, div, span, p, a, li, ul, ol, img, br, td, tr, th, table, tbody, thead, tfoot, caption, col,
  colgroup, h1, h2, h3, h4, h5, h6, b, i, u, s, em, strong, small, big, tt, code, font, strike, nobr, script, style,
  title, meta, link, base, noscript, template, textarea, iframe, noembed, noframes, xmp, plaintext, form, input, button,
  select, option, optgroup, label, fieldset, legend, datalist, output, progress, meter, keygen, article, aside, section,
  nav, header, footer, main, address, blockquote, center, details, dialog, dir, dl, dt, dd, figcaption, figure, hgroup,
  menu, menuitem, search, summary, pre, listing, hr, area, embed, param, source, track, wbr, basefont, bgsound, frame,
  frameset, applet, marquee, object, abbr, acronym, audio, bdi, bdo, blink, canvas, cite, data, del, dfn, ins, kbd, map,
  mark, picture, q, rb, rp, rt, rtc, ruby, samp, slot, sub, sup, time, var_, video, image, svg, math, desc,
  foreignobject, mi, mo, mn, ms, mtext, annotationXml, mglyph, malignmark, path, g, use, circle, rect, line, polygon,
  polyline, ellipse, defs, symbol, clippath, lineargradient, stop, mask, text, tspan,
}
/** Key of an element that was removed from the open elements while its content continues. */
export const GHOST: u32 = 0;
/** Key of entries that are not HTML elements: the document, SVG, MathML, a head that has ended. */
export const NOT_HTML: u32 = 1;

/** Flag of a name: scope marker of "has an element in scope". */
export const SCOPE: u32 = 1 << 1;
/** Flag of a name: special element of the standard. */
export const SPECIAL: u32 = 1 << 2;
/** Flag of a name: special, but not address, div or p; ends the search for a list item to close. */
export const ITEM_BOUNDARY: u32 = 1 << 3;
/** Flag of a name: closed by "generate implied end tags". */
export const IMPLIED_END: u32 = 1 << 4;
/** Flag of a name: the end tag only closes the element if it is the current one. */
export const PLAIN_END: u32 = 1 << 5;
/** Flag of a name: separates words, like blocks, cells, options and br. */
export const BREAK: u32 = 1 << 7;
/** Flag of a name: its text is not text of the page. */
export const HIDDEN: u32 = 1 << 8;
/** Flag of a name: a heading. */
export const HEADING: u32 = 1 << 9;
/** Flag of a name: table, tbody, thead, tfoot or tr, in which text and most elements are fostered. */
export const TABLE_PART: u32 = 1 << 10;
/** Flag of a name: its start tag ends foreign content. */
export const BREAKOUT: u32 = 1 << 11;
/** Flag of an open element: not in HTML's name space. This and the next three are not set by name. */
export const FOREIGN: u32 = 1 << 12;
/** Flag of an open element with FOREIGN: it is MathML; otherwise SVG. */
export const MATH: u32 = 1 << 13;
/** Flag of an open element: an SVG or MathML element inside which HTML's rules apply again. */
export const HTML_INTEGRATION: u32 = 1 << 14;
/** Flag of an open element: a MathML element inside which HTML's rules apply to text and most tags. */
export const MATH_INTEGRATION: u32 = 1 << 15;
/** Flag of a name: its start tag may have the href of a link. */
export const LINK: u32 = 1 << 16;

/** Groups of tags with the same rules in the body, the most frequent first. */
export enum Group {
  other,
  blocks,
  formatting,
  anchor,
  items,
  voids,
  headings,
  headContent,
  table,
  rule,
  input,
  options,
  preformatted,
  form,
  button,
  select,
  textarea,
  raw,
  objects,
  sources,
  rubyBase,
  rubyText,
  nobr,
  foreignRoot,
  html,
  body,
  frameset,
  ignored,
  image,
  paragraph,
  listItem,
  breaks,
}

const LANES: usize = 8;
const SIZE: usize = 16;
const INNERMOST: usize = 20;
const HASH: usize = 24;
const NAME: usize = 32;
const START_GROUP: usize = 4;
const END_GROUP: usize = 5;

/** Returns the address of a tag's entry. */
export function tagInfo(tag: u32): u32 {
  return (tag << 6) + TAGS_AT;
}
/** Returns the flags of a tag. */
export function flagsOf(tag: u32): u32 {
  return load<u32>(tagInfo(tag));
}
/** Returns the group of a start tag in the body. */
export function startGroup(tag: u32): u32 {
  return load<u8>(tagInfo(tag), START_GROUP);
}
/** Returns the group of an end tag in the body. */
export function endGroup(tag: u32): u32 {
  return load<u8>(tagInfo(tag), END_GROUP);
}
/** Returns the low hash lane of a tag's name. */
export function tagLow(tag: u32): u32 {
  return load<u32>(tagInfo(tag), LANES);
}
/** Returns the high hash lane of a tag's name. */
export function tagHigh(tag: u32): u32 {
  return load<u32>(tagInfo(tag), LANES + 4);
}
/** Returns the number of bytes of a tag's name. */
export function nameSize(tag: u32): u32 {
  return load<u32>(tagInfo(tag), SIZE);
}
/** Returns the first sixteen bytes of a tag's name. */
export function nameBytes(tag: u32): v128 {
  return v128.load(tagInfo(tag), NAME);
}
/** Returns the running hash of a tag's name. */
export function nameHash(tag: u32): u32 {
  return load<u32>(tagInfo(tag), HASH);
}
/** Returns the innermost open element of a tag, or 0. */
export function innermost(tag: u32): u32 {
  return load<u32>(tagInfo(tag), INNERMOST);
}
/** Sets the innermost open element of a tag. */
export function setInnermost(tag: u32, element: u32): void {
  store<u32>(tagInfo(tag), element, INNERMOST);
}

/** Sets hash, size and lanes of a name. */
export function setName(tag: u32, hash: u32, sizeBytes: u32): void {
  const info = tagInfo(tag);
  store<u32>(info, hash, HASH);
  store<u32>(info, sizeBytes, SIZE);
  store<u32>(info, nameLow(hash), LANES);
  store<u32>(info, nameHigh(hash, sizeBytes), LANES + 4);
}

/** Returns the first bucket for a name of up to sixteen bytes. */
export function nameBucket(name: v128): u32 {
  const low = <u64>i64x2.extract_lane(name, 0) * LOW_FACTOR;
  const high = <u64>i64x2.extract_lane(name, 1) * HIGH_FACTOR;
  return <u32>((low + high) >> (64 - NAME_BUCKET_BITS)) + NAME_BUCKETS_AT;
}
/** Returns the bucket to try after another one. */
export function nextNameBucket(bucket: u32): u32 {
  return ((bucket - NAME_BUCKETS_AT + 1) & ((1 << NAME_BUCKET_BITS) - 1)) + NAME_BUCKETS_AT;
}

/** Returns the tag of one of HTML's names; 0 for another name. */
export function findTag(name: v128): u32 {
  let bucket = nameBucket(name);
  while (true) {
    const tag: u32 = load<u8>(bucket);
    if (!tag || !v128.any_true(v128.xor(name, nameBytes(tag)))) return tag;
    bucket = nextNameBucket(bucket);
  }
}

/**
 * Walks over a list of names separated by spaces: adds each as the next tag, or sets the flags or groups of
 * each.
 */
function forEachName(list: string, flags: u32, start: Group, end: Group): void {
  let tag: u32 = Tag.html;
  let at = 0;
  while (at < list.length) {
    let name = i8x16.splat(0);
    const from = at;
    let hash = NAME_BASIS;
    store<u64>(BARE_BUCKET, 0, NAME);
    store<u64>(BARE_BUCKET, 0, NAME + 8);
    for (; at < list.length && list.charCodeAt(at) !== 0x20; at++) {
      const character = <u32>list.charCodeAt(at);
      store<u8>(BARE_BUCKET + (at - from), character, NAME);
      hash = (hash ^ character) * NAME_PRIME;
    }
    name = v128.load(BARE_BUCKET, NAME);
    const found = findTag(name);
    if (found) {
      const info = tagInfo(found);
      store<u32>(info, load<u32>(info) | flags);
      if (start) store<u8>(info, start, START_GROUP);
      if (end) store<u8>(info, end, END_GROUP);
    } else {
      setName(tag, hash, at - from);
      v128.store(tagInfo(tag), name, NAME);
      let bucket = nameBucket(name);
      while (load<u8>(bucket)) bucket = nextNameBucket(bucket);
      store<u8>(bucket, tag++);
    }
    at++;
  }
}
function setFlags(flags: u32, list: string): void {
  forEachName(list, flags, Group.other, Group.other);
}
function setStart(group: Group, list: string): void {
  forEachName(list, 0, group, Group.other);
}
function setEnd(group: Group, list: string): void {
  forEachName(list, 0, Group.other, group);
}

/** Fills the table; called when the kernel is started. */
function fillTags(): void {
  forEachName(TAG_NAMES, 0, Group.other, Group.other);

  setFlags(BREAK, BREAK_TAGS);
  setFlags(HIDDEN, HIDDEN_TAGS);
  setFlags(HEADING, HEADING_TAGS);
  setFlags(SCOPE, 'applet caption html table td th marquee object template');
  setFlags(SPECIAL, 'address div p');
  const boundary = SPECIAL | ITEM_BOUNDARY;
  setFlags(
    boundary,
    'applet area article aside base basefont bgsound blockquote body br button caption center',
  );
  setFlags(
    boundary,
    'col colgroup dd details dir dl dt embed fieldset figcaption figure footer form frame frameset',
  );
  setFlags(
    boundary,
    'h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing main',
  );
  setFlags(
    boundary,
    'marquee menu meta nav noembed noframes noscript object ol param plaintext pre script search',
  );
  setFlags(
    boundary,
    'section select source style summary table tbody td template textarea tfoot th thead title tr',
  );
  setFlags(boundary, 'track ul wbr xmp');
  setFlags(IMPLIED_END, 'dd dt li optgroup option p rb rp rt rtc');
  setFlags(TABLE_PART, 'table tbody thead tfoot tr');
  setFlags(
    BREAKOUT,
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li',
  );
  setFlags(
    BREAKOUT,
    'listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
  );
  setFlags(LINK, 'a area');
  setFlags(
    PLAIN_END,
    'div span p a li ul ol h1 h2 h3 h4 h5 h6 b i u s em strong small big tt code font strike nobr',
  );
  setFlags(
    PLAIN_END,
    'dl dt dd article aside section nav header footer main address blockquote center details dialog',
  );
  setFlags(
    PLAIN_END,
    'dir fieldset figcaption figure hgroup menu search summary pre listing label legend abbr acronym',
  );
  setFlags(
    PLAIN_END,
    'cite del dfn ins kbd mark q samp sub sup time var button noscript audio video picture map canvas',
  );
  setFlags(PLAIN_END, 'bdi bdo');

  setStart(
    Group.blocks,
    'address article aside blockquote center details dialog dir div dl fieldset figcaption',
  );
  setStart(Group.blocks, 'figure footer header hgroup main menu nav ol p search section summary ul');
  setStart(Group.formatting, 'b big code em font i s small strike strong tt u');
  setStart(Group.anchor, 'a');
  setStart(Group.items, 'li dd dt');
  setStart(Group.voids, 'area br embed img keygen wbr');
  setStart(Group.headings, HEADING_TAGS);
  setStart(Group.headContent, 'base basefont bgsound link meta script style template title');
  setStart(Group.table, 'table');
  setStart(Group.rule, 'hr');
  setStart(Group.input, 'input');
  setStart(Group.options, 'option optgroup');
  setStart(Group.preformatted, 'pre listing');
  setStart(Group.form, 'form');
  setStart(Group.button, 'button');
  setStart(Group.select, 'select');
  setStart(Group.textarea, 'textarea');
  setStart(Group.raw, 'iframe noembed noframes xmp plaintext');
  setStart(Group.objects, 'applet marquee object');
  setStart(Group.sources, 'param source track');
  setStart(Group.rubyBase, 'rb rtc');
  setStart(Group.rubyText, 'rp rt');
  setStart(Group.nobr, 'nobr');
  setStart(Group.foreignRoot, 'svg math');
  setStart(Group.html, 'html');
  setStart(Group.body, 'body');
  setStart(Group.frameset, 'frameset');
  setStart(Group.ignored, 'caption col colgroup frame head tbody td tfoot th thead tr');
  setStart(Group.image, 'image');

  setEnd(
    Group.blocks,
    'address article aside blockquote button center details dialog dir div dl fieldset figcaption',
  );
  setEnd(Group.blocks, 'figure footer header hgroup listing main menu nav ol pre search section summary ul');
  setEnd(Group.formatting, 'a b big code em font i nobr s small strike strong tt u');
  setEnd(Group.paragraph, 'p');
  setEnd(Group.listItem, 'li');
  setEnd(Group.items, 'dd dt');
  setEnd(Group.headings, HEADING_TAGS);
  setEnd(Group.breaks, 'br');
  setEnd(Group.form, 'form');
  setEnd(Group.objects, 'applet marquee object');
  setEnd(Group.body, 'body');
  setEnd(Group.html, 'html');
  setEnd(Group.headContent, 'template');
}

fillTags();
