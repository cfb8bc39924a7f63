/**
 * Finds the tokens of one sequence that occur in the same order in another: a longest common subsequence, in
 * linear space. Equal ends are matched first, and tokens that only one side has are left out, which makes
 * pages without a common word cheap. Tokens that occur once on either side then anchor the rest (patience
 * diff), which cuts real pages into short pieces. A piece without an anchor goes to Myers' O(ND) search for
 * the middle of an edit path, and then to the same search in each half.
 *
 * The work is bounded: steps are counted, and a piece gets half of those left. A piece that would need more
 * stays unmatched and is reported, and the caller may compare it by larger blocks. One hard piece does not
 * use up the steps of the others, and hostile pages cannot make a diff slow.
 */
import { HashSet } from './hash-tables.ts';

/** Result of a diff. */
export interface DiffResult {
  /** Pieces of `a`, as pairs [from, to), that were given up. */
  givenUp: [from: number, to: number][];
}

/** Options of a diff. */
export interface DiffOptions {
  /**
   * Maximum number of steps of a piece per token of both sequences; all pieces together take twice that, 32 million at
   * most. @default 64
   */
  stepsPerToken?: number;
  /**
   * Whether tokens that occur once on either side are matched first; without this, the result is a longest
   * subsequence. @default true
   */
  anchors?: boolean;
}

/** Default of the steps per token of both sequences. */
const DEFAULT_STEPS_PER_TOKEN = 64;
/** Maximum number of steps of one diff, about a third of a second; only sequences of some 100,000 tokens reach it. */
const MAX_STEPS = 32_000_000;

/** Compares sequences of tokens. */
export class TokenDiff {
  #forward = new Int32Array(1024);
  #backward = new Int32Array(1024);
  readonly #anchors = new AnchorFinder();
  readonly #known = new HashSet();
  readonly #sharedA = new SharedTokens();
  readonly #sharedB = new SharedTokens();
  #steps = 0;
  // the middle of the last edit path: a diagonal run of equal tokens, possibly empty
  #snakeA = 0;
  #snakeB = 0;
  #snakeLength = 0;

  /**
   * Sets `partner`, which has an entry for every token of `a`, to the index of its partner in `b`; -1 for
   * none.
   */
  match(wholeA: Int32Array, wholeB: Int32Array, partner: Int32Array, options: DiffOptions = {}): DiffResult {
    const { stepsPerToken = DEFAULT_STEPS_PER_TOKEN, anchors: anchored = true } = options;
    partner.fill(-1, 0, wholeA.length);
    let from = 0;
    let endA = wholeA.length;
    let endB = wholeB.length;
    for (; from < endA && from < endB && wholeA[from] === wholeB[from]; from++) partner[from] = from;
    while (from < endA && from < endB && wholeA[endA - 1] === wholeB[endB - 1]) partner[--endA] = --endB;
    const middleOfA = wholeA.subarray(from, endA);
    const middleOfB = wholeB.subarray(from, endB);
    const {
      tokens: a,
      indexes,
      count: countA,
    } = this.#sharedA.fill(middleOfA, from, this.#known.fill(middleOfB, middleOfB, middleOfB.length));
    const {
      tokens: b,
      indexes: indexesB,
      count: countB,
    } = this.#sharedB.fill(middleOfB, from, this.#known.fill(middleOfA, middleOfA, middleOfA.length));
    this.#steps = Math.min(MAX_STEPS, 2 * stepsPerToken * (countA + countB));
    const givenUp: [number, number][] = [];
    // pieces still to match: a from, a to, b from, b to
    const pieces = [0, countA, 0, countB];
    while (pieces.length > 0) {
      let bTo = pieces.pop()!;
      let bFrom = pieces.pop()!;
      let aTo = pieces.pop()!;
      let aFrom = pieces.pop()!;
      while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) {
        partner[indexes[aFrom++]] = indexesB[bFrom++];
      }
      while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) {
        partner[indexes[--aTo]] = indexesB[--bTo];
      }
      if (aFrom === aTo || bFrom === bTo) continue;
      const size = aTo - aFrom + bTo - bFrom;
      if (size > this.#steps) {
        givenUp.push([indexes[aFrom], indexes[aTo - 1] + 1]);
        continue;
      }
      this.#steps -= size;
      const anchors = anchored ? this.#anchors.find(a, aFrom, aTo, b, bFrom, bTo) : [];
      if (anchors.length > 0) {
        for (let i = 0; i < anchors.length; i += 2) {
          partner[indexes[anchors[i]]] = indexesB[anchors[i + 1]];
          pieces.push(aFrom, anchors[i], bFrom, anchors[i + 1]);
          aFrom = anchors[i] + 1;
          bFrom = anchors[i + 1] + 1;
        }
        pieces.push(aFrom, aTo, bFrom, bTo);
      } else if (this.#findMiddle(a, aFrom, aTo, b, bFrom, bTo, this.#steps / 2)) {
        const middleA = this.#snakeA;
        const middleB = this.#snakeB;
        const length = this.#snakeLength;
        for (let i = 0; i < length; i++) partner[indexes[middleA + i]] = indexesB[middleB + i];
        pieces.push(aFrom, middleA, bFrom, middleB);
        pieces.push(middleA + length, aTo, middleB + length, bTo);
      } else givenUp.push([indexes[aFrom], indexes[aTo - 1] + 1]);
    }
    givenUp.sort(([left], [right]) => left - right);
    return { givenUp };
  }

  /**
   * Finds Myers' middle snake (1986, section 4b): edit paths grow from both ends, one step at a time, until
   * two meet. False if the steps ran out, all of them or those of this piece.
   */
  #findMiddle(
    a: Int32Array,
    aFrom: number,
    aTo: number,
    b: Int32Array,
    bFrom: number,
    bTo: number,
    mostSteps: number,
  ): boolean {
    const n = aTo - aFrom;
    const m = bTo - bFrom;
    const delta = n - m;
    const odd = (delta & 1) !== 0;
    const half = (n + m + 1) >> 1;
    const offset = half + 1;
    const least = Math.max(0, this.#steps - mostSteps); // steps left to the other pieces
    if (this.#forward.length < 2 * offset + 1) {
      this.#forward = new Int32Array(4 * offset);
      this.#backward = new Int32Array(4 * offset);
    }
    const forward = this.#forward;
    const backward = this.#backward;
    forward[offset + 1] = 0;
    backward[offset + 1] = 0;
    for (let d = 0; d <= half; d++) {
      this.#steps -= 2 * d + 2;
      if (this.#steps < least) return false;
      // diagonals beyond either sequence lead nowhere
      const lowest = -d + 2 * Math.max(0, d - m);
      const highest = d - 2 * Math.max(0, d - n);
      for (let k = lowest; k <= highest; k += 2) {
        const down = k === -d || (k !== d && forward[offset + k - 1] < forward[offset + k + 1]);
        let x = down ? forward[offset + k + 1] : forward[offset + k - 1] + 1;
        let y = x - k;
        const start = x;
        while (x < n && y < m && a[aFrom + x] === b[bFrom + y]) {
          x++;
          y++;
        }
        this.#steps -= x - start;
        forward[offset + k] = x;
        const reverse = delta - k;
        if (odd && reverse >= -(d - 1) && reverse <= d - 1 && x + backward[offset + reverse] >= n) {
          return this.#snake(aFrom + start, bFrom + start - k, x - start);
        }
      }
      for (let k = lowest; k <= highest; k += 2) {
        const down = k === -d || (k !== d && backward[offset + k - 1] < backward[offset + k + 1]);
        let x = down ? backward[offset + k + 1] : backward[offset + k - 1] + 1;
        let y = x - k;
        const start = x;
        while (x < n && y < m && a[aTo - 1 - x] === b[bTo - 1 - y]) {
          x++;
          y++;
        }
        this.#steps -= x - start;
        backward[offset + k] = x;
        const reverse = delta - k;
        if (!odd && reverse >= -d && reverse <= d && x + forward[offset + reverse] >= n) {
          return this.#snake(aTo - x, bTo - y, x - start);
        }
      }
    }
    return false;
  }

  #snake(a: number, b: number, length: number): boolean {
    this.#snakeA = a;
    this.#snakeB = b;
    this.#snakeLength = length;
    return true;
  }
}

/** The tokens of a sequence that another sequence has as well, with their indexes. */
class SharedTokens {
  count = 0;
  tokens = new Int32Array(1024);
  indexes = new Int32Array(1024);

  fill(sequence: Int32Array, offset: number, known: HashSet): this {
    if (this.tokens.length < sequence.length) {
      this.tokens = new Int32Array(2 * sequence.length);
      this.indexes = new Int32Array(2 * sequence.length);
    }
    let count = 0;
    for (let i = 0; i < sequence.length; i++) {
      if (!known.has(sequence[i], sequence[i])) continue;
      this.tokens[count] = sequence[i];
      this.indexes[count++] = offset + i;
    }
    this.count = count;
    return this;
  }
}

/** Finds tokens that occur once in either piece, in an order that both share (the longest such chain). */
class AnchorFinder {
  // open addressing by token: its index in a and b; -1 if absent, -2 if it occurs more than once
  #keys = new Int32Array(1024);
  #inA = new Int32Array(1024);
  #inB = new Int32Array(1024);

  find(a: Int32Array, aFrom: number, aTo: number, b: Int32Array, bFrom: number, bTo: number): number[] {
    let buckets = 16;
    while (buckets < 2 * (aTo - aFrom + bTo - bFrom)) buckets *= 2;
    if (this.#keys.length < buckets) {
      this.#keys = new Int32Array(buckets);
      this.#inA = new Int32Array(buckets);
      this.#inB = new Int32Array(buckets);
    }
    const inA = this.#inA.fill(-1, 0, buckets);
    const inB = this.#inB.fill(-1, 0, buckets);
    for (let i = aFrom; i < aTo; i++) {
      const bucket = this.#bucketOf(a[i], buckets - 1);
      inA[bucket] = inA[bucket] === -1 ? i : -2;
    }
    for (let i = bFrom; i < bTo; i++) {
      const bucket = this.#bucketOf(b[i], buckets - 1);
      inB[bucket] = inB[bucket] === -1 ? i : -2;
    }
    // in the order of a, then the longest chain of increasing indexes in b
    const pairs: [inA: number, inB: number][] = [];
    for (let i = aFrom; i < aTo; i++) {
      const bucket = this.#bucketOf(a[i], buckets - 1);
      if (inA[bucket] === i && inB[bucket] >= 0) pairs.push([i, inB[bucket]]);
    }
    return longestChain(pairs);
  }

  #bucketOf(key: number, mask: number): number {
    const keys = this.#keys;
    let bucket = key & mask;
    while (!(this.#inA[bucket] === -1 && this.#inB[bucket] === -1) && keys[bucket] !== key)
      bucket = (bucket + 1) & mask;
    keys[bucket] = key;
    return bucket;
  }
}

/** Returns the longest chain whose second numbers increase, flattened, by patience sorting. */
function longestChain(pairs: [number, number][]): number[] {
  const tops: number[] = []; // index into pairs of the top card of each pile
  const before = new Int32Array(pairs.length);
  for (let i = 0; i < pairs.length; i++) {
    let low = 0;
    for (let high = tops.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (pairs[tops[middle]][1] < pairs[i][1]) low = middle + 1;
      else high = middle;
    }
    before[i] = low > 0 ? tops[low - 1] : -1;
    tops[low] = i;
  }
  const chain: number[] = [];
  for (let i = tops.length > 0 ? tops[tops.length - 1] : -1; i >= 0; i = before[i]) {
    chain.push(pairs[i][1], pairs[i][0]);
  }
  return chain.reverse();
}
