/**
 * Computes the features of the rows of a page from their measures and context: the numbers that classifiers
 * read. detect/page/feature-list.ts defines each.
 */
import * as Features from '../feature-layout.ts';
import { PAGE_END, PAGE_LAST, PAGE_START, PAGE_TEXT_START } from '../layout.ts';
import { nodeRecord, Row, rowRecord, word } from './feature-records';
import { judgeNodes } from './judged-nodes';
import { fillContext, ShapeBucket } from './row-context';
import { measureRows } from './row-measures';
import { counts, scanTitle } from './text-scanner';

/** Height of a window in pixels: see layout/boxes.ts. */
const WINDOW_HEIGHT: f64 = 1024;

/** The values of a row, in the order of the list. */
// biome-ignore format: a table
@unmanaged
class Values {
  // those of the paper
  centreX: f32; centreY: f32; centre: f32; marginLeft: f32; marginRight: f32; marginTop: f32; marginBottom: f32;
  area: f32; linksPerWord: f32; anchorShare: f32; anchorWords: f32; sameSite: f32; visibleShare: f32;
  titleCover: f32; titleDensity: f32;
  // size and position
  width: f32; height: f32; top: f32; bottom: f32; isShown: f32;
  // text
  words: f32; ownWords: f32; plainWords: f32; proseWords: f32; longestBlock: f32; wordsPerBlock: f32;
  textShare: f32; plainShare: f32; proseShare: f32; commas: f32; stops: f32; sentenceWords: f32; digits: f32;
  signs: f32; wordLength: f32; headingShare: f32; paragraphShare: f32; images: f32; controls: f32; pageLinks: f32;
  // order and depth
  textBefore: f32; proseBefore: f32; proseAfter: f32; depth: f32; stepsToProse: f32;
  // neighbouring rows
  parentProse: f32; parentAnchorShare: f32; parentShare: f32; parentWidth: f32; parentWords: f32;
  previousWords: f32; previousAnchorShare: f32; previousProse: f32;
  nextWords: f32; nextAnchorShare: f32; nextProse: f32; sameShape: f32; sameShapeShare: f32; siblings: f32;
  // tags of the element, then of the element and all above it, as bits of a tag
  isLink: f32; isHeading: f32; isParagraph: f32; isItem: f32; isList: f32; isTable: f32;
  inNav: f32; inHeader: f32; inFooter: f32; inAside: f32; inMain: f32; inArticle: f32; inForm: f32; inList: f32;
  inTable: f32; inFigure: f32; inHeading: f32;
  // names
  ownName: f32; highestName: f32; lowestName: f32; pathName: f32; innerName: f32;
  // the page
  pageWords: f32; pageAnchorShare: f32; pageProseShare: f32; pageHeight: f32;
  // added later
  parentArea: f32; alikeShare: f32; aboveProse: f32; previousLevel: f32; nextLevel: f32;
}

/** Values that all rows of a page share: its size in pixels, and features of the page. */
@unmanaged
class PageValues {
  width: f64;
  height: f64;
  halfDiagonal: f64;
  logArea: f64;
  words: f32;
  anchorShare: f32;
  proseShare: f32;
  logHeight: f32;
}

const pageValues = changetype<PageValues>(memory.data(64, 8));

/**
 * Selects the nodes of a page to judge by their boxes, and writes the columns of the rows and their features.
 * `pageWidth` and `pageHeight` are in pixels, at least 1. Returns the number of rows.
 */
export function makeFeatures(
  features: u32,
  page: u32,
  pageWidth: f64,
  pageHeight: f64,
  leastArea: f64,
  allNodes: bool,
): u32 {
  const rowCount = judgeNodes(features, page, leastArea, allNodes);
  const title = word(features, Features.FEATURES_TITLE);
  scanTitle(title, title + word(features, Features.FEATURES_TITLE_BYTES));
  measureRows(features, page, rowCount);
  fillContext(features, page, rowCount);
  writeColumns(features, rowCount);

  const whole = rowRecord(features, 0);
  pageValues.width = pageWidth;
  pageValues.height = pageHeight;
  pageValues.halfDiagonal = hypotenuse(pageWidth, pageHeight) / 2;
  pageValues.logArea = Math.log2(pageWidth * pageHeight);
  pageValues.words = log(features, whole.words);
  pageValues.anchorShare = <f32>ratio(whole.linkWords, whole.words);
  pageValues.proseShare = <f32>ratio(whole.proseWords, whole.words);
  pageValues.logHeight = log(features, pageHeight / WINDOW_HEIGHT);
  for (let row: u32 = 0; row < rowCount; row++) writeRow(features, page, row);
  return rowCount;
}

function writeColumns(features: u32, rowCount: u32): void {
  const rows = word(features, Features.FEATURES_ROWS);
  for (let index: u32 = 0; index < rowCount; index++) {
    const row = rowRecord(features, index);
    const parent = row.parent ? (row.parent - rows) / Features.ROW_RECORD_BYTES : <u32>-1;
    store<u32>(word(features, Features.FEATURES_ROW_NODE) + (index << 2), row.node);
    store<u32>(word(features, Features.FEATURES_ROW_PARENT) + (index << 2), parent);
    store<f32>(word(features, Features.FEATURES_ROW_WEIGHT) + (index << 2), row.weight);
    store<f32>(word(features, Features.FEATURES_ROW_AREA) + (index << 2), row.area);
  }
}

function writeRow(features: u32, page: u32, index: u32): void {
  const row = rowRecord(features, index);
  const whole = rowRecord(features, 0);
  const values = valuesOf(features, changetype<u32>(row));
  const node = row.node;
  const words = row.words;
  const plain = words - row.linkWords;
  const pageWords = whole.words;
  const pageProse = whole.proseWords;
  const pageWidth = pageValues.width;
  const pageHeight = pageValues.height;

  // those of the paper
  const box = nodeRecord(features, node);
  const left = <f64>box.left;
  const top = <f64>box.top;
  const right = <f64>box.right;
  const bottom = <f64>box.bottom;
  const x = (left + right) / 2 - pageWidth / 2;
  const y = (top + bottom) / 2 - pageHeight / 2;
  const isShown = row.area > 0;
  values.centreX = isShown ? share(abs(x), pageWidth / 2) : 1;
  values.centreY = isShown ? share(abs(y), pageHeight / 2) : 1;
  values.centre = isShown ? share(hypotenuse(x, y), pageValues.halfDiagonal) : 1;
  values.marginLeft = clip(left / pageWidth);
  values.marginRight = clip((pageWidth - right) / pageWidth);
  values.marginTop = clip(top / pageHeight);
  values.marginBottom = clip((pageHeight - bottom) / pageHeight);
  values.area = <f32>(Math.log2(max<f64>(1, row.area)) - pageValues.logArea);
  values.linksPerWord = <f32>min<f64>(2, ratio(row.links, words));
  values.anchorShare = row.anchorShare;
  values.anchorWords = log(features, ratio(row.linkWords, row.links));
  values.sameSite = <f32>ratio(row.siteLinks, row.links);
  const textStarts = word(page, PAGE_TEXT_START);
  const textBytes = word(textStarts, word(word(page, PAGE_LAST), node)) - word(textStarts, node);
  const htmlBytes = word(word(page, PAGE_END), node) - word(word(page, PAGE_START), node);
  values.visibleShare = <f32>ratio(<f64>textBytes, <f64>htmlBytes);
  values.titleCover = <f32>ratio(<f64>popcnt(row.titleBits), <f64>counts.titleCount);
  values.titleDensity = <f32>ratio(row.titleWords, words);

  // size and position
  values.width = clip((right - left) / pageWidth);
  values.height = log(features, (bottom - top) / WINDOW_HEIGHT);
  values.top = log(features, top / WINDOW_HEIGHT);
  values.bottom = log(features, (pageHeight - bottom) / WINDOW_HEIGHT);
  values.isShown = isShown ? 1 : 0;

  // text
  values.words = log(features, words);
  values.ownWords = log(features, row.ownWords);
  values.plainWords = log(features, plain);
  values.proseWords = log(features, row.proseWords);
  values.longestBlock = log(features, row.longestBlock);
  values.wordsPerBlock = log(features, ratio(words, row.blocks));
  values.textShare = <f32>ratio(words, pageWords);
  values.plainShare = <f32>ratio(plain, pageWords - whole.linkWords);
  values.proseShare = <f32>ratio(row.proseWords, pageProse);
  values.commas = share(row.commas, words);
  values.stops = share(row.stops, words);
  values.sentenceWords = log(features, words / (row.stops + 1));
  values.digits = <f32>ratio(row.digits, row.letters);
  values.signs = share(row.signs, words);
  values.wordLength = <f32>min<f64>(16, ratio(row.letters, words));
  values.headingShare = <f32>ratio(row.headingWords, words);
  values.paragraphShare = <f32>ratio(row.paragraphWords, words);
  values.images = <f32>ratio(row.images, row.images + words);
  values.controls = <f32>ratio(row.controls, row.controls + words);
  values.pageLinks = <f32>ratio(row.pageLinks, row.links);

  // order and depth
  values.textBefore = <f32>ratio(row.wordsBefore, pageWords);
  values.proseBefore = <f32>ratio(row.proseBefore, pageProse);
  values.proseAfter = <f32>ratio(pageProse - (row.proseBefore + row.proseWords), pageProse);
  values.depth = row.depth;
  values.stepsToProse = row.stepsToProse;

  // neighbouring rows; the first row counts as its own parent
  const parentAt = row.parent ? row.parent : changetype<u32>(whole);
  const parent = changetype<Row>(parentAt);
  const ofParent = valuesOf(features, parentAt);
  values.parentProse = ofParent.proseShare;
  values.parentAnchorShare = parent.anchorShare;
  values.parentShare = <f32>ratio(words, parent.words);
  values.parentWidth = ofParent.width;
  values.parentWords = ofParent.words;
  values.previousWords = values.previousAnchorShare = values.previousProse = -1;
  values.nextWords = values.nextAnchorShare = values.nextProse = -1;
  if (row.previous) {
    const ofPrevious = valuesOf(features, row.previous);
    values.previousWords = ofPrevious.words;
    values.previousAnchorShare = ofPrevious.anchorShare;
    values.previousProse = ofPrevious.proseWords;
    ofPrevious.nextWords = values.words;
    ofPrevious.nextAnchorShare = values.anchorShare;
    ofPrevious.nextProse = values.proseWords;
  }
  const shape = changetype<ShapeBucket>(row.shape);
  const siblings = row.parent ? <f64>(parent.children - 1) : 0;
  values.sameShape = log(features, <f64>(shape.count - 1));
  values.sameShapeShare = <f32>ratio(<f64>shape.count, siblings + 1);
  values.siblings = log(features, siblings);

  // tags
  const tags = changetype<u32>(values) + <u32>offsetof<Values>('isLink');
  for (let bit = 0; bit < Features.TAG_BITS; bit++) {
    const bits = bit < Features.OWN_TAG_BITS ? row.ownTags : row.tags;
    store<f32>(tags + (bit << 2), <f32>((bits >> bit) & 1));
  }

  // names
  values.ownName = row.ownName;
  values.highestName = row.highestName;
  values.lowestName = row.lowestName;
  values.pathName = row.pathName;
  values.innerName = row.innerName;

  // the page
  values.pageWords = pageValues.words;
  values.pageAnchorShare = pageValues.anchorShare;
  values.pageProseShare = pageValues.proseShare;
  values.pageHeight = pageValues.logHeight;

  // added later
  values.parentArea = ofParent.area;
  values.alikeShare = <f32>ratio(shape.words, pageWords);
  values.aboveProse = ofParent.parentProse;
  values.previousLevel = log(features, row.nearestBefore);
  values.nextLevel = log(features, row.nearestAfter);
}

/** Returns the values of the row at an address. */
function valuesOf(features: u32, row: u32): Values {
  const index = (row - word(features, Features.FEATURES_ROWS)) / Features.ROW_RECORD_BYTES;
  return changetype<Values>(word(features, Features.FEATURES_VALUES) + index * (Features.FEATURE_COUNT * 4));
}

function ratio(part: f64, whole: f64): f64 {
  return whole > 0 ? part / whole : 0;
}

function share(part: f64, whole: f64): f32 {
  return <f32>min<f64>(1, ratio(part, whole));
}

function clip(value: f64): f32 {
  return value > 0 ? <f32>min<f64>(1, value) : 0;
}

/**
 * Returns the logarithm of one plus a value that is never negative; for counts of words, in halves, from a
 * table.
 */
function log(features: u32, value: f64): f32 {
  const halves = 2 * value;
  if (halves >= 0 && halves < Features.LOGARITHMS) {
    const index = <u32>halves;
    if (<f64>index === halves)
      return <f32>load<f64>(word(features, Features.FEATURES_LOGARITHMS) + (index << 3));
  }
  return value > 0 ? <f32>Math.log2(1 + value) : 0;
}

/** Computes `Math.hypot` of two numbers: the larger side is factored out before squaring. */
function hypotenuse(x: f64, y: f64): f64 {
  const a = abs(x);
  const b = abs(y);
  const most = max(a, b);
  if (most === 0) return 0;
  return sqrt((a / most) * (a / most) + (b / most) * (b / most)) * most;
}
