import { expect, test } from 'vitest';
import { parseHeld } from '../../test/held-tree.ts';
import { seededNumbers } from '../../test/seeded-random.ts';
import { mix32 } from '../analysis/byte-hash.ts';
import { breaksWords, TAG } from '../parse/tag-names.ts';
import { COMMENT, DECLARATION, TEXT, type Tree } from '../parse/tree.ts';
import { countNodes, type FrequentNodes } from './dom-evidence.ts';
import { DomTables } from './dom-tables.ts';

/** Random trees of few tags and words, so that there are many repetitions. */
function randomPages(count: number, seed: number): Tree[] {
  const next = seededNumbers(seed);
  const element = (depth: number): string => {
    const kind = next(depth > 5 ? 3 : 7);
    if (kind === 0) return ['one', 'two', 'three', `word${next(500)}`][next(4)];
    if (kind === 1) return '<br>';
    if (kind === 2) return '<!-- c -->';
    const tag = ['div', 'span', 'ul', 'x-own'][kind - 3];
    return `<${tag}>${Array.from({ length: next(4) }, () => element(depth + 1)).join(' ')}</${tag}>`;
  };
  return Array.from({ length: count }, () => {
    const html = `<body>${Array.from({ length: 12 }, () => element(0)).join('')}`;
    return parseHeld(html);
  });
}

const hashOf = ({ contentLow, contentHigh }: Tree, node: number) =>
  `${contentHigh[node]}/${contentLow[node]}`;
const isCandidate = (kind: number) => kind !== COMMENT && kind !== DECLARATION;

test('by content, counts and verdicts agree with the plain twin', () => {
  const pages = randomPages(60, 11);
  const threshold = 6;
  const seen = new Map<string, { pages: Set<number>; occurrences: number }>();
  for (const [page, columns] of pages.entries()) {
    for (let node = 0; node < columns.nodeCount; node++) {
      if (!isCandidate(columns.kind[node])) continue;
      const entry = seen.get(hashOf(columns, node)) ?? { pages: new Set(), occurrences: 0 };
      entry.pages.add(page);
      entry.occurrences++;
      seen.set(hashOf(columns, node), entry);
    }
  }
  const frequent = countNodes(pages, threshold, 'content');
  const { low, high, pages: pageCounts, occurrences } = frequent.nodes;
  expect(low.length).toBe([...seen.values()].filter((entry) => entry.pages.size >= threshold).length);
  for (let i = 0; i < low.length; i++) {
    const entry = seen.get(`${high[i]}/${low[i]}`)!;
    expect([pageCounts[i], occurrences[i]]).toEqual([entry.pages.size, entry.occurrences]);
  }

  const tables = new DomTables({ ...frequent, ...NO_LIMITS });
  for (const columns of pages) {
    const plain: number[] = [];
    const visit = (node: number) => {
      if (isCandidate(columns.kind[node]) && seen.get(hashOf(columns, node))!.pages.size >= threshold)
        plain.push(node);
      else for (const child of childrenOf(columns, node)) visit(child);
    };
    visit(0);
    const spans = tables.findSpans(columns);
    // adjacent siblings are one span
    expect(spans.reduce((sum, { members }) => sum + members, 0)).toBe(plain.length);
    const single = new Map(spans.filter(({ members }) => members === 1).map((span) => [span.start, span]));
    for (const node of plain) {
      const span = single.get(columns.start[node]);
      if (!span) continue;
      expect(span.end).toBe(columns.end[node]);
      expect(span.pages).toBe(seen.get(hashOf(columns, node))!.pages.size);
    }
  }
  tables.release();
});

test('by place, only nodes that are frequent by content are template', () => {
  const pages = randomPages(60, 12);
  const byContent = new Set([...countNodes(pages, 6, 'content').nodes.low]);
  const steady = countNodes(pages, 6, 'place').nodes.low;
  expect(steady.length).toBeGreaterThan(0);
  for (const low of steady) expect(byContent.has(low)).toBe(true);
});

test('by place, stable nodes and their evidence agree with the plain twin', () => {
  const pages = randomPages(60, 14);
  const threshold = 6;
  const { low, high } = countNodes(pages, threshold, 'content').nodes;
  const frequent = new Set([...low].map((lane, i) => `${high[i]}/${lane}`));
  const plain = plainSteady(pages, threshold, frequent);
  const { nodes, places } = countNodes(pages, threshold, 'place');
  expect([...nodes.low].map((lane, i) => `${nodes.high[i]}/${lane}`).sort()).toEqual(
    [...plain.steady].sort(),
  );
  expect(places.low.length).toBe(plain.kept.size);
  expect(plain.refused).toBeGreaterThan(0); // lines of changing text decided some cases
});

test('by place, the result does not depend on the order of pages', () => {
  for (let seed = 20; seed < 30; seed++) {
    const pages = randomPages(40, seed);
    expect(countNodes(pages.toReversed(), 4, 'place')).toEqual(countNodes(pages, 4, 'place'));
  }
});

test('nodes inside a refused node are judged by the line of that node', () => {
  const tree = parseHeld('<div><i>one</i><i><ul><li>two</ul></i></div>');
  const [first, second] = [...tree.name.keys()].filter((node) => tree.name[node] === TAG.i);
  const list = second + 1;
  // the context of the list decides, and contexts count only outside of lines
  const context = mix32(Math.imul(TAG.i, 0x9e3779b1) ^ TAG.div);
  const nodes = [first, second, list];
  const counts = Uint32Array.of(5, 5, 5);
  const model: FrequentNodes = {
    evidence: 'place',
    nodes: {
      low: Int32Array.from(nodes, (node) => tree.contentLow[node]),
      high: Int32Array.from(nodes, (node) => tree.contentHigh[node]),
      pages: counts,
      occurrences: counts,
    },
    places: positionKey(tree, list, context),
  };
  const tables = new DomTables({ ...model, ...NO_LIMITS });
  // once item `i` is refused its text is changing text beside the second item, which was judged before
  expect(tables.findSpans(tree).map(({ start }) => start)).toEqual([tree.start[list]]);
  tables.release();
});

const NO_LIMITS = { upperOccurrences: 1e9, trivialBytes: 0, gapBytes: 0, gapTextBytes: 0 };

/** Key of a node in a context. */
function positionKey({ contentLow, contentHigh }: Tree, node: number, context: number) {
  const a = Math.imul(contentLow[node] ^ context, 0x85ebca6b);
  const b = Math.imul(contentHigh[node] ^ Math.imul(context, 0x9e3779b1), 0xc2b2ae35);
  return { low: Int32Array.of(a ^ (a >>> 15)), high: Int32Array.of(b ^ (b >>> 14)) };
}

/** Tags of the nearest two ancestors. */
function contextOf({ parent, kind, name }: Tree, node: number): string {
  const tag = (id: number) => (name[id] === 0 ? `#${kind[id]}` : String(Math.min(name[id], 256)));
  const above = parent[node];
  if (above < 0) return '';
  return parent[above] < 0 ? tag(above) : `${tag(parent[above])} ${tag(above)}`;
}

/**
 * The rules literally: sets of pages by node and position, by node and context, and by position in a line.
 */
function plainSteady(pages: Tree[], threshold: number, frequent: ReadonlySet<string>) {
  const pagesWith = new Map<string, Set<number>>();
  const note = (key: string, page: number) =>
    pagesWith.set(key, (pagesWith.get(key) ?? new Set<number>()).add(page));
  const count = (key: string) => pagesWith.get(key)?.size ?? 0;
  const outermost: { columns: Tree; node: number; sides: string[]; inLine: boolean }[] = [];
  for (const [page, columns] of pages.entries()) {
    const isFrequent = (node: number) =>
      isCandidate(columns.kind[node]) && frequent.has(hashOf(columns, node));
    const visit = (node: number) => {
      const sides = [`front ${plainPlace(columns, node, false)}`, `back ${plainPlace(columns, node, true)}`];
      const inLine = isInLine(columns, node, isFrequent);
      if (inLine) for (const place of sides) note(place, page);
      if (!isFrequent(node)) {
        for (const child of childrenOf(columns, node)) visit(child);
        return;
      }
      const keys = [...sides, `context ${contextOf(columns, node)}`];
      for (const place of keys) note(`${hashOf(columns, node)} ${place}`, page);
      outermost.push({ columns, node, sides, inLine });
    };
    visit(0);
  }
  const steady = new Set<string>();
  const kept = new Set<string>();
  let refused = 0;
  for (const { columns, node, sides, inLine } of outermost) {
    for (const place of sides) {
      const key = `${hashOf(columns, node)} ${place}`;
      if (count(key) < threshold) continue;
      if (inLine && count(key) * 2 < count(place)) {
        refused++;
        continue;
      }
      steady.add(hashOf(columns, node));
      kept.add(key);
    }
  }
  const isSteady = (one: { columns: Tree; node: number }) => steady.has(hashOf(one.columns, one.node));
  for (const { columns, node } of outermost.filter(isSteady)) {
    for (let inside = node + 1; inside < columns.last[node]; inside++) {
      if (isCandidate(columns.kind[inside])) steady.add(hashOf(columns, inside));
    }
  }
  for (const { columns, node } of outermost.filter(isSteady)) {
    const key = `${hashOf(columns, node)} context ${contextOf(columns, node)}`;
    if (count(key) >= threshold) kept.add(key);
    for (let inside = node + 1; inside < columns.last[node]; inside++) {
      if (!isCandidate(columns.kind[inside])) continue;
      kept.add(`${hashOf(columns, inside)} context ${contextOf(columns, inside)}`);
    }
  }
  return { steady, kept, refused };
}

/**
 * Returns whether a node is in a line with changing text: beside it, or beside the inline element around it.
 */
function isInLine(columns: Tree, node: number, isFrequent: (node: number) => boolean): boolean {
  const { parent, name, kind, textStart } = columns;
  const isChanging = (above: number): boolean =>
    childrenOf(columns, above).some((child) => {
      if (isFrequent(child)) return false;
      if (kind[child] === TEXT) return textStart[child + 1] > textStart[child];
      return !breaksWords(name[child]) && isChanging(child);
    });
  const above = parent[node];
  if (above < 0) return false;
  if (isChanging(above) && !breaksWords(name[node])) return true;
  return !breaksWords(name[above]) && isInLine(columns, above, isFrequent);
}

function childrenOf({ last }: Tree, node: number): number[] {
  const children: number[] = [];
  for (let child = node + 1; child < last[node]; child = last[child]) children.push(child);
  return children;
}

/** Returns the path of tags, each with its number among siblings with that tag; foreign tags count as one. */
function plainPlace(columns: Tree, node: number, backwards: boolean): string {
  const { parent, kind, name } = columns;
  const tag = (id: number) => (name[id] === 0 ? `#${kind[id]}` : String(Math.min(name[id], 256)));
  let path = '';
  for (let at = node; at > 0; at = parent[at]) {
    const row = childrenOf(columns, parent[at]).filter((sibling) => tag(sibling) === tag(at));
    path = `/${tag(at)}[${backwards ? row.length - row.indexOf(at) : row.indexOf(at)}]${path}`;
  }
  return path;
}
