/**
 * A longest common subsequence of a page's words and its gold's, exactly, however much of the page is not gold.
 * `align-words.ts` costs the square of the differences, which a page of menus has thousands of; here 32 gold
 * words go in one step, by the bit vectors of Hyyrö ("Bit-parallel LCS-length computation revisited", 2004), and
 * the vector of every page word is kept for the way back. Time and memory: page words × gold words / 32.
 */

/** Most cells (page words × gold words); a bit each is kept. */
const MAX_CELLS = 2 ** 31;

/**
 * For each word of the page the position of its partner in the gold, or -1. Partners ascend. Words past the
 * bound have none.
 */
export function alignWithGold(
  page: readonly string[],
  gold: readonly string[],
  { maxCells = MAX_CELLS }: { maxCells?: number } = {},
): Int32Array {
  const partners = new Int32Array(page.length).fill(-1);
  const lanes = (gold.length + 31) >>> 5;
  if (lanes === 0) return partners;
  const rowCount = Math.min(page.length, Math.floor(maxCells / (32 * lanes)));
  const rows = fillRows(page, gold, rowCount, lanes);

  // back from the last words of both
  for (let row = rowCount, column = gold.length; row > 0 && column > 0; ) {
    if (page[row - 1] === gold[column - 1]) {
      partners[--row] = --column;
    } else if ((rows[row * lanes + ((column - 1) >>> 5)] >>> ((column - 1) & 31)) & 1) {
      column--;
    } else {
      row--;
    }
  }
  joinRuns(page, gold, partners);
  return partners;
}

/**
 * Of several longest subsequences takes one in longer runs: partners in a row that stand away from those of the
 * gold words before them move up to them where the page has the same words there. Otherwise the last words of a
 * story would be found in the footer.
 */
function joinRuns(page: readonly string[], gold: readonly string[], partners: Int32Array): void {
  for (let word = 0, before = -1; word < page.length; word++) {
    const place = partners[word];
    if (place < 0) continue;
    let length = 1;
    while (partners[word + length] === place + length) length++;
    const hasRoom = before >= 0 && before + length < word && partners[before] === place - 1;
    let same = 0;
    while (hasRoom && same < length && page[before + 1 + same] === gold[place + same]) same++;
    if (hasRoom && same === length) {
      partners.fill(-1, word, word + length);
      for (let k = 0; k < length; k++) partners[++before] = place + k;
    } else {
      before = word + length - 1;
    }
    word += length - 1;
  }
}

/** Bit j of row i is 0 when i words of the page have more in common with j + 1 gold words than with j. */
function fillRows(
  page: readonly string[],
  gold: readonly string[],
  rowCount: number,
  lanes: number,
): Uint32Array {
  const rows = new Uint32Array((rowCount + 1) * lanes).fill(0xffffffff, 0, lanes);
  const places = placesOf(gold);
  const equal = new Uint32Array(lanes);
  for (let row = 0; row < rowCount; row++) {
    const at = row * lanes;
    const found = places.get(page[row]);
    if (!found) {
      rows.copyWithin(at + lanes, at, at + lanes);
      continue;
    }
    for (const place of found) equal[place >>> 5] |= 1 << (place & 31);
    for (let lane = 0, carry = 0; lane < lanes; lane++) {
      const before = rows[at + lane];
      const hits = (before & equal[lane]) >>> 0;
      const sum = before + hits + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      rows[at + lanes + lane] = sum | (before & ~hits);
    }
    for (const place of found) equal[place >>> 5] = 0;
  }
  return rows;
}

function placesOf(words: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, word] of words.entries()) {
    const known = places.get(word);
    if (known) known.push(place);
    else places.set(word, [place]);
  }
  return places;
}
