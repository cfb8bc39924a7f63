/**
 * Labelled pages as the shingles of what is not template, on their way to `chaff dedup`. A page with fewer words
 * left than a shingle has, or with nothing left but template, is no near-duplicate of another by those words:
 * it has one hash, of its whole text, and only an exact copy has the same.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Shingler, type Shingles } from '../../analysis/shingles.ts';
import type { Tree } from '../../parse/tree.ts';
import { SHINGLES_FILE, ShinglePart } from '../tasks/shingle-part.ts';
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
    const { ranges } = verdicts[0];
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
