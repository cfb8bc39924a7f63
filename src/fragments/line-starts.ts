/** Lines of a page: where they start, and the line and column of an offset. */
import { doubled } from '../model/growing-array.ts';

const LINE_FEED = 0x0a;
const RETURN = 0x0d;

export class LineStarts {
  #starts = new Uint32Array(1024);
  #count = 1;

  /** Reads a source. Lines end with a line feed; in a source without any, with a carriage return. */
  read(source: Uint8Array): void {
    const lineEnd = source.includes(LINE_FEED) ? LINE_FEED : RETURN;
    this.#count = 1;
    for (let at = source.indexOf(lineEnd); at >= 0; at = source.indexOf(lineEnd, at + 1)) {
      if (this.#count === this.#starts.length) this.#starts = doubled(this.#starts);
      this.#starts[this.#count++] = at + 1;
    }
  }

  /** Line and column of the first `count` offsets, both from 1, the column in bytes. */
  find(offsets: Uint32Array, count: number, lines: Uint32Array, columns: Uint32Array): void {
    const starts = this.#starts;
    let line = 0;
    for (let k = 0; k < count; k++) {
      const offset = offsets[k];
      // offsets of neighbours are mostly in the same line
      if (offset < starts[line] || (line + 1 < this.#count && offset >= starts[line + 1])) {
        line = this.#lineOf(offset);
      }
      lines[k] = line + 1;
      columns[k] = offset - starts[line] + 1;
    }
  }

  #lineOf(offset: number): number {
    let low = 0;
    let high = this.#count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
