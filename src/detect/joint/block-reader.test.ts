import { describe, expect, it } from 'vitest';
import * as layout from '../../kernel/block-layout.ts';
import { Parser } from '../../parse/parser.ts';
import { BlockReader, type PageBlocks } from './block-reader.ts';
import { FEATURE } from './feature-names.ts';
import { blockWords } from './read-labelled-pages.ts';

const parser = new Parser();
const reader = new BlockReader();

function read(html: string, url = 'https://example.org/a') {
  const tree = parser.parse(new TextEncoder().encode(html));
  const blocks = reader.read(tree, url);
  return { blocks, texts: blockWords(tree, blocks).map((text) => text.trim()) };
}

function field({ records }: PageBlocks, block: number, word: number): number {
  return records[block * layout.BLOCK_RECORD_WORDS + word];
}

describe('blocks of a page', () => {
  it('are runs of inline text: links and emphasis stay inside, blocks and line breaks part them', () => {
    const { texts } = read('<p>One <a href=x>two</a> <b>three</b></p><div>four<br>five</div>six');
    expect(texts).toEqual(['One two three', 'four', 'five', 'six']);
  });

  it('leave out scripts, styles and form controls, and list those with text', () => {
    const { blocks, texts } = read(
      '<p>a</p><select><option>b</select><script>c</script><textarea>d</textarea><p>e</p>',
    );
    expect(texts).toEqual(['a', 'e']);
    expect(blocks.skipped).toHaveLength(2);
  });

  it('read a long noscript and not a short one', () => {
    const post = 'the post that only scripts would show '.repeat(12);
    expect(read(`<noscript><p>${post}</p></noscript>`).texts).toEqual([post.trim()]);
    expect(read('<body><noscript><img src=x>Enable scripts.</noscript><p>a</p>').texts).toEqual(['a']);
  });

  it('count words across tags, references and scripts without spaces', () => {
    const { blocks } = read('<p>Caf&eacute;s <i>un</i>der&nbsp;way, 12&amp;3</p><p>中文字符。</p>');
    expect(field(blocks, 0, layout.BLOCK_WORD_COUNT)).toBe(5);
    expect(field(blocks, 1, layout.BLOCK_WORD_COUNT)).toBe(4);
    expect(field(blocks, 1, layout.BLOCK_SPACELESS)).toBe(4);
    expect(field(blocks, 1, layout.BLOCK_STOPS)).toBe(1);
  });

  it('know the words of links, headings, dates, prices and what is hidden', () => {
    const { blocks } = read(
      '<h2>Head</h2><p>see <a href=x>this link</a></p><p>3 May 2012</p><p>$12.50</p><div style="display: none"><p>x</p></div>',
    );
    expect(field(blocks, 0, layout.BLOCK_HEADING)).toBe(2);
    expect(field(blocks, 1, layout.BLOCK_LINK_WORDS)).toBe(2);
    expect(field(blocks, 2, layout.BLOCK_DATES)).toBeGreaterThan(0);
    expect(field(blocks, 3, layout.BLOCK_FLAGS) & layout.BLOCK_PRICE).not.toBe(0);
    expect(field(blocks, 4, layout.BLOCK_FLAGS) & layout.BLOCK_HIDDEN).not.toBe(0);
  });

  it('are described alike whether their start tags are the first of their kind on the page or not', () => {
    const weighed = new BlockReader(
      Int8Array.from({ length: 2 ** layout.NAME_BUCKET_BITS }, (_, bucket) => (bucket % 251) - 125),
    );
    const tags = ['<div class="story-body lead">', '<li id="menu-item" class=nav>', '<td itemprop="price">'];
    // an attribute that nothing reads makes each start tag another one
    const html = (mark: (k: number) => string) =>
      Array.from({ length: 60 }, (_, k) => {
        const tag = tags[(k * 7) % tags.length].replace('>', `${mark(k)}>`);
        return `${k % 3 === 0 ? '<section role="main" hidden>' : '<section>'}${tag}word ${k}</section>`;
      }).join('');
    const rowsOf = (source: string) =>
      weighed.read(parser.parse(new TextEncoder().encode(source)), 'https://example.org/').rows.slice();
    const rows = rowsOf(html((k) => ` data-k="${100 + k}"`));
    expect(rowsOf(html(() => ' data-k="100"'))).toEqual(rows);
    expect(new Set(rows.filter((_, k) => k % layout.ROW_FLOATS === FEATURE.names)).size).toBeGreaterThan(2);
  });

  it('hash texts alike whatever the white space between words, and wherever tags part words', () => {
    const { blocks } = read(
      '<p>all the words</p><p>all \n\t  the\u00a0 words </p><p>a<b>ll</b> the w<i>ord</i>s</p>',
    );
    const words = [layout.BLOCK_TEXT, layout.BLOCK_EXACT, layout.BLOCK_WORD_COUNT, layout.BLOCK_CHARACTERS];
    const first = words.map((word) => field(blocks, 0, word));
    for (const block of [1, 2]) expect(words.map((word) => field(blocks, block, word))).toEqual(first);
  });

  it('hash texts alike whatever their case and digits, and apart with their digits', () => {
    const { blocks } = read('<p>Page 12</p><p>page  34</p><p>page 12</p>');
    const text = (block: number) => field(blocks, block, layout.BLOCK_TEXT);
    const exact = (block: number) => field(blocks, block, layout.BLOCK_EXACT);
    expect(text(0)).toBe(text(1));
    expect(exact(0)).toBe(exact(2));
    expect(exact(0)).not.toBe(exact(1));
  });

  it('find the block that is the title', () => {
    const { blocks } = read(
      '<title>The fox and the grapes - Fables</title><p>Fables</p><h1>The fox and the grapes</h1><p>A fox saw grapes.</p>',
    );
    const isTitle = (block: number) => blocks.rows[block * layout.ROW_FLOATS + FEATURE.isTitle];
    expect([0, 1, 2].map(isTitle)).toEqual([0, 1, 0]);
  });

  it('fill every feature with a number on pages of any kind', () => {
    for (const html of [
      '',
      'x',
      '<p>',
      '<a href=x>y',
      '<table><tr><td>1<td>2',
      '<svg><text>a</text></svg>b',
    ]) {
      const { blocks } = read(html);
      for (let block = 0; block < blocks.count; block++) {
        const from = block * layout.ROW_FLOATS;
        expect(blocks.rows.subarray(from, from + layout.PAGE_FEATURES).every(Number.isFinite)).toBe(true);
      }
    }
  });
});
