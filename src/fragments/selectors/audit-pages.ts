/**
 * Few pages that show all templates: "look at these N URLs". Greedy set cover: each time the page with the most
 * templates not yet seen, which is within a logarithm of the fewest possible. Pages with the same templates are
 * one entry (the URL with the smallest hash), so a site costs as many entries as it has kinds of pages.
 */
import { urlHash } from '../../analysis/url-hash.ts';

export interface AuditPage {
  url: string;
  site: string;
  /** Templates that this page is the first of the list to show. */
  shows: number;
}

/** Kinds of pages that are kept; of further ones, those with most templates are not missed often. */
const MOST_KINDS = 50_000;

interface Kind {
  url: string;
  site: string;
  hash: bigint;
  templates: number[];
}

export class AuditPages {
  readonly #kinds = new Map<string, Kind>();

  /** Adds a page with the numbers of its templates, ascending, each once. */
  add(url: string, site: string, templates: readonly number[]): void {
    if (templates.length === 0) return;
    const key = templates.join();
    const hash = urlHash(url);
    const known = this.#kinds.get(key);
    if (known !== undefined) {
      if (hash < known.hash || (hash === known.hash && url < known.url))
        Object.assign(known, { url, site, hash });
    } else if (this.#kinds.size < MOST_KINDS) {
      this.#kinds.set(key, { url, site, hash, templates: [...templates] });
    }
  }

  /** The list, and for each template its page in the list; only templates in `wanted` count. */
  choose(wanted: ReadonlySet<number>): { pages: AuditPage[]; pageOf: Map<number, string> } {
    const left = new Set(wanted);
    const pages: AuditPage[] = [];
    const pageOf = new Map<number, string>();
    const gainOf = ({ templates }: Kind): number =>
      templates.reduce((sum, each) => sum + Number(left.has(each)), 0);
    const byGain: Kind[][] = [];
    for (const kind of this.#kinds.values()) (byGain[gainOf(kind)] ??= []).push(kind);

    // gains only shrink: of the kinds that once had the most, some still have it, the others move down
    for (let gain = byGain.length - 1; gain > 0; ) {
      const still: Kind[] = [];
      for (const kind of byGain[gain] ?? []) {
        const now = gainOf(kind);
        if (now === gain) still.push(kind);
        else (byGain[now] ??= []).push(kind);
      }
      if (still.length === 0) {
        gain--;
        continue;
      }
      const best = still.reduce((a, b) => (b.hash < a.hash || (b.hash === a.hash && b.url < a.url) ? b : a));
      for (const each of best.templates) if (left.delete(each)) pageOf.set(each, best.url);
      pages.push({ url: best.url, site: best.site, shows: gain });
      byGain[gain] = still.filter((kind) => kind !== best);
    }
    return { pages, pageOf };
  }
}
