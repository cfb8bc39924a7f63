/**
 * Reads what a page declares about itself outside its text (title, og:title, description, URL and JSON-LD) as
 * sets of hashed words, with which blocks are compared.
 */
import * as Blocks from '../block-layout.ts';
import * as Page from '../layout.ts';
import { word } from './block-records';
import { listWords } from './block-text';
import { mix32 } from './hash';

const ELEMENT: u32 = 1;
const TAG_TITLE: u32 = 45;
const TAG_META: u32 = 46;
const TAG_SCRIPT: u32 = 43;
/** Maximum bytes of a JSON-LD script that are read. */
const MAX_LD_BYTES: u32 = 200_000;

/** Returns the address of a set of words. */
export function setAt(blocks: u32, set: u32): u32 {
  return load<u32>(blocks + (Blocks.BLOCKS_WORD_SETS << 2)) + set * Blocks.SMALL_SET_BYTES;
}

/** Returns the number of words in a set. */
export function setSize(set: u32): u32 {
  return load<u32>(set);
}

function clear(set: u32, buckets: u32, bytes: u32): void {
  if (load<u32>(set) !== 0 || load<u32>(set, 4) === 0) memory.fill(set, 0, bytes);
  store<u32>(set, 0);
  store<u32>(set, buckets - 1, 4);
}

function addWord(set: u32, hash: u32): void {
  const mask = load<u32>(set, 4);
  if (load<u32>(set) > mask >> 1) return;
  let index = mix32(hash) & mask;
  while (true) {
    const bucket = set + Blocks.SET_HEADER_BYTES + (index << 3);
    const known = load<u32>(bucket);
    if (known === hash) return;
    if (known === 0) {
      store<u32>(bucket, hash);
      store<u32>(bucket, 0, 4);
      store<u32>(set, load<u32>(set) + 1);
      return;
    }
    index = (index + 1) & mask;
  }
}

/** Returns the bucket of a word in a set, or 0. */
export function findWord(set: u32, hash: u32): u32 {
  const mask = load<u32>(set, 4);
  let index = mix32(hash) & mask;
  while (true) {
    const bucket = set + Blocks.SET_HEADER_BYTES + (index << 3);
    const known = load<u32>(bucket);
    if (known === hash) return bucket;
    if (known === 0) return 0;
    index = (index + 1) & mask;
  }
}

/** Returns the hash of three consecutive words. */
export function runHash(words: u32): u32 {
  return mix32(load<u32>(words) + mix32(load<u32>(words, 4) + mix32(load<u32>(words, 8)))) | 1;
}

/** Fills the sets, the types of JSON-LD and the og:type of a page. Its blocks must have been found. */
export function describePage(blocks: u32, page: u32): void {
  for (let set: u32 = 0; set < <u32>Blocks.SET_LD_TEXT; set++)
    clear(setAt(blocks, set), Blocks.SMALL_SET_BUCKETS, Blocks.SMALL_SET_BYTES);
  clear(setAt(blocks, Blocks.SET_LD_TEXT), Blocks.LARGE_SET_BUCKETS, Blocks.LARGE_SET_BYTES);
  store<u32>(blocks, 0, Blocks.BLOCKS_LD_TYPES << 2);
  store<u32>(blocks, 0, Blocks.BLOCKS_OG_TYPE << 2);
  const source = word(page, Page.PAGE_SOURCE);
  const count = word(page, Page.PAGE_NODE_COUNT);
  const kinds = word(page, Page.PAGE_KIND);
  const names = word(page, Page.PAGE_NAME);
  for (let node: u32 = 1; node < count; node++) {
    if (load<u8>(kinds + node) !== ELEMENT) continue;
    const tag: u32 = load<u16>(names + (node << 1));
    if (tag - TAG_SCRIPT > 3) continue;
    const start = source + load<u32>(word(page, Page.PAGE_START) + (node << 2));
    const openEnd = source + load<u32>(word(page, Page.PAGE_OPEN_END) + (node << 2));
    const end = source + load<u32>(word(page, Page.PAGE_END) + (node << 2));
    if (tag === TAG_TITLE && setSize(setAt(blocks, Blocks.SET_TITLE)) === 0)
      addText(blocks, Blocks.SET_TITLE, openEnd, contentEnd(openEnd, end));
    else if (tag === TAG_META) readMeta(blocks, start, openEnd);
    else if (tag === TAG_SCRIPT && findBytes(start, openEnd, 0x6a2b646c /* ld+j */) !== 0)
      readLinkedData(blocks, openEnd, min(end, openEnd + MAX_LD_BYTES));
  }
  addText(
    blocks,
    Blocks.SET_PATH,
    load<u32>(blocks + (Blocks.BLOCKS_PATH << 2)),
    load<u32>(blocks + (Blocks.BLOCKS_PATH_END << 2)),
  );
}

/** Returns the start of the end tag of an element that contains only text. */
function contentEnd(start: u32, end: u32): u32 {
  let at = end;
  while (at > start && load<u8>(at - 1) !== 0x3c) at--;
  return at > start ? at - 1 : end;
}

/** Adds the words of a text to a set, or its runs of three words. */
function addText(blocks: u32, set: u32, start: u32, end: u32): void {
  const scratch =
    load<u32>(blocks + (Blocks.BLOCKS_RECORDS << 2)) +
    load<u32>(blocks + (Blocks.BLOCKS_COUNT << 2)) * (Blocks.BLOCK_RECORD_WORDS << 2);
  const words =
    load<u32>(blocks + (Blocks.BLOCKS_WORDS << 2)) +
    (load<u32>(blocks + (Blocks.BLOCKS_WORD_COUNT << 2)) << 2);
  const wordsEnd = listWords(scratch, start, end, words);
  const at = setAt(blocks, set);
  if (set < <u32>Blocks.SET_DESCRIPTION) {
    for (let word = words; word < wordsEnd; word += 4) addWord(at, load<u32>(word));
  } else {
    for (let word = words; word + 8 < wordsEnd; word += 4) addWord(at, runHash(word));
  }
}

/** Returns the address of four bytes, or 0. */
function findBytes(start: u32, end: u32, four: u32): u32 {
  for (let at = start; at + 4 <= end; at++) if (load<u32>(at) === four) return at;
  return 0;
}

function readMeta(blocks: u32, start: u32, end: u32): void {
  const content = attributeValue(start, end, 0x746e6f63);
  if (content === 0) return;
  const contentEnd = valueEnd;
  let name = attributeValue(start, end, 0x656d616e);
  if (name === 0) name = attributeValue(start, end, 0x706f7270);
  if (name === 0) return;
  const nameEnd = valueEnd;
  const size = nameEnd - name;
  if (size < 7) return;
  const last = load<u32>(nameEnd - 4) | 0x20202020;
  if (last === 0x6e6f6974 /* tion */ && (load<u32>(nameEnd - 8) | 0x20202020) === 0x70697263 /* crip */)
    addText(blocks, Blocks.SET_DESCRIPTION, content, contentEnd);
  else if (size === 8 && load<u32>(name) === 0x743a676f /* og:t */) {
    if (last === 0x656c7469 /* itle */) addText(blocks, Blocks.SET_OG_TITLE, content, contentEnd);
  } else if (size === 7 && load<u32>(name) === 0x743a676f /* og:t, type */) {
    const first = load<u32>(content) | 0x20202020;
    const number = first === 0x69747261 ? 1 : first === 0x73626577 ? 2 : first === 0x646f7270 ? 3 : 4;
    store<u32>(blocks, number, Blocks.BLOCKS_OG_TYPE << 2);
  }
}

let valueEnd: u32 = 0;

/**
 * Returns the start of the value of the attribute whose name starts with these four letters, or 0; sets
 * `valueEnd`.
 */
function attributeValue(start: u32, end: u32, four: u32): u32 {
  let at = start + 1;
  while (at < end && load<u8>(at) > 0x20) at++;
  while (at < end) {
    while (at < end && (load<u8>(at) <= 0x20 || load<u8>(at) === 0x2f)) at++;
    const name = at++;
    while (at < end && load<u8>(at) > 0x20 && load<u8>(at) !== 0x3d && load<u8>(at) !== 0x3e) at++;
    const isWanted = (load<u32>(name) | 0x20202020) === four;
    let value = at;
    while (value < end && load<u8>(value) <= 0x20) value++;
    if (value >= end || load<u8>(value) !== 0x3d) {
      at = max(at, name + 1);
      continue;
    }
    for (value++; value < end && load<u8>(value) <= 0x20; ) value++;
    const quote: u32 = load<u8>(value);
    const isQuoted = quote === 0x22 || quote === 0x27;
    if (isQuoted) value++;
    at = value;
    if (isQuoted) while (at < end && load<u8>(at) !== quote) at++;
    else while (at < end && load<u8>(at) > 0x20 && load<u8>(at) !== 0x3e) at++;
    if (isWanted) {
      valueEnd = at;
      return value;
    }
    at++;
  }
  return 0;
}

/** Reads the types and the long texts of JSON-LD. */
function readLinkedData(blocks: u32, start: u32, end: u32): void {
  for (let at = start; at < end; at++) {
    if (load<u8>(at) !== 0x22) continue;
    const key = at + 1;
    at = stringEnd(key, end);
    let p = at + 1;
    while (p < end && load<u8>(p) <= 0x20) p++;
    if (load<u8>(p) !== 0x3a) continue; // not a key
    for (p++; p < end && (load<u8>(p) <= 0x20 || load<u8>(p) === 0x5b); ) p++;
    if (p >= end || load<u8>(p) !== 0x22) continue;
    const valueStart = p + 1;
    const valueStop = stringEnd(valueStart, end);
    const size = at - key;
    const first = load<u32>(key);
    const isType = size === 5 && first === 0x70797440; /* @typ */
    const isText =
      (size === 11 && first === 0x69747261) /* articleBody */ ||
      (size === 10 && first === 0x69766572) /* reviewBody */ ||
      (size === 4 && first === 0x74786574) /* text */ ||
      (size === 11 && first === 0x63736564); /* description */
    if (isType) readType(blocks, valueStart, valueStop);
    else if (isText && valueStop - valueStart >= 20) {
      const scratch = load<u32>(blocks + (Blocks.BLOCKS_SCRATCH << 2));
      addText(blocks, Blocks.SET_LD_TEXT, scratch, copyUnescaped(valueStart, valueStop, scratch));
    }
    at = valueStop;
  }
}

function stringEnd(start: u32, end: u32): u32 {
  let at = start;
  while (at < end && load<u8>(at) !== 0x22) at += load<u8>(at) === 0x5c ? 2 : 1;
  return min(at, end);
}

/** Copies a JSON string without its escapes and returns the end of the copy. Tags become spaces. */
function copyUnescaped(start: u32, end: u32, out: u32): u32 {
  for (let at = start; at < end; at++) {
    const byte: u32 = load<u8>(at);
    if (byte === 0x3c) {
      while (at < end && load<u8>(at) !== 0x3e) at++;
      store<u8>(out++, 0x20);
    } else if (byte !== 0x5c) store<u8>(out++, byte);
    else {
      const next: u32 = load<u8>(++at);
      if (next === 0x75 && at + 4 < end) {
        let code: u32 = 0;
        for (let k: u32 = 1; k <= 4; k++) {
          const digit: u32 = load<u8>(at + k);
          code = code * 16 + (digit - 0x30 < 10 ? digit - 0x30 : ((digit | 0x20) - 0x57) & 15);
        }
        at += 4;
        out = writeCharacter(code, out);
      } else store<u8>(out++, next === 0x6e || next === 0x74 || next === 0x72 ? 0x20 : next);
    }
  }
  return out;
}

function writeCharacter(code: u32, out: u32): u32 {
  if (code < 0x80) {
    store<u8>(out, code);
    return out + 1;
  }
  if (code < 0x800) {
    store<u8>(out, 0xc0 | (code >> 6));
    store<u8>(out, 0x80 | (code & 0x3f), 1);
    return out + 2;
  }
  store<u8>(out, 0xe0 | (code >> 12));
  store<u8>(out, 0x80 | ((code >> 6) & 0x3f), 1);
  store<u8>(out, 0x80 | (code & 0x3f), 2);
  return out + 3;
}

function readType(blocks: u32, start: u32, end: u32): void {
  let bits = load<u32>(blocks + (Blocks.BLOCKS_LD_TYPES << 2));
  for (let at = start; at + 4 <= end; at++) {
    const four = load<u32>(at) | 0x20202020;
    if (four === 0x69747261 /* arti */ || four === 0x676f6c62 /* blog */) bits |= Blocks.LD_ARTICLE;
    else if (four === 0x646f7270 /* prod */) bits |= Blocks.LD_PRODUCT;
    else if (four === 0x6d657469 /* item */ || four === 0x6c6c6f63 /* coll */) bits |= Blocks.LD_LIST;
    else if (four === 0x63736964 /* disc */ || four === 0x61706171 /* qapa */) bits |= Blocks.LD_FORUM;
  }
  store<u32>(blocks, bits, Blocks.BLOCKS_LD_TYPES << 2);
}
