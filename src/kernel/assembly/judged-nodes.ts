/**
 * Selects the nodes of a page that are judged: elements that are displayed apart from the text around them
 * and are large enough. Smaller ones are part of the nearest judged ancestor and add to its weight
 * (Chakrabarti, Kumar and Punera 2007, section 5.3). So are elements in a line of text, such as a link in a
 * sentence, because removing them would leave holes in sentences. A subtree that is not displayed is judged
 * as a whole if it has text.
 *
 * With `allNodes` every element that is large enough is judged, as in the paper; elements that are not
 * displayed have no area and are part of an ancestor. A page has at most Features.MAX_ROWS rows: the least area is
 * doubled until the page fits.
 */
import * as Features from '../feature-layout.ts';
import { PAGE_KIND, PAGE_LAST, PAGE_NAME, PAGE_NODE_COUNT, PAGE_PARENT, PAGE_TEXT_START } from '../layout.ts';
import { ELEMENT, TEXT } from './builder.ts';
import * as Records from './feature-records';

/** Minimum bytes of text of a subtree that is not displayed but judged. */
const MIN_UNSHOWN_BYTES: u32 = 16;

/**
 * Fills the records of all nodes, and node, parent, weight and area of the rows. Returns the number of rows.
 */
export function judgeNodes(features: u32, page: u32, leastArea: f64, allNodes: bool): u32 {
  copyBoxes(features, page);
  frameNodes(features, page);
  while (true) {
    const count = selectRows(features, page, leastArea, allNodes);
    if (count > 0) return count;
    leastArea = max<f64>(1, leastArea * 2);
  }
}

function copyBoxes(features: u32, page: u32): void {
  let left = Records.word(features, Features.FEATURES_LEFT);
  let top = Records.word(features, Features.FEATURES_TOP);
  let width = Records.word(features, Features.FEATURES_WIDTH);
  let height = Records.word(features, Features.FEATURES_HEIGHT);
  const nodeCount = Records.word(page, PAGE_NODE_COUNT);
  for (let node: u32 = 0; node < nodeCount; node++) {
    const record = Records.nodeRecord(features, node);
    record.left = load<f32>(left);
    record.top = load<f32>(top);
    record.right = record.left + load<f32>(width);
    record.bottom = record.top + load<f32>(height);
    record.flags = load<f32>(width) > 0 && load<f32>(height) > 0 ? Records.HAS_AREA : 0;
    record.words = record.linkWords = 0;
    record.marks = 0;
    left += 4;
    top += 4;
    width += 4;
    height += 4;
  }
}

/**
 * Sets the flags of each node for its content, and gives a parent without area, for example of floats, the
 * box around its children.
 */
function frameNodes(features: u32, page: u32): void {
  const kinds = Records.word(page, PAGE_KIND);
  const names = Records.word(page, PAGE_NAME);
  const parents = Records.word(page, PAGE_PARENT);
  const textStarts = Records.word(page, PAGE_TEXT_START);
  for (let node = Records.word(page, PAGE_NODE_COUNT) - 1; node > 0; node--) {
    const own = Records.nodeRecord(features, node);
    const above = Records.nodeRecord(features, Records.word(parents, node));
    const kind: u32 = load<u8>(kinds + node);
    if (kind === TEXT) {
      if (Records.word(textStarts, node + 1) > Records.word(textStarts, node))
        above.flags |= Records.HOLDS_TEXT;
    } else if (kind === ELEMENT) {
      const isApart = Records.tagBits(features, load<u16>(names + (node << 1))) & Features.TAG_APART;
      if (isApart || own.flags & Records.HOLDS_BLOCK) above.flags |= Records.HOLDS_BLOCK;
    }
    if (own.right <= own.left || own.bottom <= own.top || above.flags & Records.HAS_AREA) continue;
    if (above.right <= above.left || above.bottom <= above.top) {
      above.left = own.left;
      above.top = own.top;
      above.right = own.right;
      above.bottom = own.bottom;
    } else {
      above.left = min<f32>(above.left, own.left);
      above.top = min<f32>(above.top, own.top);
      above.right = max<f32>(above.right, own.right);
      above.bottom = max<f32>(above.bottom, own.bottom);
    }
  }
}

/** Selects the rows and returns their number; 0 if there are too many. */
function selectRows(features: u32, page: u32, leastArea: f64, allNodes: bool): u32 {
  const nodeCount = Records.word(page, PAGE_NODE_COUNT);
  const kinds = Records.word(page, PAGE_KIND);
  const names = Records.word(page, PAGE_NAME);
  const parents = Records.word(page, PAGE_PARENT);
  const lasts = Records.word(page, PAGE_LAST);
  const textStarts = Records.word(page, PAGE_TEXT_START);
  const root = Records.nodeRecord(features, 0);
  root.row = Records.word(features, Features.FEATURES_ROWS);
  openRow(changetype<Records.Row>(root.row), 0, 0, areaOf(root));
  let count: u32 = 1;
  let skipEnd: u32 = 0;
  for (let node: u32 = 1; node < nodeCount; node++) {
    const own = Records.nodeRecord(features, node);
    const parent = Records.word(parents, node);
    const above = Records.nodeRecord(features, parent);
    const rowAbove = changetype<Records.Row>(above.row);
    own.row = above.row;
    rowAbove.weight++;
    if (load<u8>(kinds + node) !== ELEMENT || node < skipEnd) continue;
    const tag = Records.tagBits(features, load<u16>(names + (node << 1)));
    if (tag & Features.TAG_UNSHOWN) continue;
    const area = areaOf(own);
    const last = Records.word(lasts, node);
    const textBytes = Records.word(textStarts, last) - Records.word(textStarts, node);
    if (allNodes) {
      if (area === 0 || area < leastArea) continue;
    } else if (area === 0) {
      // one row for the whole subtree that is not displayed
      skipEnd = last;
      if (textBytes < MIN_UNSHOWN_BYTES) continue;
    } else if (area < leastArea) continue;
    else if (!(tag & Features.TAG_APART) && !(own.flags & Records.HOLDS_BLOCK)) {
      // inline elements are judged if only elements of their kind are beside them
      const textBytesAbove =
        Records.word(textStarts, Records.word(lasts, parent)) - Records.word(textStarts, parent);
      if (above.flags & Records.HOLDS_TEXT || textBytes >= textBytesAbove) continue;
    }
    if (count === Features.MAX_ROWS) return 0;
    rowAbove.weight--;
    const row = Records.rowRecord(features, count++);
    openRow(row, node, own.row, area);
    own.row = changetype<u32>(row);
  }
  return count;
}

function areaOf(record: Records.NodeRecord): f64 {
  const width = <f64>record.right - <f64>record.left;
  const height = <f64>record.bottom - <f64>record.top;
  return max<f64>(0, width * height);
}

function openRow(row: Records.Row, node: u32, parent: u32, area: f64): void {
  memory.fill(changetype<usize>(row), 0, Features.ROW_RECORD_BYTES);
  row.node = node;
  row.parent = parent;
  row.weight = 1;
  row.area = <f32>area;
}
