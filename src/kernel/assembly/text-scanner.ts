/**
 * Counts words, letters and punctuation of a span of detagged text, and the words that it shares with the
 * page's title. It works on UTF-8 of any script: Han, kana and Thai are written without spaces, so two of
 * their characters count as a word; stops and commas are those of Latin, CJK, Arabic and Devanagari. Up to
 * three bytes after the text are read.
 */

/** Largest number of words of a title, so that an integer has a bit for each. */
const MAX_TITLE_WORDS: u32 = 31;
const TITLE_BUCKETS: u32 = 128;
/** Hashes of the title's words, open-addressing, and the number of each word, from 1; 0 in a free bucket. */
const BUCKET_HASHES: u32 = <u32>memory.data(4 * 128, 4);
const BUCKET_NUMBERS: u32 = <u32>memory.data(4 * 128, 4);
/**
 * By the first byte of a word of the title: the sizes in bytes of such words, as bits; a size of 32 counts as
 * 0.
 */
const TITLE_SIZES: u32 = <u32>memory.data(4 * 256, 4);

/** Results of the last scan, and the number of distinct words of the title. */
@unmanaged
class Counts {
  words: f64;
  letters: u32;
  stops: u32;
  commas: u32;
  digits: u32;
  signs: u32;
  titleWords: u32;
  /** A bit for each word of the title that occurs. */
  titleBits: u32;
  titleCount: u32;
  isTitle: bool;
}

/** Results of the last scan. */
export const counts = changetype<Counts>(memory.data(64, 8));

/** Reads the words of the page's title; their number becomes `titleCount`. */
export function scanTitle(start: u32, end: u32): void {
  memory.fill(BUCKET_NUMBERS, 0, 4 * TITLE_BUCKETS);
  memory.fill(TITLE_SIZES, 0, 4 * 256);
  counts.titleCount = 0;
  counts.isTitle = true;
  scanText(start, end);
  counts.isTitle = false;
}

/** Counts the text between two addresses. */
export function scanText(start: u32, end: u32): void {
  let words: f64 = 0;
  let letters: u32 = 0;
  let digits: u32 = 0;
  counts.stops = counts.commas = counts.signs = 0;
  counts.titleWords = counts.titleBits = 0;
  let wordStart = start;
  let wordLength: u32 = 0; // letters of the word so far; 0 outside words
  let unspaced: u32 = 0; // the character before, if it is of a script without spaces
  let p = start;
  while (p < end) {
    // a run of Latin letters, the usual case
    const from = p;
    while (p < end && isLatin(load<u8>(p))) p++;
    if (p > from) {
      if (wordLength === 0) wordStart = from;
      wordLength += p - from;
      letters += p - from;
      if (p === end) break;
    }
    const byte: u32 = load<u8>(p);
    const type = typeOf(byte);
    if (type === DIGIT) {
      if (wordLength === 0) wordStart = p;
      wordLength++;
      letters++;
      digits++;
      p++;
      continue;
    }
    if (type === LEAD && !isMark(p, end)) {
      letters++;
      if (isUnspaced(p)) {
        if (wordLength > 0) {
          words++;
          matchTitleWord(wordStart, p);
          wordLength = 0;
        }
        words += 0.5;
        const character = (byte << 16) | ((<u32>load<u8>(p, 1)) << 8) | load<u8>(p, 2);
        if (unspaced !== 0) matchTitleHash((unspaced * 0x9e3779b1) ^ character);
        unspaced = character;
      } else {
        if (wordLength === 0) wordStart = p;
        wordLength++;
      }
      p += leadBytes(byte);
      continue;
    }

    let after = p + 1;
    if (type === REFERENCE) {
      after = referenceEnd(p, end);
      const isWithinWord = wordLength > 0 && after < end && typeOf(load<u8>(after)) === LETTER;
      if (isLetterReference(p, after, isWithinWord)) {
        if (wordLength === 0) wordStart = p;
        wordLength++;
        letters++;
        p = after;
        continue;
      }
    }

    // everything except a letter ends a word
    if (wordLength > 0) {
      words++;
      if (wordLength > 1) matchTitleWord(wordStart, p);
      wordLength = 0;
    }
    if (after > p + 1) {
      p = after;
      continue;
    }
    unspaced = 0;
    if (type === LEAD) {
      countMark(longMarkType(p));
      p += leadBytes(byte);
    } else {
      // a stop or comma without a space after it is part of a number, address or abbreviation
      p++;
      if (type === OTHER) continue;
      if (type === SIGN || p >= end || !isWordByte(load<u8>(p))) countMark(type);
    }
  }
  if (wordLength > 0) {
    words++;
    if (wordLength > 1) matchTitleWord(wordStart, end);
  }
  counts.words = words;
  counts.letters = letters;
  counts.digits = digits;
}

function countMark(type: u32): void {
  if (type === STOP) counts.stops++;
  else if (type === COMMA) counts.commas++;
  else if (type === SIGN) counts.signs++;
}

/**
 * Searches a word among those of the title. Only a word of the same length as one with its first letter is
 * hashed.
 */
function matchTitleWord(start: u32, end: u32): void {
  const sizes = TITLE_SIZES + (lowerCase(load<u8>(start)) << 2);
  const size: u32 = 1 << (end - start); // sizes of 32 and 64 bytes have the same bit
  if (counts.isTitle) store<u32>(sizes, load<u32>(sizes) | size);
  else if (!(load<u32>(sizes) & size)) return;
  let hash: u32 = 0;
  for (let p = start; p < end; ) {
    // a reference counts as written
    const after = load<u8>(p) === AMPERSAND ? referenceEnd(p, end) : p;
    if (after === p) hash = ((hash ^ lowerCase(load<u8>(p++))) * 0x01000193) | 1;
    while (p < after) hash = ((hash ^ load<u8>(p++)) * 0x01000193) | 1;
  }
  matchTitleHash(hash);
}

function matchTitleHash(hash: u32): void {
  let bucket = (hash ^ (hash >> 15)) & (TITLE_BUCKETS - 1);
  let number: u32 = 0;
  while ((number = load<u32>(BUCKET_NUMBERS + (bucket << 2))) !== 0) {
    if (load<u32>(BUCKET_HASHES + (bucket << 2)) === hash) {
      counts.titleWords++;
      counts.titleBits |= 1 << (number - 1);
      return;
    }
    bucket = (bucket + 1) & (TITLE_BUCKETS - 1);
  }
  if (!counts.isTitle || counts.titleCount >= MAX_TITLE_WORDS) return;
  store<u32>(BUCKET_HASHES + (bucket << 2), hash);
  store<u32>(BUCKET_NUMBERS + (bucket << 2), ++counts.titleCount);
}

// types of bytes
const LETTER: u32 = 0;
const DIGIT: u32 = 1;
/** First byte of a character of several bytes. */
const LEAD: u32 = 2;
const STOP: u32 = 3;
const COMMA: u32 = 4;
const SIGN: u32 = 5;
const REFERENCE: u32 = 6;
const OTHER: u32 = 7;

const AMPERSAND: u32 = 0x26;
const SLASH: u32 = 0x2f;

function isLatin(byte: u32): bool {
  return (byte | 0x20) - 0x61 < 26;
}

function typeOf(byte: u32): u32 {
  if (isLatin(byte)) return LETTER;
  if (byte === 0x20) return OTHER;
  if (byte - 0x30 < 10) return DIGIT;
  if (byte >= 0xc2 && byte <= 0xf4) return LEAD;
  switch (byte) {
    case 0x2e: // . ! ?
    case 0x21:
    case 0x3f:
      return STOP;
    case 0x2c: // , ; :
    case 0x3b:
    case 0x3a:
      return COMMA;
    case 0x7c: // | < > /
    case 0x3c:
    case 0x3e:
    case SLASH:
      return SIGN;
    case AMPERSAND:
      return REFERENCE;
    default:
      return OTHER;
  }
}

function lowerCase(byte: u32): u32 {
  return byte - 0x41 < 26 ? byte | 0x20 : byte;
}

function leadBytes(first: u32): u32 {
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

function isWordByte(byte: u32): bool {
  return typeOf(byte) <= LEAD || byte === SLASH;
}

/** Whether a character of several bytes is punctuation or space, by its block. */
function isMark(p: u32, end: u32): bool {
  const first: u32 = load<u8>(p);
  const second: u32 = p + 1 < end ? load<u8>(p, 1) : 0;
  const third: u32 = load<u8>(p, 2);
  if (first === 0xc2) return true; // U+0080 to U+00BF
  if (first === 0xc3) return second === 0x97 || second === 0xb7; // × ÷
  if (first === 0xe2) return second <= 0xaf; // general punctuation, arrows, boxes, dingbats
  if (first === 0xe3) return second === 0x80; // CJK punctuation
  if (first === 0xef) {
    // full-width forms
    return second === 0xbc && (third < 0x90 || (third >= 0x9a && third <= 0xa0) || third >= 0xbb);
  }
  if (first === 0xd8) return second === 0x8c || second === 0x9b || second === 0x9f; // Arabic
  if (first === 0xe0 && second === 0xa5) return third === 0xa4 || third === 0xa5; // Devanagari
  return first === 0xf0 && second === 0x9f; // pictures
}

/** Returns the type of a mark of several bytes. */
function longMarkType(p: u32): u32 {
  const second: u32 = load<u8>(p, 1);
  const third: u32 = load<u8>(p, 2);
  switch (load<u8>(p)) {
    case 0xc2: // » © · ® «
      return second === 0xbb || second === 0xa9 || second === 0xb7 || second === 0xae || second === 0xab
        ? SIGN
        : OTHER;
    case 0xe2: // … › • → and similar
      if (second === 0x80) {
        return third === 0xa6 ? STOP : third === 0xba || third === 0xb9 || third === 0xa2 ? SIGN : OTHER;
      }
      return second >= 0x86 ? SIGN : OTHER;
    case 0xe3: // 。 、
      return third === 0x82 ? STOP : third === 0x81 ? COMMA : OTHER;
    case 0xef: // ！ ？ ． ， ： ；
      if (third === 0x81 || third === 0x9f || third === 0x8e) return STOP;
      return third === 0x8c || third === 0x9a || third === 0x9b ? COMMA : OTHER;
    case 0xd8:
      return second === 0x9f ? STOP : COMMA;
    case 0xe0:
      return STOP;
    default:
      return OTHER;
  }
}

/** Whether a character is kana, Han or Thai. */
function isUnspaced(p: u32): bool {
  const first: u32 = load<u8>(p);
  const second: u32 = load<u8>(p, 1);
  if (first === 0xe0) return second === 0xb8 || second === 0xb9;
  if (first === 0xf0) return second === 0xa0 || second === 0xa1;
  return first >= 0xe3 && first <= 0xe9;
}

/** Whether a reference is a letter: by its number, or because it is within a word. */
function isLetterReference(start: u32, end: u32, isWithinWord: bool): bool {
  if (load<u8>(start, 1) !== 0x23) return isWithinWord && load<u8>(start, 1) !== 0x6e; // not &nbsp;
  const isHex = (load<u8>(start, 2) | 0x20) === 0x78;
  let value: i64 = 0;
  for (let p = start + (isHex ? 3 : 2); p + 1 < end; p++) {
    const byte: i64 = load<u8>(p);
    const digit = byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57;
    value = value * (isHex ? 16 : 10) + digit;
  }
  return value >= 0xc0 && (value < 0x2000 || value > 0x303f);
}

/** Maximum bytes of a character reference. */
const MAX_REFERENCE: u32 = 12;

/** Returns the end of a reference, or the address after a `&` that starts no reference. */
function referenceEnd(start: u32, end: u32): u32 {
  const limit = min(end, start + MAX_REFERENCE);
  for (let p = start + 1; p < limit; p++) {
    const byte: u32 = load<u8>(p);
    if (byte === 0x3b) return p + 1;
    if (typeOf(byte) > DIGIT && byte !== 0x23) break;
  }
  return start + 1;
}
