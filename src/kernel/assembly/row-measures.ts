/**
 * Measures words, punctuation and links of every row, including the rows inside it. Each text and element is
 * added to its row; then rows are added to their parents. The measures do not depend on the language: words
 * are runs of letters and digits, two characters of a script without spaces count as one word, and stops and
 * commas are those of any script.
 *
 * Cost: one walk over the nodes and one over the bytes of the text; two over the rows.
 */
import * as Features from '../feature-layout.ts';
import * as Page from '../layout.ts';
import { ELEMENT, TEXT } from './builder.ts';
import * as Records from './feature-records';
import { linkKind, SAME_PAGE, SAME_SITE } from './link-kinds';
import { counts, scanText } from './text-scanner';

/** Minimum words outside links of a block that is prose, if it has a stop or a comma. */
const PROSE_WORDS: f64 = 12;

/** Fills the sums of the rows. The title must have been scanned. */
export function measureRows(features: u32, page: u32, rowCount: u32): void {
  const textsEnd = readNodes(features, page);
  findProse(features, textsEnd, rowCount);
  addUp(features, rowCount);
}

/**
 * Measures each row itself, except prose, for which whole blocks must be known. Returns the end of the texts.
 */
function readNodes(features: u32, page: u32): u32 {
  const nodeCount = Records.word(page, Page.PAGE_NODE_COUNT);
  const kinds = Records.word(page, Page.PAGE_KIND);
  const tags = Records.word(page, Page.PAGE_NAME);
  const parents = Records.word(page, Page.PAGE_PARENT);
  const lasts = Records.word(page, Page.PAGE_LAST);
  const text = Records.word(page, Page.PAGE_TEXT);
  const textStarts = Records.word(page, Page.PAGE_TEXT_START);
  const source = Records.word(page, Page.PAGE_SOURCE);
  const linkNodes = Records.word(page, Page.PAGE_LINK_NODE);
  const linkCount = Records.word(page, Page.PAGE_LINK_COUNT);
  let texts = Records.word(features, Features.FEATURES_TEXTS);
  let link: u32 = 0;
  let linkEnd: u32 = 0;
  let headingEnd: u32 = 0;
  let pageWords: f64 = 0;
  for (let node: u32 = 0; node < nodeCount; node++) {
    const own = Records.nodeRecord(features, node);
    const row = changetype<Records.Row>(own.row);
    const kind: u32 = load<u8>(kinds + node);
    if (kind === TEXT) {
      const start = Records.word(textStarts, node);
      const end = Records.word(textStarts, node + 1);
      if (start === end) continue;
      const blockAt = Records.nodeRecord(features, Records.word(parents, node)).block;
      const block = changetype<Records.NodeRecord>(blockAt);
      scanText(text + start, text + end);
      const words = counts.words;
      row.letters += <f64>counts.letters;
      row.stops += <f64>counts.stops;
      row.commas += <f64>counts.commas;
      row.digits += <f64>counts.digits;
      row.signs += <f64>counts.signs;
      block.marks += counts.stops + counts.commas;
      if (words === 0) continue;
      pageWords += words;
      row.words += words;
      row.titleWords += <f64>counts.titleWords;
      row.titleBits |= counts.titleBits;
      if (block.words === 0) row.blocks++;
      block.words += <f32>words;
      const isLinked = node < linkEnd;
      if (isLinked) {
        row.linkWords += words;
        block.linkWords += <f32>words;
      }
      if (node < headingEnd) row.headingWords += words;
      if (block.flags & Records.IS_PARAGRAPH) row.paragraphWords += words;
      const record = changetype<Records.TextRecord>(texts);
      record.node = node;
      record.block = blockAt;
      record.plainWords = isLinked ? 0 : <f32>words;
      texts += Features.TEXT_RECORD_BYTES;
      continue;
    }
    const tag = Records.tagBits(features, load<u16>(tags + (node << 1)));
    if (node === 0 || tag & Features.TAG_BLOCK) {
      own.block = changetype<u32>(own);
      if (tag & Features.TAG_PARAGRAPH) own.flags |= Records.IS_PARAGRAPH;
    } else own.block = Records.nodeRecord(features, Records.word(parents, node)).block;
    if (row.node === node) row.wordsBefore = pageWords;
    if (kind !== ELEMENT) continue;
    if (link < linkCount && Records.word(linkNodes, link) === node) {
      const address = source + Records.word(Records.word(page, Page.PAGE_LINK_START), link);
      const target = linkKind(
        features,
        address,
        source + Records.word(Records.word(page, Page.PAGE_LINK_END), link),
      );
      row.links++;
      if (target >= SAME_SITE) row.siteLinks++;
      if (target === SAME_PAGE) row.pageLinks++;
      link++;
      if (node >= linkEnd) linkEnd = Records.word(lasts, node);
    }
    if (tag & Features.TAG_IMAGE) row.images++;
    else if (tag & Features.TAG_CONTROL) row.controls++;
    else if (tag & Features.TAG_HEADING && node >= headingEnd) headingEnd = Records.word(lasts, node);
  }
  return texts;
}

/** Measures prose and the longest block of each row itself. */
function findProse(features: u32, textsEnd: u32, rowCount: u32): void {
  let pageProse: f64 = 0;
  let next: u32 = 0; // the first row that has not begun
  for (
    let at = Records.word(features, Features.FEATURES_TEXTS);
    at < textsEnd;
    at += Features.TEXT_RECORD_BYTES
  ) {
    const text = changetype<Records.TextRecord>(at);
    const block = changetype<Records.NodeRecord>(text.block);
    for (; next < rowCount; next++) {
      const row = Records.rowRecord(features, next);
      if (row.node >= text.node) break;
      row.proseBefore = pageProse;
    }
    const plain = <f64>block.words - <f64>block.linkWords;
    const blockRow = changetype<Records.Row>(block.row);
    if (plain > blockRow.longestBlock) blockRow.longestBlock = <f32>plain;
    if (plain < PROSE_WORDS || block.marks === 0) continue;
    changetype<Records.Row>(Records.nodeRecord(features, text.node).row).proseWords += <f64>text.plainWords;
    pageProse += <f64>text.plainWords;
  }
  for (; next < rowCount; next++) Records.rowRecord(features, next).proseBefore = pageProse;
}

/**
 * Adds rows to their parents, starting at the last, so that the sums of a row are complete when it is added.
 */
function addUp(features: u32, rowCount: u32): void {
  const first = changetype<u32>(Records.rowRecord(features, 0));
  for (
    let at = first + (rowCount - 1) * Features.ROW_RECORD_BYTES;
    at > first;
    at -= Features.ROW_RECORD_BYTES
  ) {
    const row = changetype<Records.Row>(at);
    const parent = changetype<Records.Row>(row.parent);
    for (let sum: u32 = 0; sum < Records.SUM_BYTES; sum += 8) {
      const to = row.parent + sum;
      store<f64>(to, load<f64>(to) + load<f64>(at + sum));
    }
    parent.titleBits |= row.titleBits;
    if (row.longestBlock > parent.longestBlock) parent.longestBlock = row.longestBlock;
  }
}
