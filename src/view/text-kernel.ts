/**
 * The text of a page for JSON by the code of text-walk-code.ts, twice as fast as text-writer.ts writes it: a page's columns, ranges and source are copied in, its text is
 * left there. References are looked up in a table: at one that is not there the code stops, it is added, and the code
 * goes on.
 */
import type { Range } from '../model/range.ts';
import { instantiate } from '../model/wasm-code.ts';
import { decodeReference, isReferenceByte, LONGEST_REFERENCE } from '../parse/character-references.ts';
import type { Tree } from '../parse/tree.ts';
import { displayOfTag } from './display.ts';
import { copyFunctions, referencePlace } from './text-copy-code.ts';
import * as code from './text-memory.ts';
import { walkFunctions } from './text-walk-code.ts';
import { jsonBytes } from './text-writer.ts';

/** Of a table that is fuller, all is forgotten. */
const MOST_REFERENCES = code.PLACES / 2;
/** Beyond every page. */
const LAST_OFFSET = 0x7fffffff;
/** No text can hold it, yet the last byte of the source may want a second one. */
const AFTER_SOURCE = 0xa0;

export class TextKernel {
  readonly #bytes: Buffer;
  readonly #words: Int32Array;
  readonly #names: Uint16Array;
  readonly #render: (nodes: number, sourceEnd: number, resumed: number) => number;
  #references = 0;

  constructor() {
    const { memory, exports } = instantiate([...copyFunctions(), ...walkFunctions()], code.MEMORY_BYTES);
    this.#render = exports.render;
    this.#bytes = Buffer.from(memory);
    this.#words = new Int32Array(memory, 0, code.NAME_AT / 4);
    this.#names = new Uint16Array(memory, code.NAME_AT, code.MOST_NODES);
    for (const [address, table] of code.TABLES) this.#bytes.set(table, address);
    this.#bytes.set(jsonBytes, code.WRITTEN_AT);
    this.#bytes.set(displayOfTag, code.DISPLAY_AT);
    for (let byte = 0; byte < 256; byte++) {
      this.#bytes[code.REFERENCE_BYTES_AT + byte] = Number(isReferenceByte(byte));
    }
  }

  /** The text of a page, which holds until the next; undefined where it is for text-writer.ts to write. */
  render(tree: Tree, ranges: readonly Range[]): Uint8Array | undefined {
    const { source, nodeCount } = tree;
    if (nodeCount > code.MOST_NODES || source.length > code.MOST_SOURCE_BYTES) return undefined;
    if (!this.#takeRanges(ranges)) return undefined;
    this.#takeTree(tree);
    let unknown = this.#render(nodeCount, source.length, 0);
    while (unknown !== 0) {
      if (!this.#learnReference(unknown, this.#words[code.REFERENCE_SIZE])) return undefined;
      unknown = this.#render(nodeCount, source.length, unknown);
    }
    return this.#bytes.subarray(code.OUT_AT, this.#words[code.OUT]);
  }

  #takeTree({ source, nodeCount, kind, name, parent, last, start, openEnd, end }: Tree): void {
    const words = this.#words;
    const bytes = this.#bytes;
    words.set(last.subarray(0, nodeCount), code.LAST_AT / 4);
    words.set(parent.subarray(0, nodeCount), code.PARENT_AT / 4);
    words.set(start.subarray(0, nodeCount), code.START_AT / 4);
    words.set(openEnd.subarray(0, nodeCount), code.OPEN_END_AT / 4);
    words.set(end.subarray(0, nodeCount), code.END_AT / 4);
    this.#names.set(name.subarray(0, nodeCount));
    bytes.set(kind.subarray(0, nodeCount), code.KIND_AT);
    bytes.set(source, code.SOURCE_AT);
    const after = code.SOURCE_AT + source.length;
    bytes.fill(0, after, after + code.PADDING);
    bytes[after] = AFTER_SOURCE;
  }

  /** Takes ranges, gaps between them as content; false where they are too many, or not ordered and disjoint. */
  #takeRanges(ranges: readonly Range[]): boolean {
    const words = this.#words;
    let word = code.RANGES_AT / 4;
    const full = word + code.RANGE_WORDS * (code.MOST_RANGES - 2);
    let position = 0;
    for (const { start, end, label } of ranges) {
      if (start < position || end < start || word >= full) return false;
      if (start > position) {
        words[word++] = position;
        words[word++] = start;
        words[word++] = 1;
      }
      position = end;
      if (end === start) continue;
      words[word++] = start;
      words[word++] = end;
      words[word++] = label === 'template' ? 0 : 1;
    }
    words[word++] = position;
    words[word++] = LAST_OFFSET;
    words[word++] = 1;
    return true;
  }

  /** Adds the reference at an address; false where it is too long. */
  #learnReference(address: number, size: number): boolean {
    if (size > LONGEST_REFERENCE) return false;
    const reference = this.#bytes.subarray(address, address + size);
    const decoded = decodeReference(reference.toString('latin1'));
    if (this.#references++ === MOST_REFERENCES) this.#forgetReferences();

    const words = this.#words;
    let place = referencePlace(reference);
    while (words[placeAddress(place) / 4] !== 0) place = (place + 1) % code.PLACES;
    const to = placeAddress(place);
    words[to / 4] = size;
    words[to / 4 + 1] = decoded.length;
    this.#bytes.set(reference, to + code.REFERENCE_FROM);
    this.#bytes.set(decoded, to + code.DECODED_FROM);
    return true;
  }

  #forgetReferences(): void {
    this.#bytes.fill(0, placeAddress(0), placeAddress(code.PLACES));
    this.#references = 1;
  }
}

function placeAddress(place: number): number {
  return code.REFERENCES_AT + place * code.PLACE_BYTES;
}
