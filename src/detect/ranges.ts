/** Ranges that tile a page: detectors find the templates, everything between is content. */
import type { Label, Range } from '../model/range.ts';
import type { Role } from '../model/role.ts';
import { TextCursor } from '../parse/source-map.ts';
import type { Tree } from '../parse/tree.ts';

/** Fills the gaps between ordered, disjoint ranges with content, so that every byte has one label. */
export function tileRanges(sizeBytes: number, ranges: readonly Range[]): Range[] {
  const tiles = new Tiles(sizeBytes);
  for (const range of ranges) tiles.add(range);
  return tiles.finish();
}

/** The same for ranges that come one by one. */
export class Tiles {
  readonly #tiles: Range[] = [];
  readonly #sizeBytes: number;
  #position = 0;

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
  }

  add(range: Range): void {
    const { start, end } = range;
    const position = this.#position;
    if (start < position || end > this.#sizeBytes) {
      throw new RangeError(
        `ranges must be ordered, disjoint and within [0, ${this.#sizeBytes}): ${start}–${end}`,
      );
    }
    if (end === start) return;
    if (start > position) this.#tiles.push(contentRange(position, start));
    this.#tiles.push(range);
    this.#position = end;
  }

  /** All of them; none can be added any more. */
  finish(): Range[] {
    if (this.#position < this.#sizeBytes) this.#tiles.push(contentRange(this.#position, this.#sizeBytes));
    return this.#tiles;
  }
}

export function contentRange(start: number, end: number, role?: Role): Range {
  return makeRange(start, end, 'content', 1, '', '', role);
}

/**
 * Every range is made here: literals of several places, some with whole scores and some without, are objects of
 * several shapes to V8, and the loops over ranges are then compiled again and again.
 */
export function makeRange(
  start: number,
  end: number,
  label: Label,
  score: number,
  template: string,
  reason: string,
  role?: Role,
): Range {
  return { start, end, label, score, template, reason, role };
}

/** A range inside an occurrence of a template whose content varies over pages. */
export function slotIn({ score, template, reason }: Range, start: number, end: number): Range {
  return makeRange(
    start,
    end,
    'slot',
    score,
    template,
    `changing content; the template around it: ${reason}`,
  );
}

/**
 * How sure a page count makes us that something is template: 0.5 at the threshold, 1 on every page, a
 * straight line between.
 */
export function shareScore(pages: number, thresholdPages: number, pagesLearnt: number): number {
  if (pagesLearnt <= thresholdPages) return pages >= pagesLearnt ? 1 : 0.5;
  const above = (pages - thresholdPages) / (pagesLearnt - thresholdPages);
  return Math.round((0.5 + 0.5 * Math.min(1, Math.max(0, above))) * 10_000) / 10_000;
}

/** Bytes of `tree.text` by the label of the range they lie in; ranges tile the source. The space before a text goes with it. */
export function textBytesByLabel(tree: Tree, ranges: readonly Range[]): Record<Label, number> {
  const bytes: Record<Label, number> = { template: 0, slot: 0, content: 0, unsure: 0 };
  const cursor = new TextCursor(tree);
  let position = 0;
  for (const { end, label } of ranges) {
    const next = cursor.positionOf(end);
    bytes[label] += next - position;
    position = next;
  }
  return bytes;
}
