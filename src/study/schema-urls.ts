/**
 * What the URLs of each schema of a site have in common. A small schema is told by all its URLs; of a large one those
 * with the smallest hashes are looked at, which do not depend on the order of pages.
 */
import { hash } from 'node:crypto';
import type { Schema } from './schemas.ts';
import { urlPattern } from './url-pattern.ts';

/** URLs that a pattern is made of. */
const PATTERN_URLS = 200;

export class SchemaUrls {
  /** By schema, from 1: its URLs, and of a large schema their hashes. */
  readonly #urls: string[][];
  readonly #hashed: Map<number, { hash: string; url: string }[]>;

  constructor(schemas: readonly Schema[]) {
    this.#urls = Array.from({ length: schemas.length + 1 }, () => []);
    const large = schemas.filter(({ pages }) => pages > PATTERN_URLS);
    this.#hashed = new Map(large.map(({ number }) => [number, []]));
  }

  /** Adds the URL of a page of a schema. */
  add(schema: number, url: string): void {
    const hashed = this.#hashed.get(schema);
    if (!hashed) {
      this.#urls[schema].push(url);
      return;
    }
    hashed.push({ hash: hash('md5', url), url });
    if (hashed.length >= 8 * PATTERN_URLS) keepSmallest(hashed);
  }

  patternOf(schema: number): string {
    const hashed = this.#hashed.get(schema);
    if (!hashed) return urlPattern(this.#urls[schema]);
    keepSmallest(hashed);
    return urlPattern(hashed.map(({ url }) => url));
  }
}

function keepSmallest(hashed: { hash: string; url: string }[]): void {
  hashed.sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
  hashed.length = Math.min(hashed.length, PATTERN_URLS);
}
