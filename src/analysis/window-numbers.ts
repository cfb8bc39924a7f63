/**
 * Windows by number, 0 for the first that was seen, with the texts each is on. The counts are columns by number:
 * what is repeated from text to text has numbers that follow each other, so that counting it again walks through
 * memory and looks nothing up.
 */
import { doubled } from '../model/growing-array.ts';
import { emptyCounts, type HashCounts, HIGH_LANE, LOW_LANE } from './hash-counter.ts';

const FIRST_SIZE = 4096;

export class WindowNumbers {
  size = 0;
  low: Int32Array = new Int32Array(FIRST_SIZE);
  high: Int32Array = new Int32Array(FIRST_SIZE);
  /** Where it was first seen. */
  firstAt: Int32Array = new Int32Array(FIRST_SIZE);
  /** The last text it was seen on, from 1; how many texts; how often in all. */
  lastText: Int32Array = new Int32Array(FIRST_SIZE);
  texts: Int32Array = new Int32Array(FIRST_SIZE);
  occurrences: Int32Array = new Int32Array(FIRST_SIZE);
  /** Open addressing by the high lane; one more than the number. At most half full. */
  #slots: Int32Array = new Int32Array(2 * FIRST_SIZE);

  /** The number of a window, which is a new one when it was not seen before: `size` was its number then. */
  numberOf(low: number, high: number, at: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = high & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = slots[slot] - 1;
      if (this.high[number] === high && this.low[number] === low) return number;
    }
    const number = this.size;
    if (number === this.low.length) {
      this.#grow();
      return this.numberOf(low, high, at);
    }
    this.size++;
    slots[slot] = number + 1;
    this.low[number] = low;
    this.high[number] = high;
    this.firstAt[number] = at;
    return number;
  }

  /** Those on at least `minTexts` texts, in the order of `HashCounts`, and where each was first seen. */
  select(minTexts: number): { counts: HashCounts; firstAt: Int32Array } {
    const { size, low, high, texts, occurrences } = this;
    let count = 0;
    for (let number = 0; number < size; number++) if (texts[number] >= minTexts) count++;
    const keys = new BigUint64Array(count);
    const lanes = new Int32Array(keys.buffer);
    for (let number = 0, next = 0; number < size; number++) {
      if (texts[number] < minTexts) continue;
      lanes[next + LOW_LANE] = low[number];
      lanes[next + HIGH_LANE] = high[number];
      next += 2;
    }
    keys.sort();
    const counts = emptyCounts(count);
    const firstAt = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      counts.low[i] = lanes[2 * i + LOW_LANE];
      counts.high[i] = lanes[2 * i + HIGH_LANE];
      const number = this.numberOf(counts.low[i], counts.high[i], 0);
      counts.pages[i] = texts[number];
      counts.occurrences[i] = occurrences[number];
      firstAt[i] = this.firstAt[number];
    }
    return { counts, firstAt };
  }

  #grow(): void {
    this.low = doubled(this.low);
    this.high = doubled(this.high);
    this.firstAt = doubled(this.firstAt);
    this.lastText = doubled(this.lastText);
    this.texts = doubled(this.texts);
    this.occurrences = doubled(this.occurrences);
    const slots = new Int32Array(2 * this.low.length);
    const mask = slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      let slot = this.high[number] & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}
