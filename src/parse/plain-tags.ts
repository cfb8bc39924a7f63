/**
 * What plain-code.ts knows about tags: a table in the memory that it shares, four integers for each of HTML's own
 * names. A start tag of a kind that is not 0 is plain unless something that it would close stands open.
 */
import { ANCHOR, BLOCKS, FORMATTING, HEADINGS, ITEMS, OTHER, startGroup, VOIDS } from './body-groups.ts';
import { hashName, nameHigh, nameLow } from './hashes.ts';
import { TAG_BITS, TAGS_AT } from './kernel-layout.ts';
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

const KIND_OF_GROUP: Readonly<Record<number, number>> = {
  [OTHER]: OPENS,
  [BLOCKS]: ENDS_PARAGRAPH,
  [FORMATTING]: FORMATS,
  [ANCHOR]: FORMATS,
  [ITEMS]: IS_ITEM,
  [VOIDS]: IS_VOID,
  [HEADINGS]: IS_HEADING,
};

/** Fills the table. */
export function fillTags(words: Int32Array): void {
  for (const [name, tag] of Object.entries(TAG)) {
    const at = (TAGS_AT + (tag << TAG_BITS)) >> 2;
    const hash = hashName(name);
    words[at + (TAG_FLAGS_AT >> 2)] = TAG_FLAGS[tag];
    words[at + (TAG_KIND_AT >> 2)] = kindOf(tag);
    words[at + (TAG_LANES_AT >> 2)] = nameLow(hash);
    words[at + (TAG_LANES_AT >> 2) + 1] = nameHigh(hash, name.length);
  }
}

function kindOf(tag: number): number {
  if (tag === TAG.td || tag === TAG.th) return IS_CELL;
  if (tag === TAG.tr) return IS_ROW;
  return KIND_OF_GROUP[startGroup[tag]] ?? 0;
}
