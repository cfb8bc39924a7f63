/**
 * Pages and their boxes in the order of the pages, with as many in hand as the browser has tabs and some more, so
 * that no tab waits for its next page.
 */
import type { ParsedPage } from '../detect/detector.ts';
import type { BrowserLayout, LaidOut } from './browser-layout.ts';

/** Pages in hand for each tab. */
const AHEAD = 3;

export interface OrderedLayoutOptions<Item> {
  layout: BrowserLayout;
  /** The page of an item, parsed; its tree may be refilled for the next. Null for an item without one. */
  parse: (item: Item) => ParsedPage | null;
}

/** Each item with what became of its page: null when it had none. The tree is the caller's to build again. */
export async function* layOutInOrder<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  { layout, parse }: OrderedLayoutOptions<Item>,
): AsyncGenerator<{ item: Item; laidOut: LaidOut | null }> {
  const inHand: { item: Item; laidOut: Promise<LaidOut> | null }[] = [];
  const next = async () => {
    const { item, laidOut } = inHand.shift() as (typeof inHand)[number];
    return { item, laidOut: await laidOut };
  };
  for await (const item of items) {
    const parsed = parse(item);
    const laidOut = parsed && layout.layOut(parsed);
    laidOut?.catch(() => {}); // thrown when its turn comes
    inHand.push({ item, laidOut });
    if (inHand.length >= layout.tabs * AHEAD) yield await next();
  }
  while (inHand.length > 0) yield await next();
}
