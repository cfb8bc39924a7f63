import { expect, test } from 'vitest';
import { Parser } from '../../parse/parser.ts';
import { tagName } from '../../parse/tag-names.ts';
import { PageElements } from './page-elements.ts';
import { type Selector, SelectorMatcher } from './selector-matcher.ts';

const STANDARDS = '<!doctype html>';

/** Returns for each selector the texts of the elements that it matches. */
function matches(html: string, ...selectors: Selector[]): string[][] {
  const matcher = new SelectorMatcher();
  selectors.forEach((selector, number) => {
    matcher.add(number, selector);
  });
  const tree = new Parser().parse(new TextEncoder().encode(html));
  const found: string[][] = selectors.map(() => []);
  matcher.match(new PageElements(tree), (node, numbers) => {
    const inside = new TextDecoder().decode(
      tree.text.subarray(tree.textStart[node], tree.textStart[tree.last[node]]),
    );
    for (const number of numbers) found[number].push(`${tagName(tree, node)} ${inside.trim()}`);
  });
  return found;
}

test('a step matches tag, id, classes, attributes and position together', () => {
  const html = `${STANDARDS}<p class="a b" data-x="1&amp;2">one<p class="a">two<p class="b a" id=i>three`;
  expect(
    matches(
      html,
      [{ tag: 'p', classes: ['a', 'b'] }],
      [{ tag: '*', id: 'i' }],
      [{ tag: 'p', attributes: [{ name: 'data-x', value: '1&2' }] }],
      [{ tag: 'p', classes: ['a'], nthOfType: 2 }],
      [{ tag: 'div', classes: ['a'] }],
      [{ tag: '*', nthChild: 3 }],
    ),
  ).toEqual([['p one', 'p three'], ['p three'], ['p one'], ['p two'], [], ['p three']]);
});

test('each step is the parent of the next', () => {
  const html = `${STANDARDS}<div id=x><ul><li>in</ul><div><ul><li>deep</ul></div></div><ul><li>out</ul>`;
  const list: Selector = [{ tag: 'ul' }, { tag: 'li' }];
  expect(matches(html, list, [{ tag: '*', id: 'x' }, ...list], [{ tag: 'body' }, ...list])).toEqual([
    ['li in', 'li deep', 'li out'],
    ['li in'],
    ['li out'],
  ]);
});

test('ids and classes are compared without case in quirks mode only', () => {
  const page = '<p class=Menu>a<p class=menu id=X>b';
  const selectors: Selector[] = [[{ tag: 'p', classes: ['menu'] }], [{ tag: '*', id: 'x' }]];
  expect(matches(page, ...selectors)).toEqual([['p a', 'p b'], ['p b']]);
  expect(matches(`${STANDARDS}${page}`, ...selectors)).toEqual([['p b'], []]);
});

test('the contents of a template element are not matched', () => {
  expect(matches(`${STANDARDS}<template><p>no</template><p>yes`, [{ tag: 'p' }])).toEqual([['p yes']]);
});

test('formatting that is reopened after a block keeps its attributes', () => {
  expect(matches(`${STANDARDS}<p>1<b class=x>2<p>3</b>`, [{ tag: 'b', classes: ['x'] }])).toEqual([
    ['b 2', 'b 3'],
  ]);
});

test('a long row of siblings and as many selectors are matched within the time limit', () => {
  const html = `${STANDARDS}${'<p>x</p>'.repeat(20_000)}`;
  const selectors = Array.from(
    { length: 5000 },
    (_, at): Selector => [{ tag: 'body' }, { tag: 'p', nthOfType: 1 + at }],
  );
  const found = matches(html, ...selectors);
  expect(found.every((list) => list.length === 1)).toBe(true);
});
