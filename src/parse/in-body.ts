/**
 * The insertion mode "in body", which most of a page is in, and which the others fall back to.
 */
import { runAdoptionAgency } from './adoption.ts';
import { attributeEquals } from './attributes.ts';
import {
  ANCHOR,
  BLOCKS,
  BODY,
  BREAK,
  BUTTON,
  endGroup,
  FOREIGN_ROOT,
  FORM,
  FORMATTING,
  FRAMESET,
  HEAD_CONTENT,
  HEADINGS,
  HTML,
  IMAGE,
  INPUT,
  ITEMS,
  LIST_ITEM,
  NOBR,
  OBJECTS,
  OPTIONS,
  OTHER,
  PARAGRAPH,
  PREFORMATTED,
  RAW,
  RUBY_BASE,
  RUBY_TEXT,
  RULE,
  SELECT,
  SOURCES,
  startGroup,
  TABLE,
  TEXTAREA,
  VOIDS,
} from './body-groups.ts';
import {
  AFTER_AFTER_BODY,
  AFTER_BODY,
  type Construction,
  IN_CAPTION,
  IN_CELL,
  IN_FRAMESET,
  IN_ROW,
  IN_SELECT,
  IN_SELECT_IN_TABLE,
  IN_TABLE,
  IN_TABLE_BODY,
} from './construction.ts';
import { insertForeignRoot } from './in-foreign.ts';
import { endTemplate, startInHead } from './in-head.ts';
import { ENTRY_SIZE } from './open-elements.ts';
import { HEADING, TAG } from './tag-names.ts';

/** Start tags in body. */
export function startInBody(build: Construction): void {
  const { open, tag } = build;
  switch (startGroup[tag]) {
    case OTHER:
      build.reopenFormatting(build.tokenStart);
      build.insertElement();
      return;
    case BLOCKS:
      build.closeParagraph();
      build.insertElement();
      return;
    case FORMATTING:
      build.reopenFormatting(build.tokenStart);
      build.insertElement();
      build.appendFormatting();
      return;
    case ANCHOR:
      startAnchor(build);
      return;
    case ITEMS:
      startItem(build);
      return;
    case VOIDS:
      build.reopenFormatting(build.tokenStart);
      build.insertVoid();
      build.framesetOk = false;
      return;
    case HEADINGS:
      build.closeParagraph();
      if ((open.currentFlags & HEADING) !== 0) open.pop(build.tokenStart);
      build.insertElement();
      return;
    case HEAD_CONTENT:
      startInHead(build);
      return;
    case TABLE:
      if (!build.quirks) build.closeParagraph();
      build.insertElement();
      build.framesetOk = false;
      build.mode = IN_TABLE;
      return;
    case RULE:
      build.closeParagraph();
      build.insertVoid();
      build.framesetOk = false;
      return;
    case INPUT:
      build.reopenFormatting(build.tokenStart);
      build.insertVoid();
      // most pages have shown something by now
      if (build.framesetOk && !isHiddenInput(build)) build.framesetOk = false;
      return;
    case OPTIONS:
      if (open.currentKey === TAG.option) open.pop(build.tokenStart);
      build.reopenFormatting(build.tokenStart);
      build.insertElement();
      return;
    case PREFORMATTED:
      build.closeParagraph();
      build.insertElement();
      build.framesetOk = false;
      return;
    case FORM:
      startForm(build);
      return;
    case BUTTON:
      if (open.inScope(TAG.button)) build.closeByImplication(TAG.button);
      build.reopenFormatting(build.tokenStart);
      build.insertElement();
      build.framesetOk = false;
      return;
    case SELECT:
      startSelect(build);
      return;
    case TEXTAREA:
      build.insertRaw();
      build.framesetOk = false;
      return;
    case RAW:
      startRaw(build);
      return;
    default:
      startRare(build);
  }
}

/** End tags in body. */
export function endInBody(build: Construction): void {
  const { open, tag } = build;
  switch (endGroup[tag]) {
    case OTHER:
      endOtherTag(build, tag);
      return;
    case BLOCKS:
      if (open.inScope(tag)) build.closeByEndTag(tag);
      return;
    case FORMATTING:
      runAdoptionAgency(build, tag);
      return;
    case PARAGRAPH:
      if (open.inButtonScope(TAG.p)) build.closeByEndTag(TAG.p);
      else {
        build.insertImplied(TAG.p, build.tokenStart);
        open.pop(build.tokenEnd);
      }
      return;
    case LIST_ITEM:
      if (open.inItemScope(TAG.li)) build.closeByEndTag(TAG.li);
      return;
    case ITEMS:
      if (open.inScope(tag)) build.closeByEndTag(tag);
      return;
    case HEADINGS:
      endHeading(build);
      return;
    case BREAK:
      build.reopenFormatting(build.tokenStart);
      build.insertImplied(TAG.br, build.tokenStart);
      open.pop(build.tokenEnd);
      build.framesetOk = false;
      return;
    case FORM:
      endForm(build);
      return;
    case OBJECTS:
      if (!open.inScope(tag)) return;
      build.closeByEndTag(tag);
      build.formatting.clearToMarker();
      return;
    case BODY:
      if (!open.inScope(TAG.body)) return;
      build.bodyEnd = build.tokenEnd;
      build.mode = AFTER_BODY;
      return;
    case HTML:
      if (!open.inScope(TAG.body)) return;
      build.bodyEnd = build.tokenStart;
      build.htmlEnd = build.tokenEnd;
      build.mode = AFTER_AFTER_BODY;
      return;
    default:
      endTemplate(build);
  }
}

/** An end tag without rules of its own: closes the innermost element of its name that no special one hides. */
export function endOtherTag(build: Construction, tag: number): void {
  const { open } = build;
  const index = open.innermost[tag];
  if (index <= 1 || open.hasSpecialAbove(index)) return;
  open.popThrough(index, build.tokenStart, build.tokenEnd);
}

/** Whether the tag at hand is an input that shows nothing. */
export function isHiddenInput(build: Construction): boolean {
  return attributeEquals(build.columns.source, build.tokenStart, build.tokenEnd, 'type', 'hidden');
}

function startAnchor(build: Construction): void {
  const { open, formatting } = build;
  const entry = formatting.find(TAG.a);
  if (entry >= 0) {
    const node = formatting.index[entry] >= 0 ? open.node(formatting.index[entry]) : -1;
    const end = build.tokenEnd;
    build.tokenEnd = build.tokenStart; // an a that ends here ends before this tag
    runAdoptionAgency(build, TAG.a);
    build.tokenEnd = end;
    forgetAnchor(build, entry, node);
  }
  build.reopenFormatting(build.tokenStart);
  build.insertElement();
  build.appendFormatting();
}

/** An a that its successor could not close, being out of scope, still leaves the stack and the list. */
function forgetAnchor(build: Construction, entry: number, node: number): void {
  const { open, formatting } = build;
  if (entry >= formatting.length || formatting.tag[entry] !== TAG.a) return;
  const index = formatting.index[entry];
  if (index >= 0 && open.node(index) !== node) return;
  build.removeFormatting(entry);
  if (index >= 0) open.forget(index, build.tokenStart);
}

function startItem(build: Construction): void {
  const { open, tag } = build;
  build.framesetOk = false;
  const index =
    tag === TAG.li ? open.innermost[TAG.li] : Math.max(open.innermost[TAG.dd], open.innermost[TAG.dt]);
  if (index >= 0 && !open.hasItemBoundaryAbove(index)) {
    open.popThrough(index, build.tokenStart, build.tokenStart);
  }
  build.closeParagraph();
  build.insertElement();
}

function startForm(build: Construction): void {
  const inTemplate = build.open.innermost[TAG.template] >= 0;
  if (build.hasForm && !inTemplate) return;
  build.closeParagraph();
  build.insertElement();
  if (!inTemplate) build.hasForm = true;
}

function endForm(build: Construction): void {
  const { open } = build;
  if (open.innermost[TAG.template] >= 0) {
    if (open.inScope(TAG.form)) build.closeByEndTag(TAG.form);
    return;
  }
  const hadForm = build.hasForm;
  build.hasForm = false;
  if (!hadForm || !open.inScope(TAG.form)) return;
  build.generateImpliedEndTags();
  const index = open.innermost[TAG.form];
  // elements opened in the form and not closed in it hold it open
  if (index === open.depth - 1) open.pop(build.tokenEnd);
  else open.forget(index, build.tokenEnd);
}

function startSelect(build: Construction): void {
  build.reopenFormatting(build.tokenStart);
  build.insertElement();
  build.framesetOk = false;
  const { mode } = build;
  const inTable =
    mode === IN_TABLE || mode === IN_CAPTION || mode === IN_TABLE_BODY || mode === IN_ROW || mode === IN_CELL;
  build.mode = inTable ? IN_SELECT_IN_TABLE : IN_SELECT;
}

function startRaw(build: Construction): void {
  const { tag } = build;
  if (tag === TAG.xmp || tag === TAG.plaintext) build.closeParagraph();
  if (tag === TAG.xmp) build.reopenFormatting(build.tokenStart);
  if (tag === TAG.xmp || tag === TAG.iframe) build.framesetOk = false;
  build.insertRaw();
}

/** Start tags too rare to be worth a place in the first switch. */
function startRare(build: Construction): void {
  const { open, tag } = build;
  switch (startGroup[tag]) {
    case OBJECTS:
      build.reopenFormatting(build.tokenStart);
      build.insertElement();
      build.formatting.insertMarker();
      build.framesetOk = false;
      return;
    case SOURCES:
      build.insertVoid();
      return;
    case RUBY_BASE:
      if (open.inScope(TAG.ruby)) build.generateImpliedEndTags();
      build.insertElement();
      return;
    case RUBY_TEXT:
      if (open.inScope(TAG.ruby)) build.generateImpliedEndTags(TAG.rtc);
      build.insertElement();
      return;
    case NOBR:
      build.reopenFormatting(build.tokenStart);
      if (open.inScope(TAG.nobr)) {
        const end = build.tokenEnd;
        build.tokenEnd = build.tokenStart;
        runAdoptionAgency(build, TAG.nobr);
        build.tokenEnd = end;
        build.reopenFormatting(build.tokenStart);
      }
      build.insertElement();
      build.appendFormatting();
      return;
    case FOREIGN_ROOT:
      build.reopenFormatting(build.tokenStart);
      insertForeignRoot(build);
      return;
    case BODY:
      // a second body tag only adds attributes to the first
      if (open.depth > 2 && open.key(2) === TAG.body) build.framesetOk = false;
      return;
    case FRAMESET:
      startFramesetInBody(build);
      return;
    case IMAGE:
      build.tag = TAG.img;
      startInBody(build);
      return;
    default:
    // html adds attributes to the first one; table parts outside a table are ignored
  }
}

/** A frameset replaces a body that shows nothing so far. */
function startFramesetInBody(build: Construction): void {
  const { open, columns } = build;
  if (!build.framesetOk || open.depth < 3 || open.key(2) !== TAG.body) return;
  const body = open.node(2);
  const html = ENTRY_SIZE;
  const before = open.entries.slice(html, html + ENTRY_SIZE);
  open.popThrough(2, build.tokenStart, build.tokenStart);
  columns.nodeCount = body;
  columns.textLength = columns.textStart[body];
  while (columns.linkCount > 0 && columns.linkNode[columns.linkCount - 1] >= body) columns.linkCount--;
  // html has not folded that body
  open.entries.set(before, html);
  build.formatting.length = 0;
  build.insertElement();
  build.mode = IN_FRAMESET;
}

function endHeading(build: Construction): void {
  const { open } = build;
  let index = -1;
  for (let tag = TAG.h1; tag <= TAG.h6; tag++)
    if (open.inScope(tag)) index = Math.max(index, open.innermost[tag]);
  if (index >= 0) open.popThrough(index, build.tokenStart, build.tokenEnd);
}
