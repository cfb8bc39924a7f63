import { expect, test } from 'vitest';
import { Parser } from '../parse/parser.ts';
import { PathTokens } from './path-tokens.ts';

function tokensOf(html: string): Set<number> {
  const paths = new PathTokens();
  paths.make(new Parser().parse(Buffer.from(html)));
  return new Set(paths.tokens.subarray(0, paths.count));
}

const list = (items: number, attributes = '') =>
  `<body><div class=main><ul${attributes}>${'<li><a href=x>y</a>'.repeat(items)}</ul></div>`;

test('a longer list has the same tokens', () => {
  expect(tokensOf(list(20))).toEqual(tokensOf(list(2)));
});

test('a class makes a difference, its digits and how it is written do not', () => {
  const plain = tokensOf(list(2));
  const classed = tokensOf(list(2, ' class="post-17"'));
  expect(classed).not.toEqual(plain);
  for (const written of [
    " class='post-9'",
    ' id="class=x" CLASS = "post-"',
    ' title=\'a class="other"\' class=post-123',
    ' data-class=z class="post-5"',
  ]) {
    expect(tokensOf(list(2, written)), written).toEqual(classed);
  }
});

test('what only looks like a class is none', () => {
  const plain = tokensOf(list(2));
  for (const written of [' title="class=post"', ' data-class=post', ' classy=post', ' class']) {
    expect(tokensOf(list(2, written)), written).toEqual(plain);
  }
});

test('scripts, iframes, comments and text do not matter', () => {
  expect(tokensOf('<body><p>a<!-- b --><script class=c>d</script><iframe><b></iframe>')).toEqual(
    tokensOf('<body><p>'),
  );
});
