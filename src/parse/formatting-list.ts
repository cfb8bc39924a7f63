/**
 * The list of active formatting elements: b, i, font, a and their like that were started and not yet ended
 * by their own end tag. One that is no longer open is opened again, as an implied element, before the next
 * text. Markers (tag 0) fence off cells, captions, objects and templates.
 */
import { enlarged } from '../model/growing-array.ts';

/** Of equal elements after the last marker only this many stay in the list. */
const EQUAL_ENTRIES = 3;
/** Bound on the entries after a marker: looking through them stays cheap whatever the page does. */
const MAX_ENTRIES = 256;

export type FormattingArrays = Pick<
  FormattingList,
  'tag' | 'index' | 'contentLow' | 'contentHigh' | 'shapeLow' | 'shapeHigh'
>;

const NONE = new Int32Array(0);

export class FormattingList implements FormattingArrays {
  length = 0;
  /** 0 is a marker. */
  tag = NONE;
  /** Index among the open elements; -1 when closed; 0 for a marker, which never wants opening. */
  index = NONE;
  /** Hash of the start tag, for clones. */
  contentLow = NONE;
  contentHigh = NONE;
  shapeLow = NONE;
  shapeHigh = NONE;

  /** Begins a page, in arrays of equal length. */
  reset({ tag, index, contentLow, contentHigh, shapeLow, shapeHigh }: FormattingArrays): void {
    this.length = 0;
    this.tag = tag;
    this.index = index;
    this.contentLow = contentLow;
    this.contentHigh = contentHigh;
    this.shapeLow = shapeLow;
    this.shapeHigh = shapeHigh;
  }

  /** Whether the newest entry is closed, so that text must open it again. */
  get needsOpening(): boolean {
    return this.length > 0 && this.index[this.length - 1] < 0;
  }

  insertMarker(): void {
    this.#reserve();
    const at = this.length++;
    this.tag[at] = 0;
    this.index[at] = 0;
  }

  /** Drops entries up to and including the last marker. */
  clearToMarker(): void {
    while (this.length > 0 && this.tag[--this.length] !== 0);
  }

  /** The newest entry of a tag after the last marker, or -1. */
  find(tag: number): number {
    for (let i = this.length - 1; i >= 0 && this.tag[i] !== 0; i--) if (this.tag[i] === tag) return i;
    return -1;
  }

  /** The entry to drop before one is appended, or -1: the earliest of three equal ones, or of too many. */
  findSurplus(tag: number, contentLow: number, contentHigh: number): number {
    let equal = 0;
    let seen = 0;
    for (let i = this.length - 1; i >= 0 && this.tag[i] !== 0; i--) {
      if (++seen === MAX_ENTRIES) return i;
      if (this.tag[i] !== tag || this.contentLow[i] !== contentLow || this.contentHigh[i] !== contentHigh)
        continue;
      if (++equal === EQUAL_ENTRIES) return i;
    }
    return -1;
  }

  /** Makes room at `at`; the caller fills it. */
  open(at: number): void {
    this.#reserve();
    for (let i = this.length++; i > at; i--) this.#copy(i - 1, i);
  }

  /** Inserts a copy of an entry at `at`. */
  duplicate(entry: number, at: number): void {
    this.open(at);
    const from = entry >= at ? entry + 1 : entry;
    this.#copy(from, at);
  }

  /** Removes the entry at `at`. */
  remove(at: number): void {
    this.length--;
    for (let i = at; i < this.length; i++) this.#copy(i + 1, i);
  }

  // entry by entry: the list is short, and a call of copyWithin costs more than all it copies
  #copy(from: number, to: number): void {
    this.tag[to] = this.tag[from];
    this.index[to] = this.index[from];
    this.contentLow[to] = this.contentLow[from];
    this.contentHigh[to] = this.contentHigh[from];
    this.shapeLow[to] = this.shapeLow[from];
    this.shapeHigh[to] = this.shapeHigh[from];
  }

  #reserve(): void {
    const capacity = this.tag.length;
    if (this.length < capacity) return;
    this.tag = enlarged(this.tag, capacity * 2);
    this.index = enlarged(this.index, capacity * 2);
    this.contentLow = enlarged(this.contentLow, capacity * 2);
    this.contentHigh = enlarged(this.contentHigh, capacity * 2);
    this.shapeLow = enlarged(this.shapeLow, capacity * 2);
    this.shapeHigh = enlarged(this.shapeHigh, capacity * 2);
  }
}

/** Arrays for the list, each at the place that is given for its name. */
export function formattingArrays(
  place: (name: keyof FormattingArrays) => [buffer: ArrayBuffer, byteOffset: number, length: number],
): FormattingArrays {
  return {
    tag: new Int32Array(...place('tag')),
    index: new Int32Array(...place('index')),
    contentLow: new Int32Array(...place('contentLow')),
    contentHigh: new Int32Array(...place('contentHigh')),
    shapeLow: new Int32Array(...place('shapeLow')),
    shapeHigh: new Int32Array(...place('shapeHigh')),
  };
}
