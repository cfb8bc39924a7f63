/**
 * Date slots: template slots that hold one day on nearly every page that has them, which is where a site shows when a
 * page was published. A slot is a class path. A list of teasers has several days per page, and a footer has the same
 * day on all pages; neither qualifies.
 */
import * as layout from '../../kernel/block-layout.ts';
import { dayOf, findDates } from '../../metadata/dates.ts';
import type { PageFindings } from '../../metadata/read-metadata.ts';
import { decodeReferences } from '../../parse/character-references.ts';
import type { Tree } from '../../parse/tree.ts';
import type { PageBlocks } from './block-reader.ts';
import { ROLE } from './block-roles.ts';

/** The slots as plain data, sorted by (high, low). */
export interface DateSlots {
  low: Int32Array;
  high: Int32Array;
  /** Which number of `31/10/2019` is the day: 1 the first, 2 the second, 0 if unknown. */
  order: number;
}

/** Longest block with a day, in words. */
const MAX_WORDS = 16;
/**
 * Minimum number of pages with a day in the slot, minimum share of the pages with the slot, and minimum different days
 * per page.
 */
const MIN_PAGES = 5;
const MIN_SHARE = 0.8;
const MIN_DAYS = 0.4;
/** Maximum number of blocks of a slot per page that has the slot. */
const MAX_PER_PAGE = 1.2;
const MAX_SLOTS = 8;

const RECORD = layout.BLOCK_RECORD_WORDS;
const ELEMENT = layout.ELEMENT_WORDS_SIZE;
const decoder = new TextDecoder();

interface SlotCount {
  low: number;
  high: number;
  pages: number;
  dated: number;
  blocks: number;
  days: Set<string>;
  order: number;
}

/** Counts, page by page, which slots hold a day, and finds the date slots of the site. */
export class DateSlotCounter {
  readonly #slots = new Map<string, SlotCount>();

  /** Counts a page whose blocks the reader has found. */
  add(tree: Tree, blocks: PageBlocks): void {
    const { count, records, elements } = blocks;
    const onPage = new Map<string, { blocks: number; text: string }>();
    for (let block = 0; block < count; block++) {
      const words = records[block * RECORD + layout.BLOCK_WORD_COUNT];
      if (words > MAX_WORDS) continue;
      const { low, high } = slotOf(records, elements, block);
      const key = `${high} ${low}`;
      const seen = onPage.get(key);
      const hasDay = records[block * RECORD + layout.BLOCK_DATES] > 0;
      if (!hasDay && !this.#slots.has(key) && !seen) continue;
      if (seen) seen.blocks++;
      else onPage.set(key, { blocks: 1, text: hasDay ? textOf(tree, records, block) : '' });
      if (!this.#slots.has(key)) {
        this.#slots.set(key, { low, high, pages: 0, dated: 0, blocks: 0, days: new Set(), order: 0 });
      }
    }
    for (const [key, { blocks: found, text }] of onPage) {
      const slot = this.#slots.get(key)!;
      slot.pages++;
      slot.blocks += found;
      const dates = findDates(text);
      if (dates.length === 0) continue;
      slot.dated++;
      slot.days.add(dayOf(dates[0]));
      slot.order += orderOf(text);
    }
  }

  finish(): DateSlots {
    const found = [...this.#slots.values()]
      .filter(({ pages, dated, blocks, days }) => {
        const isEverywhere = dated >= MIN_PAGES && dated >= MIN_SHARE * pages;
        return isEverywhere && blocks <= MAX_PER_PAGE * pages && days.size >= MIN_DAYS * dated;
      })
      .sort((a, b) => b.dated - a.dated || compareKeys(a, b))
      .slice(0, MAX_SLOTS)
      .sort(compareKeys);
    const order = found.reduce((sum, slot) => sum + slot.order, 0);
    return {
      low: Int32Array.from(found, ({ low }) => low),
      high: Int32Array.from(found, ({ high }) => high),
      order: order === 0 ? 0 : order > 0 ? 1 : 2,
    };
  }
}

/** The days in a page's date slots; those after the headline come first. */
export function datesInSlots(
  tree: Tree,
  { blocks, roles }: { blocks: PageBlocks; roles: Uint8Array },
  slots: DateSlots,
): PageFindings {
  if (slots.low.length === 0) return {};
  const { count, records, elements } = blocks;
  const headline = roles.indexOf(ROLE.title);
  const before: { start: number; end: number }[] = [];
  const after: { start: number; end: number }[] = [];
  for (let block = 0; block < count; block++) {
    if (records[block * RECORD + layout.BLOCK_DATES] === 0 || roles[block] >= ROLE.comments) continue;
    if (records[block * RECORD + layout.BLOCK_WORD_COUNT] > MAX_WORDS) continue;
    const { low, high } = slotOf(records, elements, block);
    const at = slots.low.indexOf(low);
    if (at < 0 || !slots.high.some((one, k) => one === high && slots.low[k] === low)) continue;
    const span = {
      start: tree.start[records[block * RECORD + layout.BLOCK_FIRST_TEXT]],
      end: tree.end[records[block * RECORD + layout.BLOCK_LAST_TEXT]],
    };
    (block > headline ? after : before).push(span);
  }
  return { dates: [...after, ...before], dayOrder: slots.order === 0 ? 0 : slots.order === 1 ? 1 : -1 };
}

function slotOf(records: Int32Array, elements: Int32Array, block: number): { low: number; high: number } {
  const at = records[block * RECORD + layout.BLOCK_CONTAINER] * ELEMENT + layout.ELEMENT_CLASS_PATH;
  return { low: elements[at], high: elements[at + 1] };
}

function textOf({ text, textStart }: Tree, records: Int32Array, block: number): string {
  const start = textStart[records[block * RECORD + layout.BLOCK_FIRST_TEXT]];
  const end = textStart[records[block * RECORD + layout.BLOCK_LAST_TEXT] + 1];
  return decodeReferences(decoder.decode(text.subarray(start, Math.min(end, start + 400))));
}

/** 1 where the first number of `31/10/2019` must be the day, -1 where the second must. */
function orderOf(text: string): number {
  const [, first, second] = /(?<!\d)(\d{1,2})[/-](\d{1,2})[/-](?:19|20)\d\d/.exec(text) ?? [];
  if (first === undefined) return 0;
  return (Number(first) > 12 ? 1 : 0) - (Number(second) > 12 ? 1 : 0);
}

function compareKeys(a: { low: number; high: number }, b: { low: number; high: number }): number {
  return (a.high >>> 0) - (b.high >>> 0) || (a.low >>> 0) - (b.low >>> 0);
}
