import { expect, test } from 'vitest';
import { parseHeld } from '../../test/held-tree.ts';
import { seededRandom } from '../../test/seeded-random.ts';
import { LayoutSigner } from '../analysis/layout-signer.ts';
import { countEqual } from '../analysis/minhash.ts';
import { IS_TAG, OccurrenceFinder } from '../analysis/page-diff.ts';
import { PageTags } from '../analysis/page-tags.ts';
import { PageTokenReader, viewTokens } from '../analysis/page-tokens.ts';
import { isInTemplate, type Range } from '../model/range.ts';
import { TextCursor } from '../parse/source-map.ts';
import type { Tree } from '../parse/tree.ts';
import { CaptureReader, type ComparedCapture, SIGNATURE_COMPONENTS } from './capture.ts';
import { CaptureComparer } from './compare-captures.ts';

const parse = (html: string) => parseHeld(html);

/** The sums by definition: both captures are read whole and every word of one is looked up in the other. */
function plainSums(tree: Tree, ranges: readonly Range[], older: Tree) {
  const placed = new PageTokenReader().read(tree);
  const occurs = new Uint8Array(placed.tokenCount);
  new OccurrenceFinder().find(placed, viewTokens(new PageTokenReader().read(older)), occurs);
  const sums = { templateWords: 0, newTemplateWords: 0, contentWords: 0, newContentWords: 0 };
  const cursor = new TextCursor(tree);
  const ends = ranges.map(({ end }) => cursor.positionOf(end));
  for (let token = 0; token < placed.tokenCount; token++) {
    if (placed.textStart[token] === placed.textEnd[token]) continue;
    const range = ranges[ends.findIndex((end) => placed.textStart[token] < end)];
    const kind = range && isInTemplate(range.label) ? 'Template' : 'Content';
    sums[kind === 'Template' ? 'templateWords' : 'contentWords']++;
    if (occurs[token] === 0) sums[`new${kind}Words`]++;
  }
  const signatures = new Uint32Array(2 * SIGNATURE_COMPONENTS);
  const signer = new LayoutSigner({ permutations: SIGNATURE_COMPONENTS });
  signer.sign(tree, 'paths', signatures);
  signer.sign(older, 'paths', signatures, SIGNATURE_COMPONENTS);
  const layoutComponents = countEqual(signatures, 0, SIGNATURE_COMPONENTS, SIGNATURE_COMPONENTS);
  return { ...sums, layoutComponents, lostWords: 0, changes: [] };
}

/** Tokens and subtrees by definition, without subtrees of a single token. */
function plainTokens(tree: Tree) {
  const { tokens, ...columns } = viewTokens(new PageTokenReader().read(tree));
  const several = Array.from(columns.firstToken.keys()).filter(
    (node) => columns.endToken[node] - columns.firstToken[node] > 1,
  );
  const kept = Object.entries(columns).map(([name, column]) => [
    name,
    Array.from(several, (node) => column[node]),
  ]);
  return { tokens: Array.from(tokens), ...Object.fromEntries(kept) };
}

function asLists({ tokens }: ComparedCapture) {
  return Object.fromEntries(Object.entries(tokens).map(([name, column]) => [name, Array.from(column)]));
}

function copyOf({ tokens, signature, flags, wholeLow, wholeHigh }: ComparedCapture): ComparedCapture {
  const columns = Object.entries(tokens).map(([name, column]) => [name, column.slice()]);
  const copied = { tokens: Object.fromEntries(columns), signature: signature.slice(), flags: flags.slice() };
  return { ...copied, wholeLow, wholeHigh };
}

const PIECES = [
  '<ul class=menu><li>Home<li><a href=/news>News</a> today</ul>',
  '<p>A paragraph of more than a dozen words, long enough that two of them may be met by chance elsewhere.</p>',
  '<p>Some <b>bold</b>and glued <i>words</i>, <span><img><img></span>pictures</p>',
  '<p>日本語の文章も<b>同じ</b>ように扱われます。もう一つの文章がここにあります。</p>',
  '<!-- said by nobody --><script>var hidden = "text";</script><style>p{}</style>',
  '<table><tr><td>one<td>two<td> <tr><td>three</table>',
  'bare text <br> between <hr> elements',
  '<div><div><div><em>deep</em></div></div></div>',
  '<h2>Title</h2><form><input><select><option>a<option>b</select></form>',
  '<svg><title>t</title><path d="M0"/></svg><my-tag>own name</my-tag>',
];

test('comparing a capture with a copy of the previous one agrees with the definitions', () => {
  const random = seededRandom(11);
  const pick = (n: number) => Math.floor(random() * n);
  const reader = new CaptureReader();
  const comparer = new CaptureComparer();
  let kinds = Array.from({ length: 8 }, () => pick(PIECES.length));
  let older: { tree: Tree; kept: ComparedCapture } | undefined;
  for (let round = 0; round < 300; round++) {
    // mostly one or two changes; sometimes none, and sometimes everything changes
    if (random() < 0.05) kinds = Array.from({ length: pick(12) }, () => pick(PIECES.length));
    else if (random() < 0.7) kinds.splice(pick(kinds.length), pick(3), pick(PIECES.length));
    const slot = random() < 0.3 ? `<p>Visitor number ${pick(5)} of the day</p>` : '';
    const html = `<title>t</title>${slot}<div class=all>${kinds.map((kind) => PIECES[kind]).join('')}</div>`;
    const tree = parse(html);
    const read = reader.read(tree, { older: older?.kept });
    expect(asLists(read)).toEqual(plainTokens(tree));
    expect(Array.from(read.flags, (flag) => flag & IS_TAG)).toEqual(
      Array.from(read.flags, (_, token) => (read.textStart[token] === read.textEnd[token] ? IS_TAG : 0)),
    );
    if (older) {
      const ranges = someRanges(tree.source.length, pick);
      expect(comparer.compare(read, ranges, older.kept)).toEqual(plainSums(tree, ranges, older.tree));
    }
    older = { tree, kept: copyOf(read) };
  }
});

test('counts do not depend on the pages read before', () => {
  const page = (...classes: string[]) =>
    parse(classes.map((name) => `<div class="${name}"><p class="in-${name}">some words</p></div>`).join(''));
  const counted = (before?: Tree) => {
    const reader = new CaptureReader();
    const tags = new PageTags();
    const read = (tree: Tree, older?: ComparedCapture) => {
      tags.read(tree);
      return reader.read(tree, { older, tags });
    };
    if (before) read(before);
    const older = new CaptureReader().read(page('alpha', 'beta', 'gamma'));
    return new CaptureComparer().compare(read(page('alpha', 'beta', 'delta'), older), [], older);
  };
  const other = page('one', 'two', 'three', 'four');
  expect(counted(other)).toEqual(counted());
});

/** Ranges with random boundaries, also in the middle of words. */
function someRanges(bytes: number, pick: (n: number) => number): Range[] {
  const ends = new Set(Array.from({ length: pick(8) }, () => 1 + pick(bytes)));
  const sorted = [...ends.add(bytes)].sort((a, b) => a - b);
  const labels = ['template', 'slot', 'content', 'unsure'] as const;
  return sorted.map((end, k) => ({
    start: k === 0 ? 0 : sorted[k - 1],
    end,
    label: labels[pick(4)],
    score: 1,
    template: '',
    reason: '',
  }));
}
