/**
 * Counts words, letters and punctuation of a stretch of detagged text, and the words it shares with the page's
 * title. Works on UTF-8 bytes of any script: Han, kana and Thai are written without spaces, so two of their
 * characters count as a word; stops and commas are those of Latin, CJK, Arabic and Devanagari.
 */
import { readTitle } from '../../parse/title.ts';
import type { Tree } from '../../parse/tree.ts';

/** Words of a title that are looked for: as many as an integer has bits. */
const MAX_TITLE_WORDS = 31;
/** Bytes of a title that are read. */
const MAX_TITLE_LENGTH = 400;
const SLOTS = 128;

export class TextScanner {
  words = 0;
  letters = 0;
  stops = 0;
  commas = 0;
  digits = 0;
  signs = 0;
  titleWords = 0;
  /** Which words of the title were met, as bits. */
  titleBits = 0;
  /** Hashes of the title's words, open-addressed, and which word each is, from 1. */
  readonly #slots = new Int32Array(SLOTS);
  readonly #slotWord = new Uint8Array(SLOTS);
  /** By the first byte of a word of the title: how many bytes such words have, as bits, 32 being 0 again. */
  readonly #lengths = new Int32Array(256);
  #titleCount = 0;
  #isLearning = false;

  /** Takes the words of the page's title; returns how many there are. */
  setTitle(tree: Tree): number {
    this.#slotWord.fill(0);
    this.#lengths.fill(0);
    this.#titleCount = 0;
    const title = encoder.encode(readTitle(tree).slice(0, MAX_TITLE_LENGTH));
    this.#isLearning = true;
    this.scan(title, 0, title.length);
    this.#isLearning = false;
    return this.#titleCount;
  }

  /** Counts text[start, end) into the fields. */
  scan(text: Uint8Array, start: number, end: number): void {
    let words = 0;
    let letters = 0;
    let stops = 0;
    let commas = 0;
    let digits = 0;
    let signs = 0;
    this.titleWords = 0;
    this.titleBits = 0;
    let wordStart = start;
    let wordLength = 0; // letters of the word so far; 0 outside words
    let unspaced = 0; // the character before, when it is of a script without spaces
    for (let p = start; p < end; ) {
      const byte = text[p];
      const type = TYPES[byte];
      if (type === LETTER || type === DIGIT) {
        if (wordLength === 0) wordStart = p;
        wordLength++;
        letters++;
        digits += type - LETTER;
        p++;
        continue;
      }
      if (type === LEAD && !isMark(text, p, end)) {
        const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
        letters++;
        if (isUnspaced(text, p)) {
          if (wordLength > 0) {
            words++;
            this.#meetWord(text, wordStart, p);
            wordLength = 0;
          }
          words += 0.5;
          const character = (byte << 16) | (text[p + 1] << 8) | text[p + 2];
          if (unspaced !== 0) this.#meet(Math.imul(unspaced, 0x9e3779b1) ^ character);
          unspaced = character;
        } else {
          if (wordLength === 0) wordStart = p;
          wordLength++;
        }
        p += length;
        continue;
      }

      if (type === REFERENCE) {
        const after = referenceEnd(text, p, end);
        if (
          isLetterReference(text, p, after, wordLength > 0 && after < end && TYPES[text[after]] === LETTER)
        ) {
          if (wordLength === 0) wordStart = p;
          wordLength++;
          letters++;
          p = after;
          continue;
        }
        if (after > p + 1) {
          if (wordLength > 0) {
            words++;
            if (wordLength > 1) this.#meetWord(text, wordStart, p);
            wordLength = 0;
          }
          p = after;
          continue;
        }
      }

      // whatever is no letter ends a word
      if (wordLength > 0) {
        words++;
        if (wordLength > 1) this.#meetWord(text, wordStart, p);
        wordLength = 0;
      }
      unspaced = 0;
      if (type === LEAD) {
        // a mark of more than one byte
        const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
        const mark = markType(text, p);
        if (mark === STOP) stops++;
        else if (mark === COMMA) commas++;
        else if (mark === SIGN) signs++;
        p += length;
      } else {
        // in numbers, addresses and abbreviations no space follows
        if (type === STOP) stops += p + 1 >= end || !isWordByte(text[p + 1]) ? 1 : 0;
        else if (type === COMMA) commas += p + 1 >= end || !isWordByte(text[p + 1]) ? 1 : 0;
        else if (type === SIGN) signs++;
        p++;
      }
    }
    if (wordLength > 0) {
      words++;
      if (wordLength > 1) this.#meetWord(text, wordStart, end);
    }
    this.words = words;
    this.letters = letters;
    this.stops = stops;
    this.commas = commas;
    this.digits = digits;
    this.signs = signs;
  }

  /** Looks for the word at text[start, end); only one as long as a word of the title with its first letter is hashed. */
  #meetWord(text: Uint8Array, start: number, end: number): void {
    const first = FOLDED[text[start]];
    const length = 1 << (end - start); // of 32 and 64 bytes alike
    if (this.#isLearning) this.#lengths[first] |= length;
    else if ((this.#lengths[first] & length) === 0) return;
    let hash = 0;
    for (let p = start; p < end; ) {
      // a reference counts as it is written
      const after = text[p] === AMPERSAND ? referenceEnd(text, p, end) : p;
      if (after === p) hash = Math.imul(hash ^ FOLDED[text[p++]], 0x01000193) | 1;
      while (p < after) hash = Math.imul(hash ^ text[p++], 0x01000193) | 1;
    }
    this.#meet(hash);
  }

  #meet(hash: number): void {
    const slots = this.#slots;
    const slotWord = this.#slotWord;
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    while (slotWord[slot] !== 0) {
      if (slots[slot] === hash) {
        this.titleWords++;
        this.titleBits |= 1 << (slotWord[slot] - 1);
        return;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    if (!this.#isLearning || this.#titleCount >= MAX_TITLE_WORDS) return;
    slots[slot] = hash;
    slotWord[slot] = ++this.#titleCount;
  }
}

const encoder = new TextEncoder();

const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;
/** First byte of a character of several. */
const LEAD = 3;
const STOP = 4;
const COMMA = 5;
const SIGN = 6;
const REFERENCE = 7;

const TYPES = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  const lower = byte | 0x20;
  if (lower >= 0x61 && lower <= 0x7a) TYPES[byte] = LETTER;
  else if (byte >= 0x30 && byte <= 0x39) TYPES[byte] = DIGIT;
  else if (byte >= 0xc2 && byte <= 0xf4) TYPES[byte] = LEAD;
}
for (const mark of '.!?') TYPES[mark.charCodeAt(0)] = STOP;
for (const mark of ',;:') TYPES[mark.charCodeAt(0)] = COMMA;
for (const mark of '|<>/') TYPES[mark.charCodeAt(0)] = SIGN;
const AMPERSAND = 0x26;
TYPES[AMPERSAND] = REFERENCE;

/** Bytes with capitals of ASCII made small. */
const FOLDED = Uint8Array.from(TYPES, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte));

function isWordByte(byte: number): boolean {
  const type = TYPES[byte];
  return type === LETTER || type === DIGIT || type === LEAD || byte === 0x2f;
}

/** Whether a character of several bytes is punctuation or space, by its block. */
function isMark(text: Uint8Array, p: number, end: number): boolean {
  const first = text[p];
  const second = p + 1 < end ? text[p + 1] : 0;
  if (first === 0xc2) return true; // U+0080 to U+00BF
  if (first === 0xc3) return second === 0x97 || second === 0xb7; // × ÷
  if (first === 0xe2) return second <= 0xaf; // general punctuation, arrows, boxes, dingbats
  if (first === 0xe3) return second === 0x80; // CJK punctuation
  if (first === 0xef) return second === 0xbc && isFullWidthMark(text[p + 2]);
  if (first === 0xd8) return second === 0x8c || second === 0x9b || second === 0x9f; // Arabic
  if (first === 0xe0 && second === 0xa5) return text[p + 2] === 0xa4 || text[p + 2] === 0xa5; // Devanagari
  return first === 0xf0 && second === 0x9f; // pictures
}

function isFullWidthMark(third: number): boolean {
  return third < 0x90 || (third >= 0x9a && third <= 0xa0) || third >= 0xbb;
}

function markType(text: Uint8Array, p: number): number {
  const first = text[p];
  const second = text[p + 1];
  const third = text[p + 2];
  switch (first) {
    case 0xc2: // » © · ®
      return second === 0xbb || second === 0xa9 || second === 0xb7 || second === 0xae || second === 0xab
        ? SIGN
        : OTHER;
    case 0xe2: // … › • → and the like
      if (second === 0x80)
        return third === 0xa6 ? STOP : third === 0xba || third === 0xb9 || third === 0xa2 ? SIGN : OTHER;
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

/** Kana, Han and Thai. */
function isUnspaced(text: Uint8Array, p: number): boolean {
  const first = text[p];
  if (first === 0xe0) return text[p + 1] === 0xb8 || text[p + 1] === 0xb9;
  if (first === 0xf0) return text[p + 1] === 0xa0 || text[p + 1] === 0xa1;
  return first >= 0xe3 && first <= 0xe9;
}

/** Whether a reference stands for a letter: by its number, or because it stands within a word. */
function isLetterReference(text: Uint8Array, start: number, end: number, isWithinWord: boolean): boolean {
  if (text[start + 1] !== 0x23) return isWithinWord && text[start + 1] !== 0x6e; // not &nbsp;
  let value = 0;
  const isHex = (text[start + 2] | 0x20) === 0x78;
  for (let p = start + (isHex ? 3 : 2); p < end - 1; p++) {
    const digit = text[p] <= 0x39 ? text[p] - 0x30 : (text[p] | 0x20) - 0x57;
    value = value * (isHex ? 16 : 10) + digit;
  }
  return value >= 0xc0 && (value < 0x2000 || value > 0x303f);
}

/** Most bytes of a character reference. */
const MAX_REFERENCE = 12;

function referenceEnd(text: Uint8Array, start: number, end: number): number {
  const limit = Math.min(end, start + MAX_REFERENCE);
  for (let p = start + 1; p < limit; p++) {
    if (text[p] === 0x3b) return p + 1;
    if (TYPES[text[p]] !== LETTER && TYPES[text[p]] !== DIGIT && text[p] !== 0x23) break;
  }
  return start + 1;
}
