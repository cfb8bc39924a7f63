import { expect, test } from 'vitest';
import { mix32 } from '../analysis/byte-hash.ts';
import { PlaceCounter } from './place-counter.ts';

/** Node and place of the i-th of many: a dozen nodes, places that recur. */
const nodeOf = (i: number) => i % 12;
const placeOf = (i: number) => mix32(i % 30_011);

test('counts pages and gathers sightings as a Map of Sets does, on one site after the other', () => {
  const counter = new PlaceCounter();
  for (const [site, thresholdPages] of [3, 2].entries()) {
    counter.open(thresholdPages);
    const plain = new Map<string, { number: number; pages: Set<number>; sightings: number }>();
    let misnumbered = 0;
    for (let page = 0; page < 40; page++) {
      for (let i = 0; i < 2500; i++) {
        const at = i * (1 + (page % (5 + site)));
        const key = `${nodeOf(at)} ${placeOf(at)}`;
        const sighting = 1 << ((at + page) % 3);
        const number = counter.add(nodeOf(at), placeOf(at), page, sighting);
        const entry = plain.get(key) ?? { number: plain.size, pages: new Set<number>(), sightings: 0 };
        misnumbered += number === entry.number ? 0 : 1;
        entry.pages.add(page);
        entry.sightings |= sighting;
        plain.set(key, entry);
      }
    }
    expect(misnumbered).toBe(0);
    expect(counter.size).toBe(plain.size);
    const counted = [...plain.values()].map(({ number }) => ({
      key: `${counter.nodeOf(number)} ${counter.placeOf(number)}`,
      pages: counter.pagesOf(number),
      sightings: counter.sightingsOf(number),
    }));
    expect(counted).toEqual(
      [...plain].map(([key, { pages, sightings }]) => ({ key, pages: pages.size, sightings })),
    );
    const enough = [...plain.values()].filter(({ pages }) => pages.size >= thresholdPages);
    expect([...counter.frequent].sort((a, b) => a - b)).toEqual(enough.map(({ number }) => number));
  }
});

test('a node that a page has twice at a place is there on one page', () => {
  const counter = new PlaceCounter();
  counter.open(2);
  const number = counter.add(0, 7, 0, 1);
  counter.add(0, 7, 0, 2);
  expect(counter.pagesOf(number)).toBe(1);
  expect(counter.frequent).toEqual([]);
  expect(counter.add(1, 7, 1, 1)).not.toBe(number);
});

test('a site with more places than are held leaves nothing for the next', () => {
  const counter = new PlaceCounter();
  counter.open(2);
  for (let i = 0; i < 70_000; i++) counter.add(i, i, 0, 1);
  counter.open(2);
  expect(counter.size).toBe(0);
  expect(counter.add(3, 3, 0, 1)).toBe(0);
  expect(counter.pagesOf(0)).toBe(1);
});
