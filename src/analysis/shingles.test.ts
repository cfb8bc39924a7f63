import { expect, test } from 'vitest';
import { parseHeld } from '../../test/held-tree.ts';
import type { Label, Range } from '../model/range.ts';
import { areNearDuplicates, countMatching, neededMatches, Shingler } from './shingles.ts';
import { segmentWords } from './word-scanner.ts';

const shingler = new Shingler();
const ALL = 1000;

/** Numbers that look random and are the same on every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let x = seed | 0; ; ) {
    x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    yield (x ^ (x >>> 13)) >>> 0;
  }
}

function randomWords(count: number, seed: number): string[] {
  const random = numbers(seed);
  return Array.from({ length: count }, () => `w${random.next().value % 5000}`);
}

function treeOf(html: string) {
  return parseHeld(html);
}

/** Labels the spans of a page between the marks `[[` and `]]` as template, and removes the marks. */
function marked(html: string): { source: string; ranges: Range[] } {
  const ranges: Range[] = [];
  let source = '';
  for (const [i, piece] of html.split(/\[\[|\]\]/).entries()) {
    const label: Label = i % 2 === 1 ? 'template' : 'content';
    const start = Buffer.byteLength(source);
    source += piece;
    const end = Buffer.byteLength(source);
    if (end > start) ranges.push({ start, end, label, score: 1, template: '', reason: '' });
  }
  return { source, ranges };
}

/** The exact share of windows in common. */
function overlap(a: string[], b: string[], width = 6): number {
  const windows = (words: string[]) =>
    new Set(words.slice(width - 1).map((_, i) => words.slice(i, i + width).join(' ')));
  const [left, right] = [windows(a), windows(b)];
  const both = [...left].filter((window) => right.has(window)).length;
  return both / (left.size + right.size - both);
}

test('words in other case, with other marks and spaces, have the same shingles', () => {
  const plain = shingler.ofText('the quick brown fox jumps over the lazy dog at noon');
  const dressed = shingler.ofText('The quick, BROWN fox\n jumps — over the “lazy” dog… at noon!');
  expect(dressed).toEqual(plain);
  expect(plain.wordCount).toBe(11);
  expect(plain.hashes).toHaveLength(6);
});

test('a page has the shingles of its text, whatever its script and markup', () => {
  const texts = [
    'Plain words, one after the other, and no end of them in sight.',
    'Straßen &amp; Plätze: &Uuml;ber 20&nbsp;000 Menschen wohnen hier, sagt “man” dort.',
    'Η Αθήνα ΟΔΟΣ είναι η πρωτεύουσα της Ελλάδας και η μεγαλύτερη πόλη της.',
    '東京は日本の首都です。2008年のABC and some English words in between',
    'ﬁne １２ Ⅻ e\u0301te\u0301 हिन्दी भाषा &#x4e2d;&#25991; a&lt;b &copy 2020 all rights',
    'กรุงเทพ มหานคร เป็นเมืองหลวง',
  ];
  for (const text of texts) {
    const tree = treeOf(`<p>${text}`);
    const decoded = text
      .replace('&amp;', '&')
      .replace('&Uuml;', 'Ü')
      .replace('&nbsp;', '\u00a0')
      .replace('&#x4e2d;&#25991;', '中文')
      .replace('&lt;', '<')
      .replace('&copy', '©');
    const all = new Shingler({ words: 3, hashes: ALL });
    expect(all.ofTree(tree), text).toEqual(all.ofText(decoded));
    expect(all.ofTree(tree).wordCount).toBe(segmentWords(decoded).length);
  }
});

test('the smallest of all hashes are stored', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const text = randomWords(300, seed).join(' ');
    const all = new Shingler({ hashes: ALL }).ofText(text).hashes;
    expect(all).toHaveLength(295);
    expect([...all]).toEqual([...all].sort((a, b) => a - b));
    expect(new Shingler({ hashes: 8 }).ofText(text).hashes).toEqual(all.slice(0, 8));
  }
});

test('a rolled window has the hash of the same window alone', () => {
  const words = randomWords(200, 7);
  const rolled = new Set(new Shingler({ hashes: ALL }).ofText(words.join(' ')).hashes);
  const alone = words.slice(5).map((_, i) => shingler.ofText(words.slice(i, i + 6).join(' ')).hashes[0]);
  expect(new Set(alone)).toEqual(rolled);
});

test('the digest shows whether all words are the same', () => {
  const { digest } = shingler.ofText('one two three');
  expect(shingler.ofText('One, two; THREE').digest).toBe(digest);
  expect(shingler.ofText('one three two').digest).not.toBe(digest);
  expect(shingler.ofText('one two').digest).not.toBe(digest);
});

test('windows that recur in a text are stored once', () => {
  expect(shingler.ofText('la '.repeat(500)).hashes).toHaveLength(1);
});

test('template ranges are left out, and windows continue across them', () => {
  const { source, ranges } = marked(
    '[[<nav>Home News Sport</nav>]]<p>one two three [[<aside>buy now</aside>]] four five six seven</p>[[<footer>Imprint</footer>]]',
  );
  expect(shingler.ofTree(treeOf(source), ranges)).toEqual(
    shingler.ofText('one two three four five six seven'),
  );
  expect(shingler.ofTree(treeOf(source))).toEqual(
    shingler.ofText('home news sport one two three buy now four five six seven imprint'),
  );
});

test('a word that is in two kept ranges stays whole', () => {
  const source = '<p>one two three four five s<b>ix</b> seven';
  const at = source.indexOf('<b>');
  const range = (start: number, end: number, label: Label): Range => ({
    start,
    end,
    label,
    score: 1,
    template: '',
    reason: '',
  });
  const ranges = [range(0, at, 'content'), range(at, source.length, 'unsure')];
  expect(shingler.ofTree(treeOf(source), ranges)).toEqual(
    shingler.ofText('one two three four five six seven'),
  );
});

test('a text with fewer words than a window has no shingles and no near-duplicates', () => {
  const { hashes, wordCount } = shingler.ofText('only five words are here');
  expect(wordCount).toBe(5);
  expect(hashes).toHaveLength(0);
  expect(areNearDuplicates(hashes, hashes)).toBe(false);
  expect(shingler.ofText('').wordCount).toBe(0);
});

/**
 * The share of windows that two texts have in common (Jaccard), estimated from the smallest hashes of both
 * together; unbiased, with standard error sqrt(J (1 - J) / hashes).
 */
function estimateOverlap(a: Float64Array, b: Float64Array): number {
  const most = Math.max(a.length, b.length);
  let union = 0;
  let both = 0;
  for (let i = 0, k = 0; union < most && (i < a.length || k < b.length); union++) {
    const difference = i === a.length ? 1 : k === b.length ? -1 : a[i] - b[k];
    if (difference === 0) both++;
    if (difference <= 0) i++;
    if (difference >= 0) k++;
  }
  return union === 0 ? 0 : both / union;
}

test('the estimate is unbiased, with the spread of eight draws', () => {
  for (const shared of [20, 100, 200, 280]) {
    let sum = 0;
    let squares = 0;
    let truth = 0;
    const rounds = 150;
    for (let seed = 1; seed <= rounds; seed++) {
      const common = randomWords(shared, seed);
      const a = [...common, ...randomWords(300 - shared, seed + 10_000)];
      const b = [...common, ...randomWords(300 - shared, seed + 20_000)];
      const estimate = estimateOverlap(
        shingler.ofText(a.join(' ')).hashes,
        shingler.ofText(b.join(' ')).hashes,
      );
      const exact = overlap(a, b);
      truth += exact;
      sum += estimate - exact;
      squares += (estimate - exact) ** 2;
    }
    const share = truth / rounds;
    const deviation = Math.sqrt((share * (1 - share)) / 8);
    expect(Math.abs(sum / rounds)).toBeLessThan((4 * deviation) / Math.sqrt(rounds));
    expect(Math.sqrt(squares / rounds)).toBeLessThan(1.15 * deviation);
  }
});

test('with all windows stored the estimate is the overlap', () => {
  const all = new Shingler({ hashes: ALL });
  const a = randomWords(120, 3);
  const b = [...a.slice(0, 80), ...randomWords(40, 4)];
  // for two texts of one length the union is longer than either list
  const [x, y] = [all.ofText(a.join(' ')).hashes, all.ofText(b.join(' ')).hashes];
  const both = countMatching(x, y);
  expect(both / (x.length + y.length - both)).toBeCloseTo(overlap(a, b), 12);
});

test('texts that share nine tenths are found, and texts that share one tenth are not', () => {
  let found = 0;
  let wrong = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const text = randomWords(400, seed);
    const edited = [...text.slice(0, 380), ...randomWords(20, seed + 1000)];
    const other = [...text.slice(0, 70), ...randomWords(330, seed + 2000)];
    const [a, b, c] = [text, edited, other].map((words) => shingler.ofText(words.join(' ')).hashes);
    if (areNearDuplicates(a, b)) found++;
    if (areNearDuplicates(a, c)) wrong++;
  }
  expect(found).toBeGreaterThanOrEqual(198);
  expect(wrong).toBeLessThanOrEqual(4);
});

test('short texts need the same share of their hashes', () => {
  expect(neededMatches(8, 8)).toBe(4);
  expect(neededMatches(2, 2)).toBe(1);
  expect(neededMatches(2, 8)).toBe(4);
  expect(neededMatches(5, 3)).toBe(3);
  expect(neededMatches(16, 16, { hashes: 16, match: 12 })).toBe(12);
  const { hashes } = shingler.ofText('seven words are enough for two windows');
  expect(areNearDuplicates(hashes, hashes)).toBe(true);
});

test('invalid options are refused by name', () => {
  expect(() => new Shingler({ words: 0 })).toThrow('words must be a whole number from 1 to 100, not 0');
  expect(() => new Shingler({ hashes: 1.5 })).toThrow('hashes must be a whole number');
});
