/**
 * Reads the text of one block: counts words and signs, hashes the words and the whole text. Text comes in
 * spans, one per text node; a word may continue from one span to the next. Letters of scripts that do not
 * separate words, such as Chinese, are words of one character.
 */
import * as Blocks from '../block-layout.ts';
import { characterAt, characterBytes } from './characters';

/** Kind of a character: white space or a control character. */
export const SPACE: u32 = 0;
/** Kind of a character: a letter other than a capital. */
export const LETTER: u32 = 1;
/** Kind of a character: a capital. */
export const CAPITAL: u32 = 2;
/** Kind of a character: a digit. */
export const DIGIT: u32 = 3;
/** Kind of a character: a letter of a script without spaces, which is a word by itself. */
export const SPACELESS: u32 = 4;
/** Kind of a character: ends a sentence. */
export const STOP: u32 = 5;
/** Kind of a character: a comma, colon or semicolon. */
export const COMMA: u32 = 6;
/** Kind of a character: a bullet, bar or similar separator. */
export const BULLET: u32 = 7;
/** Kind of a character: a sign of a currency. */
export const CURRENCY: u32 = 8;
/** Kind of a character: may follow the stop at the end of a sentence, such as a quote. */
export const CLOSING: u32 = 9;
/** Kind of a character: any other sign. */
export const OTHER: u32 = 10;
/** Kind of a character: an apostrophe or hyphen, which joins the letters on its sides. */
export const JOINER: u32 = 11;

const FNV_PRIME: u64 = 0x100000001b3;
const FNV_SEED: u64 = 0xcbf29ce484222325;

/** Address at which the next hash of a word is written. */
let wordsAt: u32 = 0;
let wordHash: u32 = 0;
let wordCharacters: u32 = 0;
let textHash: u64 = 0;
let exactHash: u64 = 0;
let hasSpace: bool = false;
let isEmpty: bool = true;
let lastKind: u32 = SPACE;
let kindBefore: u32 = SPACE;
/** Number of digits after a stop or comma between digits, plus one; 0 without such a sign. */
let decimals: u32 = 0;
let numberDigits: u32 = 0;
let number: u32 = 0;
/** Kind of the last character that is neither a space nor a closing sign after a stop. */
let lastSign: u32 = SPACE;
/** Whether the last character read is a colon after the text's first few characters. */
let isAfterLabel: bool = false;

/** End of the last character read, for references and characters of several bytes. */
let characterEnd: u32 = 0;

/** Starts the text of a block; hashes of its words are written from `words` on. */
export function openText(words: u32): void {
  wordsAt = words;
  wordHash = 0;
  wordCharacters = 0;
  textHash = FNV_SEED;
  exactHash = FNV_SEED;
  hasSpace = false;
  isEmpty = true;
  isAfterLabel = false;
  lastKind = kindBefore = lastSign = SPACE;
  decimals = numberDigits = number = 0;
}

/** Returns the address after the last hash of a word. */
export function wordsEnd(): u32 {
  return wordsAt;
}

/** Whether the text so far has a character other than spaces. */
export function hasText(): bool {
  return !isEmpty;
}

/** Returns the kind of a character beyond ASCII. */
function kindOfWide(character: u32): u32 {
  if (character < 0x250) {
    if (character <= 0xbf) {
      if (character === 0xa0) return SPACE;
      if (character === 0xab || character === 0xbb) return BULLET;
      if (character === 0xb7 || character === 0xa9 || character === 0xae) return BULLET;
      if (character >= 0xa2 && character <= 0xa5) return CURRENCY;
      return character === 0xaa || character === 0xb5 || character === 0xba ? LETTER : OTHER;
    }
    if (character === 0xd7 || character === 0xf7) return OTHER;
    if (character < 0xdf) return CAPITAL;
    return character < 0x100 || (character & 1) !== 0 ? LETTER : CAPITAL;
  }
  if (character < 0x370) return LETTER;
  if (character < 0x530) {
    if (character === 0x37e || character === 0x387) return STOP;
    return (character >= 0x386 && character <= 0x3ab) || (character >= 0x400 && character < 0x430)
      ? CAPITAL
      : LETTER;
  }
  if (character < 0x2000) {
    if (character === 0x60c || character === 0x61b) return COMMA;
    if (character === 0x61f || character === 0x6d4 || character === 0x964 || character === 0x965) return STOP;
    if (character >= 0x660 && character <= 0x669) return DIGIT;
    // Thai, Lao, Tibetan, Myanmar, Khmer do not separate words
    return character >= 0xe00 && character < 0x10a0 ? LETTER : LETTER;
  }
  if (character < 0x2c00) {
    if (character <= 0x200a || character === 0x2028 || character === 0x2029 || character === 0x202f)
      return SPACE;
    if (character === 0x2019 || character === 0x2010 || character === 0x2011) return JOINER;
    if (character === 0x201d || character === 0x203a) return CLOSING;
    if (character === 0x2026 || character === 0x2025) return STOP;
    if (character === 0x2022 || character === 0x2039) return BULLET;
    if (character >= 0x20a0 && character <= 0x20cf) return CURRENCY;
    return OTHER;
  }
  if (character < 0x2e80) return LETTER;
  if (character < 0x3041) {
    if (character === 0x3000) return SPACE;
    if (character === 0x3001) return COMMA;
    if (character === 0x3002) return STOP;
    if (character === 0x300d || character === 0x300f) return CLOSING;
    return character >= 0x3005 && character <= 0x3007 ? SPACELESS : OTHER;
  }
  if (character < 0xa000) return character >= 0x3130 && character < 0x3190 ? LETTER : SPACELESS;
  if (character < 0xe000) return LETTER;
  if (character < 0xf900) return OTHER;
  if (character < 0xfb00) return SPACELESS;
  if (character < 0xfe30) return LETTER;
  if (character < 0xff00) return OTHER;
  if (character < 0xfff0) {
    if (character === 0xff01 || character === 0xff1f || character === 0xff0e || character === 0xff61)
      return STOP;
    if (character === 0xff0c || character === 0xff1a || character === 0xff1b || character === 0xff64)
      return COMMA;
    if (character >= 0xff10 && character <= 0xff19) return DIGIT;
    if (character >= 0xff21 && character <= 0xff3a) return CAPITAL;
    if (character >= 0xff41 && character <= 0xff5a) return LETTER;
    return character >= 0xff66 && character < 0xffa0 ? SPACELESS : OTHER;
  }
  if (character < 0x1f000) return LETTER;
  return character >= 0x20000 ? SPACELESS : OTHER;
}

function kindOf(character: u32): u32 {
  if (character >= 0x80) return kindOfWide(character);
  if ((character | 0x20) - 0x61 < 26) return character < 0x61 ? CAPITAL : LETTER;
  if (character - 0x30 < 10) return DIGIT;
  if (character <= 0x20 || character === 0x7f) return SPACE;
  if (character === 0x2e || character === 0x21 || character === 0x3f) return STOP;
  if (character === 0x2c || character === 0x3b || character === 0x3a) return COMMA;
  if (character === 0x7c || character === 0x2a) return BULLET;
  if (character === 0x24) return CURRENCY;
  if (character === 0x27 || character === 0x2d) return JOINER;
  if (character === 0x22 || character === 0x29) return CLOSING;
  return OTHER;
}

function isNameByte(byte: u32): bool {
  return (byte | 0x20) - 0x61 < 26 || byte - 0x30 < 10;
}

/** Returns a character of the same kind as the reference at `at`, and sets `characterEnd` to its end. */
function readReference(at: u32, end: u32): u32 {
  let p = at + 1;
  if (p < end && load<u8>(p) === 0x23 /* # */) {
    p++;
    const isHex = p < end && (load<u8>(p) | 0x20) === 0x78;
    if (isHex) p++;
    let character: u32 = 0;
    const first = p;
    for (; p < end && p < first + 8; p++) {
      const byte: u32 = load<u8>(p);
      const lower = byte | 0x20;
      if (byte - 0x30 < 10) character = character * (isHex ? 16 : 10) + byte - 0x30;
      else if (isHex && lower - 0x61 < 6) character = character * 16 + lower - 0x57;
      else break;
    }
    if (p === first) return 0x26;
    characterEnd = p + u32(p < end && load<u8>(p) === 0x3b);
    return character;
  }
  while (p < end && p < at + 10 && isNameByte(load<u8>(p))) p++;
  if (p >= end || load<u8>(p) !== 0x3b || p === at + 1) return 0x26;
  characterEnd = p + 1;
  const four = load<u32>(at + 1);
  if (four === 0x7073626e /* nbsp */) return 0x20;
  if (four === 0x3b706d61 /* amp; */) return 0x26;
  if (four === 0x746f7571 /* quot */ || four === 0x75716472 /* rdqu */) return 0x22;
  if (four === 0x75717372 /* rsqu */) return 0x27;
  if (four === 0x75716172 /* raqu */ || four === 0x7571616c /* laqu */ || four === 0x6c6c7562 /* bull */)
    return 0x2022;
  if (four === 0x6464696d /* midd */ || four === 0x79706f63 /* copy */) return 0x2022;
  if (four === 0x6c6c6568 /* hell */) return 0x2026;
  if (four === 0x6f727565 /* euro */ || four === 0x6e756f70 /* poun */) return 0x24;
  // names of signs that are not letters end in "quo" or "dash", or are short
  const before = load<u32>(p - 4);
  if (before >> 8 === 0x6f7571 /* quo */ || before === 0x68736164 /* dash */ || p - at <= 3) return 0x5f;
  return 0x61;
}

function endWord(record: u32): void {
  if (wordCharacters === 0) return;
  store<u32>(wordsAt, wordHash === 0 ? 1 : wordHash);
  wordsAt += 4;
  add(record, Blocks.BLOCK_WORD_COUNT);
  if (numberDigits === 4 && wordCharacters === 4 && number >= 1900 && number < 2100)
    add(record, Blocks.BLOCK_DATES);
  wordHash = 0;
  wordCharacters = 0;
}

function add(record: u32, word: u32): void {
  const at = record + (word << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** Reads a span of the source with its references. */
export function readText(record: u32, start: u32, end: u32, isLink: bool): void {
  const wordsBefore = load<u32>(record + (Blocks.BLOCK_WORD_COUNT << 2));
  for (let at = start; at < end; ) {
    const first: u32 = load<u8>(at);
    // most text is letters after letters, and most white space of a source comes in runs
    if (first - 0x61 < 26 && lastKind === LETTER) {
      at = readSmallLetters(record, at, end);
      continue;
    }
    if (first <= 0x20) {
      at = readSpaces(record, at, end);
      continue;
    }
    let character = first;
    if (first < 0x80) {
      characterEnd = at + 1;
      if (first === 0x26) character = readReference(at, end);
    } else {
      characterEnd = min(end, at + characterBytes(first));
      character = characterAt(at, end);
    }
    readCharacter(record, character, at);
    at = characterEnd;
  }
  if (isLink) {
    const at = record + (Blocks.BLOCK_LINK_WORDS << 2);
    store<u32>(
      at,
      load<u32>(at) +
        load<u32>(record + (Blocks.BLOCK_WORD_COUNT << 2)) -
        wordsBefore +
        u32(wordCharacters > 0),
    );
  }
}

/** Reads small ASCII letters from `at` on, after a letter; they change only hashes and counts. */
function readSmallLetters(record: u32, at: u32, end: u32): u32 {
  const start = at;
  let text = textHash;
  let exact = exactHash;
  let hash = wordHash;
  for (; at < end; at++) {
    const letter: u32 = load<u8>(at);
    if (letter - 0x61 >= 26) break;
    text = (text ^ letter) * FNV_PRIME;
    exact = (exact ^ letter) * FNV_PRIME;
    hash = (hash ^ letter) * 0x01000193 + 0x9e3779b1;
  }
  textHash = text;
  exactHash = exact;
  wordHash = hash;
  wordCharacters += at - start;
  const characters = record + (Blocks.BLOCK_CHARACTERS << 2);
  store<u32>(characters, load<u32>(characters) + at - start);
  kindBefore = lastSign = LETTER;
  return at;
}

/** Reads the white space from `at` on. Spaces after the first one only change `kindBefore`. */
function readSpaces(record: u32, at: u32, end: u32): u32 {
  readSpace(record);
  const second = at + 1;
  at = second;
  while (at < end && load<u8>(at) <= 0x20) at++;
  if (at > second) kindBefore = SPACE;
  return at;
}

function readSpace(record: u32): void {
  endWord(record);
  endNumber(record, SPACE);
  hasSpace = true;
  kindBefore = lastKind;
  lastKind = SPACE;
}

function readCharacter(record: u32, character: u32, at: u32): void {
  const kind = kindOf(character);
  if (kind === SPACE) {
    readSpace(record);
    return;
  }
  if (hasSpace && !isEmpty) {
    textHash = (textHash ^ 0x20) * FNV_PRIME;
    exactHash = (exactHash ^ 0x20) * FNV_PRIME;
  }
  hasSpace = false;
  isEmpty = false;
  add(record, Blocks.BLOCK_CHARACTERS);
  if (isAfterLabel) setFlag(record, Blocks.BLOCK_LABELLED);
  isAfterLabel = (character === 0x3a || character === 0xff1a) && isLabel(record);
  let folded = character;
  if (kind === CAPITAL && character < 0x80) folded |= 0x20;
  // a letter written as a reference
  else if (character === 0x61 && load<u8>(at) === 0x26) folded = load<u32>(at + 1);
  exactHash = (exactHash ^ folded) * FNV_PRIME;
  textHash = (textHash ^ (kind === DIGIT ? 0x30 : folded)) * FNV_PRIME;

  if (kind === DIGIT) {
    add(record, Blocks.BLOCK_DIGITS);
    if (lastKind !== DIGIT) {
      // a time or a date: 12:30, 3/4, 1.2
      if (
        kindBefore === DIGIT &&
        (lastKind === COMMA || lastKind === STOP || lastKind === JOINER || lastKind === OTHER)
      )
        add(record, Blocks.BLOCK_DATES);
      numberDigits = number = 0;
    }
    numberDigits++;
    number = number * 10 + (character & 15);
    if (decimals > 0) decimals++;
  } else endNumber(record, kind);

  if (kind <= SPACELESS) {
    if (kind === SPACELESS) {
      endWord(record);
      wordHash = folded;
      wordCharacters = 1;
      endWord(record);
      add(record, Blocks.BLOCK_SPACELESS);
    } else {
      if (kind === CAPITAL) add(record, Blocks.BLOCK_CAPITALS);
      wordHash = (wordHash ^ folded) * 0x01000193 + 0x9e3779b1;
      wordCharacters++;
    }
  } else if (kind !== JOINER) {
    endWord(record);
    if (kind === STOP) add(record, Blocks.BLOCK_STOPS);
    else if (kind === COMMA) add(record, Blocks.BLOCK_COMMAS);
    else if (kind === BULLET) add(record, Blocks.BLOCK_BULLETS);
    else if (kind === CURRENCY) setFlag(record, Blocks.BLOCK_PRICE);
  }
  if (kind !== CLOSING || lastSign !== STOP) lastSign = kind;
  kindBefore = lastKind;
  lastKind = kind;
}

const LONGEST_LABEL: u32 = 30;

/** Whether the characters so far, which end with a colon, may name a value; those of `12:30` do not. */
function isLabel(record: u32): bool {
  const characters = load<u32>(record + (Blocks.BLOCK_CHARACTERS << 2));
  return (
    characters > 2 && characters <= LONGEST_LABEL && load<u32>(record + (Blocks.BLOCK_DIGITS << 2)) === 0
  );
}

/** Ends a number; one with two decimals is a price. */
function endNumber(record: u32, kind: u32): void {
  if (decimals === 3) setFlag(record, Blocks.BLOCK_PRICE);
  decimals = u32(lastKind === DIGIT && (kind === STOP || kind === COMMA));
}

function setFlag(record: u32, flag: u32): void {
  const at = record + (Blocks.BLOCK_FLAGS << 2);
  store<u32>(at, load<u32>(at) | flag);
}

/** Ends the text of a block and writes its hashes and flags. */
export function closeText(record: u32): void {
  endWord(record);
  endNumber(record, SPACE);
  if (lastSign === STOP || lastSign === CLOSING || lastSign === COMMA) setFlag(record, Blocks.BLOCK_ENDS);
  store<u64>(record + (Blocks.BLOCK_TEXT << 2), finish(textHash));
  store<u64>(record + (Blocks.BLOCK_EXACT << 2), finish(exactHash));
}

function finish(hash: u64): u64 {
  let x = hash ^ (hash >> 32);
  x *= 0xd6e8feb86659fd93;
  x ^= x >> 32;
  return x;
}

/**
 * Reads the words of any text into a list of hashes from `words` on, and returns its end. `record` is
 * scratch.
 */
export function listWords(record: u32, start: u32, end: u32, words: u32): u32 {
  openText(words);
  readText(record, start, end, false);
  endWord(record);
  return wordsAt;
}
