/** Builds ranges that tile a page: detectors find the templates, and everything in between is content. */
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

/** Builds ranges that tile a page from ranges that are added one by one. */
export class Tiles {
  readonly #tiles: Range[] = [];
  readonly #sizeBytes: number;
  #position = 0;

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
  }

  /** Adds the next range; throws a RangeError when it is out of order or beyond the page. */
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

  /** Returns all ranges; none can be added after that. */
  finish(): Range[] {
    if (this.#position < this.#sizeBytes) this.#tiles.push(contentRange(this.#position, this.#sizeBytes));
    return this.#tiles;
  }
}

/** Returns a content range `[start, end)` with score 1. */
export function contentRange(start: number, end: number, role?: Role): Range {
  return makeRange(start, end, 'content', 1, '', '', role);
}

/**
 * Returns a range. Every range is created here: object literals in several places, some with whole scores and
 * some without, would have several shapes in V8, and the loops over ranges would be recompiled again and
 * again.
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

/** Returns a slot: a range inside an occurrence of a template whose text varies over pages. */
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
 * Returns the confidence that something is template by its number of pages: 0.5 at the threshold, 1 on every
 * page, linear in between.
 */
export function shareScore(pages: number, thresholdPages: number, pagesLearnt: number): number {
  if (pagesLearnt <= thresholdPages) return pages >= pagesLearnt ? 1 : 0.5;
  const above = (pages - thresholdPages) / (pagesLearnt - thresholdPages);
  return Math.round((0.5 + 0.5 * Math.min(1, Math.max(0, above))) * 10_000) / 10_000;
}

/**
 * Returns the bytes of `tree.text` by the label of their range; ranges tile the source. The space before a
 * text is counted with the text.
 */
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
