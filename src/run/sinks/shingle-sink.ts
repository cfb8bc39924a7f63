/**
 * Labelled pages as the shingles of what no detector calls template, on their way to `chaff dedup`. A page with fewer words
 * left than a shingle has, or with nothing left but template, is no near-duplicate of another by those words:
 * it has one hash, of its whole text, and only an exact copy has the same.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Shingler, type Shingles } from '../../analysis/shingles.ts';
import type { Range } from '../../model/range.ts';
import type { Tree } from '../../parse/tree.ts';
import type { ShinglesOutput } from '../tasks/task.ts';
import type { Clock } from '../tasks/task-record.ts';
import type { LabelledPage, LabelSink } from './label-sink.ts';

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

  add({ planned, tree, verdicts, problems }: LabelledPage, clock: Clock): void {
    const ranges = verdicts.map((verdict) => verdict.ranges).reduce(keptByBoth);
    // whatever a verdict on the page alone would keep, the site has it all on other pages
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

/** Ranges that are template where one of the two is. */
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

export const SHINGLES_FILE = 'shingles.bin';

export interface PageShingles extends Shingles {
  page: number;
}

/** Shingles on their way to a file. */
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

/** The pages of a part, in order. */
export function* decodeShingles(bytes: Uint8Array): Generator<PageShingles> {
  if (bytes.length % Float64Array.BYTES_PER_ELEMENT !== 0) throw new Error('a part of shingles is damaged');
  // a copy, so that numbers lie where they may
  const numbers = new Float64Array(new Uint8Array(bytes).buffer);
  for (let at = 0; at < numbers.length; ) {
    const [page, wordCount, digest, size] = numbers.subarray(at, at + 4);
    const hashes = numbers.subarray(at + 4, at + 4 + size);
    if (hashes.length !== size) throw new Error('a part of shingles is damaged');
    yield { page, wordCount, digest, hashes };
    at += 4 + size;
  }
}
