/**
 * The captures of a site that a model keeps to compare with: at most `size` of them, whatever the site. They are drawn
 * in rounds, so that pages with many captures do not crowd out the others: first one capture of each URL, by the hash
 * of the URL, then a second one of each, and so on. Which capture of a URL comes first is drawn, too, by the hash of
 * URL and time, so that a URL is not always represented by its earliest capture.
 *
 * A place is a pair (round, hash of the URL). A URL with n captures has the places of rounds 0 to n - 1, and more
 * captures only add places. So the capture at the last of more than `size` places can be let go at once, and the result
 * does not depend on the order of the captures.
 */
import { urlHash } from '../../analysis/url-hash.ts';
import { compare } from '../../model/order.ts';

/** What tells captures apart. */
interface CaptureName {
  url: string;
  time: string;
  file: string;
  offset: number;
}

interface Kept<Item> {
  name: CaptureName;
  urlHash: bigint;
  captureHash: bigint;
  round: number;
  item?: Item;
}

export class KeptCaptures<Item> {
  readonly #size: number;
  /** In the order of their places. */
  readonly #kept: Kept<Item>[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** Takes a capture into account; `make` is called only when it is kept for now. */
  add(name: CaptureName, make: () => Item): void {
    const { url, time } = name;
    const added: Kept<Item> = {
      name,
      urlHash: urlHash(url),
      captureHash: urlHash(`${url} ${time}`),
      round: 0,
    };
    const kept = this.#kept;
    kept.push(added);
    const ofUrl = kept.filter((one) => one.name.url === url).sort(compareCaptures);
    for (const [round, one] of ofUrl.entries()) one.round = round;
    kept.sort(comparePlaces);
    if (kept.length > this.#size && kept.pop() === added) return;
    added.item = make();
  }

  /** Round by round, smallest hash of the URL first. */
  items(): Item[] {
    return this.#kept.map(({ item }) => item!);
  }
}

function comparePlaces<Item>(a: Kept<Item>, b: Kept<Item>): number {
  return a.round - b.round || compare(a.urlHash, b.urlHash) || compare(a.name.url, b.name.url);
}

function compareCaptures<Item>(a: Kept<Item>, b: Kept<Item>): number {
  return (
    compare(a.captureHash, b.captureHash) ||
    a.name.offset - b.name.offset ||
    compare(a.name.file, b.name.file)
  );
}
