/**
 * Parses the page in the workspace in one pass over its bytes, which adds each tag, text and comment to the
 * tree (HTML standard, sections 13.2.5 and 13.2.6).
 */
import * as Page from '../layout.ts';
import { BARE_BUCKET, b, COMMENT, DECLARATION, DOCUMENT, UNCACHED_BUCKET } from './builder.ts';
import { insertMarker } from './formatting-list.ts';
import { hashBytes } from './hash.ts';
import { addNode, insertComment, insertText } from './insert-nodes.ts';
import * as Mode from './insertion-modes.ts';
import { currentFlags, KEY, keyOf, pop, push } from './open-elements.ts';
import { isQuirksDoctype } from './quirks-doctype.ts';
import * as Bytes from './scan-bytes.ts';
import {
  clearAttributes,
  clearNames,
  isEndTag,
  NO_TAG,
  nextTag,
  OTHER_MARKUP,
  scanAttributes,
  scanForeignTag,
  tagOf,
} from './scan-tags.ts';
import { collapse, isMarkup } from './scan-text.ts';
import { FOREIGN, flagsOf, HIDDEN, NOT_HTML, nameSize, setInnermost, Tag } from './tag-table.ts';
import { endDocument, endTag, prepareText, startTag, whiteSpace } from './tokens.ts';

/** Number of formatting elements that may be opened again on a page, beyond one per BYTES_PER_CLONE. */
const FREE_CLONES = 10_000;
const BYTES_PER_CLONE = 16;
/** Number of nodes that misnested formatting may move on a page, beyond a few per byte. */
const FREE_MOVES = 100_000;
const MOVES_PER_BYTE = 2;

/**
 * Parses the page with this header, in which its source and the addresses of its other parts are filled.
 * Fills its text, names and columns and the rest of the header. Returns false if the page has more than
 * `maxNodes` nodes.
 */
export function parse(header: u32, maxNodes: u32, maxDepth: u32, exact: u32): bool {
  startPage(header, maxDepth);
  b.mayBeExact = exact;
  // a byte order mark is not text
  let at = b.source + ((load<u32>(b.source) & 0xffffff) === 0xbfbbef ? 3 : 0);
  while (at < b.sourceEnd) {
    at = takeToken(at);
    if (b.nodeCount > maxNodes) return refusePage();
  }
  endDocument();
  if (b.nodeCount > maxNodes) return refusePage();
  store<u32>(b.textStart + (b.nodeCount << 2), b.textEnd - b.text);
  v128.store(b.textEnd, i8x16.splat(0));
  v128.store(b.textEnd, i8x16.splat(0), 16);
  v128.store(b.textEnd, i8x16.splat(0), 32);
  v128.store(b.textEnd, i8x16.splat(0), 48);
  endPage(header);
  return true;
}

function part(header: u32, word: u32): u32 {
  return load<u32>(header + (word << 2));
}
function setPart(header: u32, word: u32, value: u32): void {
  store<u32>(header + (word << 2), value);
}

function startPage(header: u32, maxDepth: u32): void {
  b.source = part(header, Page.PAGE_SOURCE);
  const sizeBytes = part(header, Page.PAGE_SOURCE_BYTES);
  b.sourceEnd = b.source + sizeBytes;
  b.text = b.textEnd = part(header, Page.PAGE_TEXT);
  b.names = part(header, Page.PAGE_NAMES);
  b.kind = part(header, Page.PAGE_KIND);
  b.name = part(header, Page.PAGE_NAME);
  b.parent = part(header, Page.PAGE_PARENT);
  b.last = part(header, Page.PAGE_LAST);
  b.start = part(header, Page.PAGE_START);
  b.openEnd = part(header, Page.PAGE_OPEN_END);
  b.end = part(header, Page.PAGE_END);
  b.contentLow = part(header, Page.PAGE_CONTENT_LOW);
  b.contentHigh = part(header, Page.PAGE_CONTENT_HIGH);
  b.shapeLow = part(header, Page.PAGE_SHAPE_LOW);
  b.shapeHigh = part(header, Page.PAGE_SHAPE_HIGH);
  b.textStart = part(header, Page.PAGE_TEXT_START);
  b.linkNode = part(header, Page.PAGE_LINK_NODE);
  b.linkStart = part(header, Page.PAGE_LINK_START);
  b.linkEnd = part(header, Page.PAGE_LINK_END);
  b.nodeCount = b.linkCount = b.fosteredCount = b.depthCapped = b.exact = 0;

  b.mode = Mode.INITIAL;
  b.quirks = b.hasHead = b.hasForm = b.fostering = b.rawTag = b.hiddenDepth = b.wordEnded = 0;
  b.framesetOk = 1;
  b.headEnd = b.bodyEnd = b.htmlEnd = b.lateComment = b.lastComment = 0;
  b.clonesLeft = FREE_CLONES + sizeBytes / BYTES_PER_CLONE;
  b.movesLeft = FREE_MOVES + MOVES_PER_BYTE * sizeBytes;

  b.oldestFormat = part(header, Page.PAGE_FORMATS);
  b.newestFormat = b.oldestFormat - Page.FORMAT_BYTES;
  insertMarker();
  b.templates = part(header, Page.PAGE_TEMPLATES);
  b.newestTemplate = b.templates - 1;
  clearAttributes(BARE_BUCKET);

  // the entry below the document is neither a ghost nor a marker
  b.top = part(header, Page.PAGE_ELEMENTS);
  memory.fill(b.top, 0, 2 * Page.ELEMENT_BYTES);
  store<u32>(b.top, NOT_HTML, KEY);
  b.bottom = b.top + Page.ELEMENT_BYTES;
  b.deepest = b.bottom + maxDepth * Page.ELEMENT_BYTES;
  push(addNode(DOCUMENT, 0, -1, 0, 0), NOT_HTML, 0);
}

function endPage(header: u32): void {
  setPart(header, Page.PAGE_TEXT_BYTES, b.textEnd - b.text);
  setPart(header, Page.PAGE_NODE_COUNT, b.nodeCount);
  setPart(header, Page.PAGE_LINK_COUNT, b.linkCount);
  setPart(header, Page.PAGE_NAME_COUNT, b.nameCount);
  setPart(header, Page.PAGE_FOSTERED_COUNT, b.fosteredCount);
  const flags =
    (b.depthCapped ? Page.PAGE_DEPTH_CAPPED : 0) |
    (b.exact ? Page.PAGE_EXACT : 0) |
    (b.quirks ? Page.PAGE_QUIRKS : 0);
  setPart(header, Page.PAGE_FLAGS, flags);
  clearNames();
}

/** Clears the open elements and the names of a page that has too many nodes. */
function refusePage(): bool {
  for (let element = b.top; element >= b.bottom; element -= Page.ELEMENT_BYTES)
    setInnermost(keyOf(element), 0);
  clearNames();
  return false;
}

/** Adds the token that starts at a position to the tree, and returns its end. */
function takeToken(start: u32): u32 {
  const bucket = nextTag(start);
  const at = b.tokenStart;
  if (bucket === NO_TAG || (bucket === OTHER_MARKUP && !isMarkup(at, b.sourceEnd))) {
    return takeText(start, at, b.sourceEnd, true);
  }
  if (at > start) {
    b.wordEnded = 1;
    whiteSpace(start);
  }
  if (bucket === OTHER_MARKUP) return takeOtherMarkup(at);
  b.bucket = bucket;
  b.tag = tagOf(bucket);
  if (isEndTag(bucket)) {
    const end = b.tokenEnd;
    endTag();
    return end;
  }
  const end = b.tokenEnd;
  startTag();
  return b.rawTag ? takeRaw(end) : end;
}

/**
 * Adds text up to `limit`, or with `stop` up to the next markup; its words are appended to the page's text.
 * The space before a word is written with the word. The byte at `limit` is a `<` or a zero; before
 * `wordsFrom` there is only white space. Returns the end of the text.
 */
function takeText(start: u32, wordsFrom: u32, limit: u32, stop: bool): u32 {
  const textEnd = b.textEnd;
  const isSpaced = u32((wordsFrom > start || b.wordEnded !== 0) && textEnd > b.text);
  const wordsStart = textEnd + isSpaced;
  const at = collapse(wordsFrom, wordsStart, limit, stop);
  const wordsEnd = b.wordsEnd;
  const spaceFollows = b.spaceFollows;
  if (wordsEnd === wordsStart) {
    if (at > start) {
      b.wordEnded = 1;
      whiteSpace(start);
    }
    return at;
  }
  const nodeCount = b.nodeCount;
  const top = b.top;
  if (!prepareText(wordsFrom)) return at;
  // elements implied by the text start at its first word, and a column group ends there
  insertText(b.nodeCount === nodeCount && b.top === top ? start : wordsFrom, at);
  if (!b.hiddenDepth) {
    if (isSpaced) store<u8>(textEnd, Bytes.SPACE);
    b.textEnd = wordsEnd;
    b.wordEnded = spaceFollows;
  }
  return at;
}

/** Adds a tag with a name unknown to HTML, a comment or a declaration, and returns its end. */
function takeOtherMarkup(start: u32): u32 {
  const next: u32 = load<u8>(start, 1);
  if (next === 0x21) return takeDeclaration(start);
  if (next === 0x3f) return takeComment(DECLARATION, start, Bytes.declarationEnd(start));
  if (next !== Bytes.SLASH) {
    if (!scanForeignTag(start, start + 1)) return b.sourceEnd;
    const end = b.tokenEnd;
    startTag();
    return b.rawTag ? takeRaw(end) : end;
  }
  if (Bytes.isLetter(load<u8>(start, 2))) {
    if (!scanForeignTag(start, start + 2)) return b.sourceEnd;
    const end = b.tokenEnd;
    endTag();
    return end;
  }
  if (load<u8>(start, 2) === Bytes.GREATER) return start + 3;
  return takeComment(COMMENT, start, Bytes.declarationEnd(start));
}

/** Adds markup that starts with `<!`, and returns its end. */
function takeDeclaration(start: u32): u32 {
  if (load<u8>(start, 2) === Bytes.DASH && load<u8>(start, 3) === Bytes.DASH) {
    return takeComment(COMMENT, start, Bytes.commentEnd(start + 4));
  }
  if (Bytes.startsWith(start + 2, 'doctype')) {
    const end = Bytes.declarationEnd(start);
    // only a doctype at the very start decides about quirks mode
    if (b.mode === Mode.INITIAL) {
      b.quirks = u32(isQuirksDoctype(start, end));
      b.mode = Mode.BEFORE_HTML;
    }
    return takeComment(DECLARATION, start, end);
  }
  if (currentFlags() & FOREIGN && Bytes.startsWith(start + 2, '[cdata[')) {
    let end = Bytes.findByte(start + 11, Bytes.GREATER);
    while (end < b.sourceEnd && load<u16>(end - 2) !== 0x5d5d) end = Bytes.findByte(end + 1, Bytes.GREATER);
    const isEnded = end < b.sourceEnd;
    if (isEnded) end -= 2;
    // during the scan a zero replaces the bracket at the end
    const bracket = load<u8>(end);
    store<u8>(end, 0);
    takeText(start + 9, Bytes.skipSpace(start + 9), end, false);
    store<u8>(end, bracket);
    return isEnded ? end + 3 : b.sourceEnd;
  }
  return takeComment(COMMENT, start, Bytes.declarationEnd(start));
}

function takeComment(kind: u32, start: u32, end: u32): u32 {
  hashBytes(start, end);
  insertComment(kind, start, end);
  return end;
}

/** Adds the content of the raw element just opened and its end tag, and returns the end of the tag. */
function takeRaw(start: u32): u32 {
  const tag = b.rawTag;
  const contentEnd = tag === Tag.plaintext ? b.sourceEnd : Bytes.rawEnd(start, tag);
  const wordsFrom = Bytes.skipSpace(start);
  if (!(flagsOf(tag) & HIDDEN)) takeText(start, wordsFrom, contentEnd, false);
  else if (wordsFrom < contentEnd) {
    hashBytes(start, contentEnd);
    insertText(start, contentEnd);
  }

  // the end tag, or the end of the source
  let end = contentEnd;
  if (contentEnd < b.sourceEnd) {
    end = scanAttributes(contentEnd, contentEnd + 2 + nameSize(tag), UNCACHED_BUCKET);
    if (!end) end = b.sourceEnd;
  }
  b.rawTag = 0;
  pop(end);
  // raw elements after </head>, or after </html> of a frameset page, extend the head or html element
  if (b.mode === Mode.AFTER_HEAD) b.headEnd = end;
  else if (b.mode === Mode.AFTER_AFTER_FRAMESET) b.htmlEnd = end;
  return end;
}
