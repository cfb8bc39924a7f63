/** Does work on items as they come, several at a time, and returns the results in the order of the items. */

/** Options of `inOrder`. */
export interface InOrderOptions<Item, Result> {
  /** Maximum number of items under way; asked before each item is taken. */
  most: () => number;
  work: (item: Item) => Promise<Result>;
}

/** Yields each result as soon as all before it are there, also while the next item is awaited. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  { most, work }: InOrderOptions<Item, Result>,
): AsyncGenerator<Result> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const take = async (): Promise<Taken<Item>> => {
    try {
      return await source.next();
    } catch (error) {
      return { done: true, error };
    }
  };
  const underWay: Promise<Result>[] = [];
  let next: Promise<Taken<Item>> | undefined;
  let end: (Taken<Item> & { done: true }) | undefined;
  try {
    for (;;) {
      if (!end && underWay.length < most()) next ??= take();
      const first = underWay.at(0);
      if (!next && !first) break;
      const isNext = await Promise.race([
        ...(next ? [next.then(() => true)] : []),
        ...(first ? [first.then(() => false)] : []),
      ]);
      if (isNext) {
        const taken = await next!;
        next = undefined;
        if (taken.done) end = taken;
        else underWay.push(work(taken.value));
        underWay.at(-1)?.catch(() => {}); // thrown in its turn
      } else {
        underWay.shift();
        yield await first!;
      }
    }
    if (end && 'error' in end) throw end.error;
  } finally {
    // not awaited while an item is: a pipe may stay silent for ever
    const closing = end ? undefined : source.return?.();
    if (!next) await closing;
  }
}

/** The next item, or the end of all, which an error may be the reason of. */
type Taken<Item> = { done?: false; value: Item } | { done: true; error?: unknown };
