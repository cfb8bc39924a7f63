/**
 * The sink of `chaff dedup`: computes the shingles of text that no detector calls template. A page with fewer remaining
 * words than a shingle has cannot be a near-duplicate by these words: it gets one hash of its whole text, which only an
 * exact copy shares.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Shingler, type Shingles } from '../../analysis/shingles.ts';
import type { Range } from '../../model/range.ts';
import type { Tree } from '../../parse/tree.ts';
import type { ShinglesOutput } from '../tasks/task.ts';
import type { Clock } from '../tasks/task-record.ts';
import type { LabelSink, SinkPage } from './label-sink.ts';

/** Writes the shingles of labelled pages to a file. */
export class ShingleSink implements LabelSink {
  readonly #draft: string;
  readonly #shingler: Shingler;
  readonly #words: number;
  readonly #part = new ShinglePart();

  constructor({ draft, output }: { draft: string; output: ShinglesOutput }) {
    this.#draft = draft;
    this.#shingler = new Shingler(output);
    this.#words = output.words;
  }

  add({ planned, tree, verdicts, problems }: SinkPage, clock: Clock): void {
    const ranges = verdicts.map((verdict) => verdict.ranges).reduce(keptByBoth);
    // the page-level fallback would keep this text, but other pages of the site repeat it
    const isAllTemplate = problems.some(({ code }) => code === 'nothing-left');
    const left = isAllTemplate ? undefined : this.#shingler.ofTree(tree, ranges);
    this.#part.add(planned.page, left && left.wordCount >= this.#words ? left : this.#wholePage(tree, left));
    clock.lap('digest');
  }

  #wholePage(tree: Tree, left: Shingles | undefined): Shingles {
    const whole = this.#shingler.ofTree(tree);
    const hashes = whole.wordCount < this.#words ? [] : [whole.digest];
    return { wordCount: left?.wordCount ?? 0, digest: whole.digest, hashes: Float64Array.from(hashes) };
  }

  close(): void {
    writeFileSync(join(this.#draft, SHINGLES_FILE), this.#part.encode());
  }
}

/** Combines two verdicts: a byte is template if either calls it template. */
export function keptByBoth(one: Range[], other: Range[]): Range[] {
  const both: Range[] = [];
  for (let k = 0, j = 0; k < one.length && j < other.length; ) {
    const start = Math.max(one[k].start, other[j].start);
    const end = Math.min(one[k].end, other[j].end);
    const range = other[j].label === 'template' ? other[j] : one[k];
    if (end > start) both.push({ ...range, start, end });
    if (one[k].end === end) k++;
    else j++;
  }
  return both;
}

/** Name of the shingle file in a task's folder. */
export const SHINGLES_FILE = 'shingles.bin';

/** The shingles of one page. */
export interface PageShingles extends Shingles {
  page: number;
}

/** Collects shingles for a file. */
export class ShinglePart {
  #numbers = new Float64Array(1 << 10);
  #count = 0;

  add(page: number, { wordCount, digest, hashes }: Shingles): void {
    const size = 4 + hashes.length;
    if (this.#count + size > this.#numbers.length) {
      const larger = new Float64Array(2 * this.#numbers.length + size);
      larger.set(this.#numbers.subarray(0, this.#count));
      this.#numbers = larger;
    }
    this.#numbers.set([page, wordCount, digest, hashes.length], this.#count);
    this.#numbers.set(hashes, this.#count + 4);
    this.#count += size;
  }

  encode(): Uint8Array {
    return new Uint8Array(this.#numbers.buffer, 0, this.#count * Float64Array.BYTES_PER_ELEMENT);
  }
}

/** Decodes the pages of a file, in order. */
export function* decodeShingles(bytes: Uint8Array): Generator<PageShingles> {
  if (bytes.length % Float64Array.BYTES_PER_ELEMENT !== 0) throw new Error('a part of shingles is damaged');
  // copy the bytes so that 64-bit numbers are aligned
  const numbers = new Float64Array(new Uint8Array(bytes).buffer);
  for (let at = 0; at < numbers.length; ) {
    const [page, wordCount, digest, size] = numbers.subarray(at, at + 4);
    const hashes = numbers.subarray(at + 4, at + 4 + size);
    if (hashes.length !== size) throw new Error('a part of shingles is damaged');
    yield { page, wordCount, digest, hashes };
    at += 4 + size;
  }
}
