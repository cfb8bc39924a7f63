import { expect, test } from 'vitest';
import { parseHeld } from '../../test/held-tree.ts';
import { OccurrenceFinder } from './page-diff.ts';
import { copyTokens, PageTokenReader } from './page-tokens.ts';

const decoder = new TextDecoder();

function tokensOf(html: string) {
  const tree = parseHeld(html);
  return { tree, placed: new PageTokenReader().read(tree) };
}

/** The words of `html`, with those that do not occur in `other` in brackets. */
function compare(html: string, other: string, finder = new OccurrenceFinder()): string {
  const { tree, placed } = tokensOf(html);
  const occurs = new Uint8Array(placed.tokenCount);
  finder.find(placed, copyTokens(tokensOf(other).placed), occurs);
  const words: string[] = [];
  for (let i = 0; i < placed.tokenCount; i++) {
    if (placed.textStart[i] === placed.textEnd[i]) continue;
    const word = decoder.decode(tree.text.subarray(placed.textStart[i], placed.textEnd[i]));
    words.push(occurs[i] === 1 ? word : `[${word}]`);
  }
  return words.join(' ');
}

test('tags and words are tokens, in document order; head, script, style and iframes have none', () => {
  const { tree, placed } = tokensOf(
    '<head><title>no</title></head><body><p>Two words<script>x y</script><b>bold</b><iframe>no</iframe>',
  );
  const shown = Array.from({ length: placed.tokenCount }, (_, i) =>
    decoder.decode(tree.text.subarray(placed.textStart[i], placed.textEnd[i])),
  );
  expect(shown).toEqual(['', 'Two', 'words', '', 'bold']);
});

test('subtrees are intervals of tokens, with their words counted', () => {
  const { placed } = tokensOf('<div>one <b>two three</b> four</div><p>five</p>');
  const nodes = Array.from({ length: placed.nodeCount }, (_, i) => [
    placed.firstToken[i],
    placed.endToken[i],
    placed.wordCount[i],
  ]);
  expect(nodes).toEqual([
    [0, 6, 4],
    [1, 2, 1],
    [2, 5, 2],
    [3, 5, 2],
    [5, 6, 1],
    [6, 8, 1],
    [7, 8, 1],
  ]);
});

test('in scripts without spaces every character is a word', () => {
  const { placed } = tokensOf('<p>冬天 abc花园 ไทย été</p>');
  expect(placed.wordCount[0]).toBe(2 + 1 + 2 + 3 + 1);
});

test('words that both pages have occur, also within a text', () => {
  const menu = '<ul><li>Home</li><li>About us</li></ul>';
  expect(
    compare(
      `${menu}<p>Copyright 2016 by all of us</p><p>mine alone</p>`,
      `${menu}<p>Copyright 2017 by all of us</p>`,
    ),
  ).toBe('Home About us Copyright [2016] by all of us [mine] [alone]');
});

test('a word or two amid others is shared by chance and does not occur', () => {
  expect(compare('<p>a tale of the sea and its men</p>', '<p>some part of the land</p>')).toBe(
    '[a] [tale] [of] [the] [sea] [and] [its] [men]',
  );
});

test('words of a long text occur if they are adjacent on both pages', () => {
  const page = '<p>one day the old grey man of the sea went far out with nets and lines in hand</p>';
  // "the … man … sea went" occurs in that order, with other words between
  const other = '<p>so the tall man by a wide sea went off and nobody saw where he was gone</p>';
  expect(compare(page, other)).not.toMatch(/(^| )[a-z]/);
  expect(
    compare(page, '<p>but the old grey man is at home this week, all alone, with nothing to do</p>'),
  ).toContain('[day] the old grey man [of]');
});

test('words of a short text also occur with others between them on the other page', () => {
  const page = '<i>mine</i><p>Posted in the</p><i>own</i>';
  const other = '<i>some</i><p>Posted today in all the</p><i>else</i>';
  expect(compare(page, other)).toBe('[mine] Posted in the [own]');
});

test('with runs by words, tags do not count and short texts are like others', () => {
  const finder = new OccurrenceFinder({ runs: 'words' });
  const page = '<i>mine</i><p>Posted in the</p><i>own</i>';
  const other = '<i>some</i><p>Posted today in all the</p><i>else</i>';
  expect(compare(page, other, finder)).toBe('[mine] [Posted] [in] [the] [own]');
  const menu = '<ul><li>Home<li>About us</ul>';
  expect(compare(`<p>this</p>${menu}<p>that</p>`, `<p>other</p>${menu}<p>else</p>`, finder)).toBe(
    '[this] Home About us [that]',
  );
});

test('in a script without spaces, three characters are shared by chance, six are not', () => {
  const page = '<p>这个安静的文代使风众继续得更响亮</p>';
  expect(compare(page, '<p>王的文代使春天来了又走了很久了</p>')).not.toMatch(/(^| )[^[]/);
  expect(compare(page, '<p>王的文代使风众继春天来了又走了</p>')).toContain('[静] 的 文 代 使 风 众 继 [续]');
});

test('a box of several words that moved occurs; a single word that moved does not', () => {
  const box = '<div>read these other stories</div>';
  expect(compare(`${box}<p>alpha beta gamma delta</p>`, `<p>beta alpha gamma delta</p>${box}`)).toMatch(
    /^read these other stories (\[alpha\] beta|alpha \[beta\]) gamma delta$/,
  );
});

test('identical pages occur completely, without steps of the diff', () => {
  const page = `<div>${'<p>some text here</p>'.repeat(500)}</div>`;
  expect(compare(page, page, new OccurrenceFinder({ stepsPerToken: 0 }))).not.toContain('[');
});

test('a page that costs too much to compare word by word is compared by blocks', () => {
  const words = (seed: number) => {
    let state = seed;
    return Array.from({ length: 4000 }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return `w${(state >>> 20) % 50}`;
    }).join(' ');
  };
  const html = `<p>${words(1)}</p><p>two equal</p><p>${words(3)}</p><p>two equal</p>`;
  const { placed } = tokensOf(html);
  const occurs = new Uint8Array(placed.tokenCount);
  const other = tokensOf(`<p>two equal</p><p>${words(2)}</p><p>two equal</p><i>x</i>`).placed;
  const { blockTokens } = new OccurrenceFinder({ stepsPerToken: 2 }).find(placed, copyTokens(other), occurs);
  expect(blockTokens).toBeGreaterThanOrEqual(4000);
  expect([...occurs.subarray(placed.tokenCount - 2)]).toEqual([1, 1]);
});
