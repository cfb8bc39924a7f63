/**
 * Lays out pages in a browser and returns them in their order. A few more pages than the browser has tabs are
 * open at a time, so that no tab waits for its next page.
 */
import type { ParsedPage } from '../detect/detector.ts';
import { inOrder } from '../model/in-order.ts';
import type { BrowserLayout, LayoutResult } from './browser-layout.ts';

/** Number of open pages for each tab. */
const AHEAD = 3;

/** Options of `layOutInOrder`. */
export interface OrderedLayoutOptions<Item> {
  layout: BrowserLayout;
  /**
   * Parses the page of an item; its tree may be overwritten by the next one. Null for an item without a page.
   */
  parse: (item: Item) => ParsedPage | null;
}

/**
 * Yields each item with the layout of its page, null for an item without one. The caller must build the tree
 * again.
 */
export function layOutInOrder<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  { layout, parse }: OrderedLayoutOptions<Item>,
): AsyncGenerator<{ item: Item; laidOut: LayoutResult | null }> {
  return inOrder(items, {
    most: () => layout.tabs * AHEAD,
    work: async (item) => {
      const parsed = parse(item);
      return { item, laidOut: parsed && (await layout.layOut(parsed)) };
    },
  });
}
