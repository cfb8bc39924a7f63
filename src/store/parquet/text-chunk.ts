/**
 * Writes texts of a column as pages: codes of a dictionary when each text occurs at least twice on average, else
 * the texts themselves.
 */
import { textBounds } from './bounds.ts';
import { ByteWriter } from './byte-writer.ts';
import { type ChunkPages, writeLevels } from './chunk-pages.ts';
import { bitsOf, writeRuns } from './packed-numbers.ts';
import { ENCODING } from './parquet-metadata.ts';

/** Bytes after which a page of texts ends. */
const PAGE_BYTES = 1 << 20;
/** Largest dictionary in bytes. */
const MAX_DICTIONARY_BYTES = 1 << 20;
/** Minimum number of texts that are read before a dictionary can be rejected. */
const MIN_TEXTS = 256;

// buffers are reused, because one page is made at a time
const page = new ByteWriter(1 << 16);
const dictionaryPage = new ByteWriter(1 << 12);
let textCodes = new Uint32Array(1 << 12);

type Texts = readonly (string | null)[];

/** Writes the texts of `[from, to)`, with a dictionary if that is smaller. */
export function writeTexts(pages: ChunkPages, texts: Texts, from: number, to: number): void {
  const levels = levelsOf(texts, from, to);
  if (levels) pages.chunk.nullCount = levels.reduce((nulls, level) => nulls + 1 - level, 0);
  const words = findWords(texts, from, to);
  if (words) writeCoded(pages, words, textCodes.subarray(0, to - from - pages.chunk.nullCount), levels);
  else writePlain(pages, texts, from, to, levels);
}

/** Writes texts that are dictionary codes already; the dictionary has only the words of these rows. */
export function writeWords(
  pages: ChunkPages,
  words: readonly string[],
  codes: Uint32Array,
  isWhole: boolean,
): void {
  if (isWhole) {
    writeCoded(pages, words, codes);
    return;
  }
  const used: string[] = [];
  const codeOf = new Int32Array(words.length).fill(-1);
  const ownCodes = new Uint32Array(codes.length);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row];
    if (codeOf[code] < 0) codeOf[code] = used.push(words[code]) - 1;
    ownCodes[row] = codeOf[code];
  }
  writeCoded(pages, used, ownCodes);
}

function writeCoded(
  pages: ChunkPages,
  words: readonly string[],
  codes: Uint32Array,
  levels?: Uint8Array,
): void {
  const { chunk } = pages;
  dictionaryPage.clear();
  for (const word of words) writeText(dictionaryPage, word);
  page.clear();
  writeLevels(page, chunk.rowCount, levels);
  const width = Math.max(1, bitsOf(words.length - 1));
  page.byte(width);
  writeRuns(page, codes, 0, codes.length, width);

  chunk.distinctCount = words.length;
  chunk.bounds = textBounds(words, 0, words.length);
  pages.packIfLarge(dictionaryPage.size + page.size);
  pages.add(
    { kind: 'dictionary', encoding: ENCODING.plain, valueCount: words.length },
    dictionaryPage.written,
  );
  pages.add({ kind: 'data', encoding: ENCODING.dictionary, valueCount: chunk.rowCount }, page.written);
}

function writePlain(pages: ChunkPages, texts: Texts, from: number, to: number, levels?: Uint8Array): void {
  pages.chunk.bounds = textBounds(texts, from, to);
  for (let start = from; start < to; ) {
    const end = endOfPage(texts, start, to);
    page.clear();
    writeLevels(page, end - start, levels?.subarray(start - from, end - from));
    for (let row = start; row < end; row++) {
      const text = texts[row];
      if (text !== null) writeText(page, text);
    }
    if (start === from) pages.packIfLarge(page.size);
    pages.add({ kind: 'data', encoding: ENCODING.plain, valueCount: end - start }, page.written);
    start = end;
  }
}

function endOfPage(texts: Texts, start: number, to: number): number {
  let characters = 0;
  let end = start;
  while (end < to && characters < PAGE_BYTES) characters += (texts[end++]?.length ?? 0) + 4;
  return end;
}

function writeText(out: ByteWriter, text: string): void {
  const at = out.size;
  out.word(0);
  out.setWord(at, out.text(text));
}

/** Returns 1 for rows with a text and 0 for others; undefined when all rows have one. */
function levelsOf(texts: Texts, from: number, to: number): Uint8Array | undefined {
  let hasNull = false;
  for (let row = from; row < to && !hasNull; row++) hasNull = texts[row] === null;
  return hasNull ? Uint8Array.from(texts.slice(from, to), (text) => (text === null ? 0 : 1)) : undefined;
}

/**
 * Returns the distinct texts and sets their codes in `textCodes`; undefined when a dictionary would not save space.
 */
function findWords(texts: Texts, from: number, to: number): string[] | undefined {
  if (textCodes.length < to - from) textCodes = new Uint32Array(to - from);
  const codes = new Map<string, number>();
  let last: string | undefined;
  let code = 0;
  let count = 0;
  let characters = 0;
  for (let row = from; row < to; row++) {
    const text = texts[row];
    if (text === null) continue;
    if (text !== last) {
      last = text;
      const known = codes.get(text);
      if (known === undefined) {
        code = codes.size;
        codes.set(text, code);
        characters += text.length;
        if (characters > MAX_DICTIONARY_BYTES || (count >= MIN_TEXTS && 2 * code > count)) return undefined;
      } else code = known;
    }
    textCodes[count++] = code;
  }
  return 2 * codes.size <= count ? [...codes.keys()] : undefined;
}
