/**
 * What the joint detector knows of each element before it looks at text: the block it is in, the tags and roles above
 * it, hashes of its paths, whether it is hidden, and what its class, id and role names weigh.
 */
import * as Blocks from '../block-layout.ts';
import { FIRST_FOREIGN_TAG, PAGE_KIND, PAGE_NAME, PAGE_NODE_COUNT, PAGE_PARENT } from '../layout.ts';
import { word } from './block-records';
import { mix32 } from './hash';
import {
  aboveBits,
  anyWeight,
  classHash,
  nameElement,
  openNames,
  ownHash,
  ownWeight,
  parentWeight,
  roleBits,
} from './read-names';

/** Node kind of elements in the columns of a page. */
export const ELEMENT_KIND: u32 = 1;
/** Node kind of texts in the columns of a page. */
export const TEXT_KIND: u32 = 3;
const ELEMENT_BYTES: u32 = Blocks.ELEMENT_WORDS_SIZE << 2;
const PATH_PRIME: u64 = 0x9e3779b97f4a7c15;

/** Returns the address of the description of an element node. */
export function elementAt(blocks: u32, node: u32): u32 {
  return load<u32>(blocks + (Blocks.BLOCKS_ELEMENTS << 2)) + node * ELEMENT_BYTES;
}

/** Describes the elements of a page, in document order. */
export function describeElements(blocks: u32, page: u32): void {
  const count = word(page, PAGE_NODE_COUNT);
  const kinds = word(page, PAGE_KIND);
  openNames(blocks);
  for (let node: u32 = 0; node < count; node++) {
    const kind: u32 = load<u8>(kinds + node);
    if (kind === ELEMENT_KIND || node === 0) describe(blocks, page, node);
  }
}

function describe(blocks: u32, page: u32, node: u32): void {
  const element = elementAt(blocks, node);
  memory.fill(element, 0, ELEMENT_BYTES);
  store<u32>(element, 0x7fffffff, Blocks.ELEMENT_FIRST << 2);
  store<i32>(element, -1, Blocks.ELEMENT_LAST << 2);
  if (node === 0) {
    store<i32>(element, -1, Blocks.ELEMENT_PARENT << 2);
    return;
  }
  const tags = load<u32>(blocks + (Blocks.BLOCKS_TAGS << 2));
  const tag: u32 = load<u16>(word(page, PAGE_NAME) + (node << 1));
  const isKnown = tag < <u32>FIRST_FOREIGN_TAG;
  const isBlock = isKnown && load<u8>(tags + tag) === Blocks.TAG_BOUNDARY;
  const parentNode = load<u32>(word(page, PAGE_PARENT) + (node << 2));
  const parent = elementAt(blocks, parentNode);
  const tagNumber: u32 = isKnown ? load<u8>(tags + tag, Blocks.TAG_NUMBERS_AT) : 0;
  store<u32>(element, tagNumber | (tag << 8), Blocks.ELEMENT_TAG << 2);

  nameElement(blocks, page, node, tag);
  let above = aboveBits | load<u32>(parent, Blocks.ELEMENT_ABOVE << 2);
  const tagBit: u32 = isKnown ? load<u8>(tags + tag, Blocks.TAG_BITS_AT) : 0;
  if (tagBit !== 0) above |= 1 << (tagBit - 1);
  store<u32>(element, above, Blocks.ELEMENT_ABOVE << 2);
  store<u32>(element, roleBits, Blocks.ELEMENT_ROLES << 2);
  const container = load<u32>(parent, Blocks.ELEMENT_CONTAINER << 2);
  store<u32>(element, isBlock ? node : container, Blocks.ELEMENT_CONTAINER << 2);
  store<u32>(element, container, Blocks.ELEMENT_PARENT << 2);
  store<u32>(element, load<u32>(parent, Blocks.ELEMENT_DEPTH << 2) + u32(isBlock), Blocks.ELEMENT_DEPTH << 2);

  const pathNames: u32 = isKnown ? load<u8>(tags + tag, Blocks.TAG_PATHS_AT) : <u32>Blocks.PATH_ALL_NAMES;
  let nameHash = ownHash;
  if (pathNames === Blocks.PATH_CLASSES) nameHash = classHash;
  else if (pathNames === Blocks.PATH_NO_NAMES) nameHash = 0;
  const own = mix32(nameHash + tag * 0x9e3779b1);
  store<u32>(element, own, Blocks.ELEMENT_OWN << 2);
  store<u64>(
    element,
    (load<u64>(parent, Blocks.ELEMENT_CLASS_PATH << 2) + own) * PATH_PRIME + 1,
    Blocks.ELEMENT_CLASS_PATH << 2,
  );
  store<u64>(
    element,
    (load<u64>(parent, Blocks.ELEMENT_TAG_PATH << 2) + tag) * PATH_PRIME + 1,
    Blocks.ELEMENT_TAG_PATH << 2,
  );

  store<f32>(element, load<f32>(parent, Blocks.ELEMENT_NAMES << 2) + anyWeight, Blocks.ELEMENT_NAMES << 2);
  store<f32>(element, ownWeight, Blocks.ELEMENT_OWN_NAMES << 2);
  store<f32>(element, parentWeight, Blocks.ELEMENT_PARENT_NAMES << 2);
  if (isBlock)
    store<u32>(
      element,
      shapeBucket(blocks, container, mix32(classHash + tag * 0x85ebca6b)),
      Blocks.ELEMENT_SHAPE << 2,
    );
}

/** The bucket of an element's shape: siblings with the same tag and classes share one. */
function shapeBucket(blocks: u32, container: u32, own: u32): u32 {
  return countKey(blocks, mix32(own ^ (container * 0x9e3779b1)));
}

/** Counts a key of the page and returns its bucket. */
export function countKey(blocks: u32, hash: u32): u32 {
  const buckets = load<u32>(blocks + (Blocks.BLOCKS_SHAPES << 2));
  const mask = load<u32>(blocks + (Blocks.BLOCKS_SHAPE_MASK << 2));
  const key = hash | 1;
  let index = key & mask;
  while (true) {
    const bucket = buckets + index * (Blocks.SHAPE_SIZE << 2);
    const known = load<u32>(bucket, Blocks.SHAPE_KEY << 2);
    if (known === key || known === 0) {
      store<u32>(bucket, key, Blocks.SHAPE_KEY << 2);
      store<u32>(bucket, load<u32>(bucket, Blocks.SHAPE_COUNT << 2) + 1, Blocks.SHAPE_COUNT << 2);
      return bucket;
    }
    index = (index + 1) & mask;
  }
}
