/**
 * What WebAssembly knows about tags: a table in the memory that is shared, 64 bytes for each of HTML's own names. A start tag of a kind that is not 0 is plain unless something that it would close stands open.
 */
import { ANCHOR, BLOCKS, FORMATTING, HEADINGS, ITEMS, OTHER, startGroup, VOIDS } from './body-groups.ts';
import { hashName, nameHigh, nameLow } from './hashes.ts';
import { NAME_SLOT_BITS, NAMES_AT, SOURCE_AT, TAG_BITS, TAGS_AT } from './kernel-layout.ts';
import { TAG, TAG_FLAGS } from './tag-names.ts';

// kinds: what a start tag does; those from ENDS_PARAGRAPH on do it too, those from IS_CELL on belong to tables
export const OPENS = 1;
export const FORMATS = 2;
export const IS_VOID = 3;
export const ENDS_PARAGRAPH = 4;
export const IS_ITEM = 5;
export const IS_HEADING = 6;
export const IS_CELL = 7;
export const IS_ROW = 8;

// places in a tag's entry of the table, in bytes
export const TAG_FLAGS_AT = 0;
export const TAG_KIND_AT = 4;
/** Lanes of its name. */
export const TAG_LANES_AT = 8;
/** Bytes of its name: how many, and sixteen of them, zeros after the last. */
export const TAG_SIZE_AT = 16;
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
  [HEADINGS]: IS_HEADING,
};

/** Fills the table, and the slots in which tags are found by name. */
export function fillTags(memory: ArrayBuffer): void {
  const words = new Int32Array(memory, 0, SOURCE_AT >> 2);
  const slots = new Uint8Array(memory, NAMES_AT, 1 << NAME_SLOT_BITS);
  for (const [name, tag] of Object.entries(TAG)) {
    const at = (TAGS_AT + (tag << TAG_BITS)) >> 2;
    const hash = hashName(name);
    words[at + (TAG_FLAGS_AT >> 2)] = TAG_FLAGS[tag];
    words[at + (TAG_KIND_AT >> 2)] = kindOf(tag);
    words[at + (TAG_LANES_AT >> 2)] = nameLow(hash);
    words[at + (TAG_LANES_AT >> 2) + 1] = nameHigh(hash, name.length);
    words[at + (TAG_SIZE_AT >> 2)] = name.length;
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

function kindOf(tag: number): number {
  if (tag === TAG.td || tag === TAG.th) return IS_CELL;
  if (tag === TAG.tr) return IS_ROW;
  return KIND_OF_GROUP[startGroup[tag]] ?? 0;
}
