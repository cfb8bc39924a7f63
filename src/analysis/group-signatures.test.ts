import { expect, test } from 'vitest';
import { keyOf, Random } from '../research/generated-sites/random.ts';
import { groupSignatures } from './group-signatures.ts';
import { MinHash } from './minhash.ts';
import type { SignedPages } from './signed-pages.ts';

/** Pages with the given sets of elements. */
function sign(sets: number[][], urls = sets.map((_, k) => `http://a.example/${k}`)): SignedPages {
  const hasher = new MinHash();
  const signatures = new Uint32Array(sets.length * 128);
  sets.forEach((set, k) => {
    const elements = Uint32Array.from(set, (element) => keyOf('element', element));
    hasher.sign(elements, elements.length, signatures, k * 128);
  });
  return { permutations: 128, signatures, keys: urls, urls, times: sets.map(() => '') };
}

/** `own` elements of the kind and some of the page. */
function pageOf(kind: number, page: number, { shared = 0, own = 90, noise = 10 } = {}): number[] {
  return [
    ...Array.from({ length: shared }, (_, i) => i),
    ...Array.from({ length: own }, (_, i) => 1e6 * (kind + 1) + i),
    ...Array.from({ length: noise }, (_, i) => 1e8 + page * 1000 + i),
  ];
}

/** Groups as lists of URLs, in an order that does not depend on the numbers of the groups. */
function parts(pages: SignedPages, options = {}): string[][] {
  const { groupOf, groupCount } = groupSignatures(pages, options);
  const groups: string[][] = Array.from({ length: groupCount }, () => []);
  for (let k = 0; k < pages.urls.length; k++) groups[groupOf[k]].push(pages.urls[k]);
  return groups.map((group) => group.sort()).sort();
}

test('pages of one kind are one group, and kinds are separated', () => {
  const sets = Array.from({ length: 60 }, (_, k) => pageOf(k % 3, k));
  const { groupOf, groupCount } = groupSignatures(sign(sets));
  expect(groupCount).toBe(3);
  for (let k = 0; k < 60; k++) expect(groupOf[k]).toBe(groupOf[k % 3]);
});

test('groups and their numbers do not depend on the order of the pages', () => {
  const random = new Random(keyOf('order'));
  const sets = Array.from({ length: 200 }, (_, k) =>
    pageOf(k % 7, k, { own: 60 + (k % 5) * 10, noise: k % 50 }),
  );
  const urls = sets.map((_, k) => `http://a.example/${k}`);
  const forwards = groupSignatures(sign(sets, urls));
  const order = random.sample(
    sets.map((_, k) => k),
    sets.length,
  );
  const shuffled = groupSignatures(
    sign(
      order.map((k) => sets[k]),
      order.map((k) => urls[k]),
    ),
  );
  order.forEach((k, at) => {
    expect(shuffled.groupOf[at]).toBe(forwards.groupOf[k]);
  });
});

test('kinds that share most of their elements are separated when elements of all pages count less', () => {
  const sets = Array.from({ length: 60 }, (_, k) => pageOf(k % 3, k, { shared: 300, own: 60, noise: 5 }));
  expect(parts(sign(sets)).length).toBe(1);
  expect(parts(sign(sets), { weighted: true }).map((part) => part.length)).toEqual([20, 20, 20]);
});

test('pages of one kind stay together when elements of all pages count less', () => {
  const sets = Array.from({ length: 60 }, (_, k) => pageOf(0, k, { own: 100, noise: 2 }));
  expect(parts(sign(sets), { weighted: true }).length).toBe(1);
});

test('empty sites, single pages, identical pages and empty pages are grouped', () => {
  expect(groupSignatures(sign([])).groupCount).toBe(0);
  expect(groupSignatures(sign([[1]])).groupCount).toBe(1);
  expect(groupSignatures(sign([[1], [1], [1]], ['u', 'u', 'u'])).groupCount).toBe(1);
  expect(groupSignatures(sign([[], [], [1, 2, 3]])).groupCount).toBe(2);
});

test('50,000 pages of one layout are one group', () => {
  const count = 50_000;
  const one = sign([pageOf(0, 0)]);
  const signatures = new Uint32Array(count * 128);
  const random = new Random(keyOf('many'));
  for (let page = 0; page < count; page++) {
    signatures.set(one.signatures, page * 128);
    // a tenth of the components differ from page to page
    for (let k = 0; k < 13; k++) signatures[page * 128 + random.below(128)] = random.next();
  }
  const urls = Array.from({ length: count }, (_, k) => `http://a.example/${k}`);
  const pages: SignedPages = { permutations: 128, signatures, keys: urls, urls, times: urls.map(() => '') };
  expect(groupSignatures(pages).groupCount).toBe(1);
});

test('a threshold out of range is refused', () => {
  expect(() => groupSignatures(sign([[1]]), { threshold: 1.5 })).toThrow('threshold must be');
});
