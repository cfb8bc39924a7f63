/**
 * What WebAssembly knows about tags: a table in the memory that is shared, 64 bytes for each of HTML's own names. A start tag of a kind that is not 0 is plain unless something that it would close stands open.
 */
import {
  ANCHOR,
  BLOCKS,
  BUTTON,
  endGroup,
  FORM,
  FORMATTING,
  HEADINGS,
  INPUT,
  ITEMS,
  LIST_ITEM,
  OTHER,
  PREFORMATTED,
  RULE,
  SOURCES,
  startGroup,
  TABLE,
  VOIDS,
} from './body-groups.ts';
import { IN_BODY, IN_CELL, IN_ROW, IN_TABLE, IN_TABLE_BODY } from './construction.ts';
import { hashName, nameHigh, nameLow } from './hashes.ts';
import { BARE_PLACE, NAME_SLOT_BITS, NAMES_AT, SOURCE_AT, TAG_BITS, TAGS_AT } from './kernel-layout.ts';
import { HREF_AT } from './known-tags.ts';
import { TAG, TAG_FLAGS, tagsOf } from './tag-names.ts';

// kinds: what a start tag does; first those that stand in content
const OPENS = 1;
export const FORMATS = 2;
export const IS_VOID = 3;
export const IS_BUTTON = 4;
/** Of SVG: see plain-drawing.ts. */
export const IS_DRAWN = 5;
// these end a paragraph too
export const ENDS_PARAGRAPH = 6;
export const IS_ITEM = 7;
export const IS_HEADING = 8;
export const IS_RULE = 9;
export const IS_FORM = 10;
// these stand in the head, too
export const IS_HEAD_VOID = 11;
export const IS_RAW = 12;
// these are a table and its parts, from the inside out: see plain-table.ts
export const IS_CELL = 13;
const IS_ROW = 14;
export const IS_SECTION = 15;
export const IS_TABLE = 16;

// places in a tag's entry of the table, in bytes
export const TAG_FLAGS_AT = 0;
export const TAG_KIND_AT = 4;
/** Lanes of its name. */
export const TAG_LANES_AT = 8;
/** Bytes of its name: how many, and sixteen of them, zeros after the last. */
export const TAG_SIZE_AT = 16;
/** Insertion mode inside the element when it is the innermost that says; -1 for one that is not plain, 0 for none. */
export const TAG_MODE_AT = 20;
/** Whether its end tag ends an li, p or their like that it directly holds, too. */
export const TAG_ENDS_HELD_AT = 24;
/** Whether its element is plain inside a drawing. */
export const TAG_DRAWN_AT = 28;
export const TAG_NAME_AT = 32;

/** Odd numbers that the two halves of a name's bytes are multiplied with; the top bits of the sum are its slot. */
export const NAME_FACTORS = [0x9e3779b97f4a7c15n, 0xc2b2ae3d27d4eb4fn] as const;

const KIND_OF_GROUP: Readonly<Record<number, number>> = {
  [OTHER]: OPENS,
  [BLOCKS]: ENDS_PARAGRAPH,
  [FORMATTING]: FORMATS,
  [ANCHOR]: FORMATS,
  [ITEMS]: IS_ITEM,
  [VOIDS]: IS_VOID,
  [SOURCES]: IS_VOID,
  [INPUT]: IS_VOID,
  [HEADINGS]: IS_HEADING,
  [TABLE]: IS_TABLE,
  [RULE]: IS_RULE,
  [PREFORMATTED]: ENDS_PARAGRAPH,
  [FORM]: IS_FORM,
  [BUTTON]: IS_BUTTON,
};
const KIND_OF_TAG = new Map([
  ...ofKind(IS_HEAD_VOID, 'link meta base basefont bgsound'),
  ...ofKind(IS_RAW, 'script style title noframes'),
  ...ofKind(IS_DRAWN, 'svg'),
  ...ofKind(IS_CELL, 'td th'),
  ...ofKind(IS_ROW, 'tr'),
  ...ofKind(IS_SECTION, 'tbody thead tfoot'),
]);
const DRAWN = new Set(
  tagsOf(
    'svg g path use circle rect line polygon polyline ellipse defs symbol clippath lineargradient stop mask',
  ),
);
const MODE_INSIDE = new Map([
  ...ofKind(IN_CELL, 'td th'),
  ...ofKind(IN_ROW, 'tr'),
  ...ofKind(IN_TABLE_BODY, 'tbody thead tfoot'),
  ...ofKind(IN_TABLE, 'table'),
  ...ofKind(IN_BODY, 'body'),
  ...ofKind(-1, 'caption colgroup select template head frameset html'),
]);

function ofKind(kind: number, names: string): [tag: number, kind: number][] {
  return tagsOf(names).map((tag) => [tag, kind]);
}

/** Fills the table, and the slots in which tags are found by name. */
export function fillTags(memory: ArrayBuffer): void {
  const words = new Int32Array(memory, 0, SOURCE_AT >> 2);
  words[(BARE_PLACE + HREF_AT) >> 2] = -1;
  const slots = new Uint8Array(memory, NAMES_AT, 1 << NAME_SLOT_BITS);
  for (const [name, tag] of Object.entries(TAG)) {
    const at = (TAGS_AT + (tag << TAG_BITS)) >> 2;
    const hash = hashName(name);
    words[at + (TAG_FLAGS_AT >> 2)] = TAG_FLAGS[tag];
    words[at + (TAG_KIND_AT >> 2)] = KIND_OF_TAG.get(tag) ?? KIND_OF_GROUP[startGroup[tag]] ?? 0;
    words[at + (TAG_LANES_AT >> 2)] = nameLow(hash);
    words[at + (TAG_LANES_AT >> 2) + 1] = nameHigh(hash, name.length);
    words[at + (TAG_SIZE_AT >> 2)] = name.length;
    words[at + (TAG_MODE_AT >> 2)] = MODE_INSIDE.get(tag) ?? 0;
    words[at + (TAG_DRAWN_AT >> 2)] = DRAWN.has(tag) ? 1 : 0;
    const ending = endGroup[tag];
    words[at + (TAG_ENDS_HELD_AT >> 2)] =
      ending === BLOCKS || ending === ITEMS || ending === LIST_ITEM ? 1 : 0;
    const bytes = new DataView(memory, (at << 2) + TAG_NAME_AT, 16);
    for (let i = 0; i < name.length; i++) bytes.setUint8(i, name.charCodeAt(i));
    let slot = slotOf(bytes);
    while (slots[slot] !== 0) slot = (slot + 1) % slots.length;
    slots[slot] = tag;
  }
}

function slotOf(name: DataView): number {
  const [factor, otherFactor] = NAME_FACTORS;
  const sum = name.getBigUint64(0, true) * factor + name.getBigUint64(8, true) * otherFactor;
  return Number(BigInt.asUintN(64, sum) >> BigInt(64 - NAME_SLOT_BITS));
}
