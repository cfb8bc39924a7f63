/**
 * Weighs the names of an element: words of class, id, role and itemprop, in lower case, split at signs, at
 * digits and where a capital follows a small letter (`mainMenu-2` is main, menu). detect/page/lexicon.ts
 * explains how the weights are learnt, and has the words as texts.
 */
import { NAMES_BUCKETS, NAMES_MASK } from '../feature-layout.ts';
import { RESULTS_AT } from '../layout.ts';
import { word } from './feature-records';

/** Letters of a word, and largest number of words of one element. */
const MIN_LETTERS: u32 = 2;
const MAX_LETTERS: u32 = 24;
const MAX_NAMES: u32 = 24;
const SEED: u32 = 0x811c9dc5;

/**
 * Names of the last element read: their number, and the sum, the largest and the smallest of their weights.
 */
@unmanaged
class Names {
  sum: f64;
  most: f64;
  least: f64;
  count: u32;
}

/** The names of the last element read. */
export const names = changetype<Names>(memory.data(32, 8));

/**
 * Returns the sum, the largest and the smallest weight of a start tag's names in the results, as f64; 0
 * without names.
 */
export function weighNames(weights: u32, start: u32, end: u32): void {
  readNames(weights, start, end);
  store<f64>(RESULTS_AT, names.sum);
  store<f64>(RESULTS_AT, names.most, 8);
  store<f64>(RESULTS_AT, names.least, 16);
}

/** Reads the names of the start tag between two addresses. */
export function readNames(weights: u32, start: u32, end: u32): void {
  names.sum = names.most = names.least = 0;
  names.count = 0;
  let p = start + 1;
  while (p < end && load<u8>(p) > 0x20 && load<u8>(p) !== SLASH && load<u8>(p) !== GREATER) p++;
  while (p < end) {
    while (p < end && (load<u8>(p) <= 0x20 || load<u8>(p) === SLASH)) p++;
    if (p >= end || load<u8>(p) === GREATER) break;

    // the name
    const nameStart = p++;
    while (p < end) {
      const byte: u32 = load<u8>(p);
      if (byte <= 0x20 || byte === SLASH || byte === GREATER || byte === EQUALS) break;
      p++;
    }
    const isNaming = isNamingAttribute(nameStart, p - nameStart);
    let q = p;
    while (q < end && load<u8>(q) <= 0x20) q++;
    if (q >= end || load<u8>(q) !== EQUALS) continue;

    // the value
    for (q++; q < end && load<u8>(q) <= 0x20; ) q++;
    const quote: u32 = load<u8>(q);
    const isQuoted = quote === 0x22 || quote === 0x27;
    const valueStart = isQuoted ? q + 1 : q;
    p = valueStart;
    if (isQuoted) while (p < end && load<u8>(p) !== quote) p++;
    else while (p < end && load<u8>(p) > 0x20 && load<u8>(p) !== GREATER) p++;
    if (isNaming) readWords(weights, valueStart, p);
    if (isQuoted) p++;
  }
}

const SLASH: u32 = 0x2f;
const EQUALS: u32 = 0x3d;
const GREATER: u32 = 0x3e;

// names as integers, the first byte lowest
const ID: u32 = 0x6469;
const ROLE: u32 = 0x656c6f72;
const CLAS: u32 = 0x73616c63;
const ITEM: u32 = 0x6d657469;
const PROP: u32 = 0x706f7270;

/** Whether an attribute is class, id, role or itemprop, in any case. */
function isNamingAttribute(name: u32, sizeBytes: u32): bool {
  switch (sizeBytes) {
    case 2:
      return (<u32>load<u16>(name) | 0x2020) === ID;
    case 4:
      return (load<u32>(name) | 0x20202020) === ROLE;
    case 5:
      return (load<u32>(name) | 0x20202020) === CLAS && (load<u8>(name, 4) | 0x20) === 0x73;
    case 8:
      return (load<u32>(name) | 0x20202020) === ITEM && (load<u32>(name, 4) | 0x20202020) === PROP;
    default:
      return false;
  }
}

function readWords(weights: u32, start: u32, end: u32): void {
  let hash = SEED;
  let letters: u32 = 0;
  let wasSmall = false;
  for (let p = start; p <= end; p++) {
    const byte: u32 = p < end ? load<u8>(p) : 0;
    const lower = byte | 0x20;
    const isLetter = lower - 0x61 < 26;
    const isCapital = isLetter && byte < 0x61;
    if (!isLetter || (isCapital && wasSmall)) {
      if (letters >= MIN_LETTERS && letters <= MAX_LETTERS && names.count < MAX_NAMES) addName(weights, hash);
      hash = SEED;
      letters = 0;
    }
    if (isLetter) {
      hash = (hash ^ lower) * 0x01000193;
      letters++;
    }
    wasSmall = isLetter && !isCapital;
  }
}

function addName(weights: u32, hash: u32): void {
  const buckets = word(weights, NAMES_BUCKETS);
  const mask = word(weights, NAMES_MASK);
  names.count++;
  let bucket = (hash ^ (hash >> 15)) & mask;
  let weight: f64 = 0;
  while ((weight = load<f32>(buckets + (bucket << 3), 4)) !== 0) {
    if (load<u32>(buckets + (bucket << 3)) === hash) break;
    bucket = (bucket + 1) & mask;
  }
  names.sum += weight;
  names.most = max<f64>(names.most, weight);
  names.least = min<f64>(names.least, weight);
}
