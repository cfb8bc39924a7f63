import { expect, test } from 'vitest';
import { makePage, parsePage } from '../../../test/detector-contract.ts';
import { LayoutEstimator } from '../../layout/estimate.ts';
import { FeatureMaker } from './page-features.ts';
import { ReplyFinder } from './replies.ts';

const TEXT =
  'It goes on for a while, as such texts do, and says a thing or two about the matter in question.';
const STORY = `<div class="story">${`<p>${TEXT}</p>`.repeat(5)}</div>`;
const reply = (name: string, text = TEXT) =>
  `<div class="${name}"><div>Somebody</div><div>12.03.2012 14:55</div><p>${text}</p></div>`;
const list = (name: string, text?: string) =>
  `<div class="list"><h3>Below</h3>${reply(name, text).repeat(4)}</div>`;

/** Returns the start tags of the outermost nodes that are replies. */
function replies(html: string): string[] {
  const parsed = parsePage(makePage(`<body>${html}</body>`, 1));
  const { tree } = parsed;
  const table = new FeatureMaker().make(parsed, new LayoutEstimator().estimate(tree));
  const marks = new ReplyFinder({ words: ['reply'], weights: [1] }).find(tree, table);
  const found: string[] = [];
  for (let row = 1; row < table.rowCount; row++) {
    if (marks[row] === 0 || marks[table.parent[row]] === 1) continue;
    const node = table.node[row];
    found.push(Buffer.from(tree.source.subarray(tree.start[node], tree.openEnd[node])).toString());
  }
  return found;
}

test('dated siblings with prose below a text are replies', () => {
  expect(replies(STORY + list('reply'))).toEqual(Array(4).fill('<div class="reply">'));
});

test('siblings with unknown names are not replies', () => {
  expect(replies(STORY + list('thing'))).toEqual([]);
});

test('the posts of a forum, without a text above, are not replies', () => {
  expect(replies(list('reply'))).toEqual([]);
  expect(replies(list('reply') + STORY)).toEqual([]);
});

test('siblings without a date are not replies', () => {
  expect(replies(STORY + list('reply').replaceAll('12.03.2012 14:55', 'once'))).toEqual([]);
});

test('dated lines without prose are not replies', () => {
  expect(replies(STORY + list('reply', 'Not more than these eight or nine words here'))).toEqual([]);
});

test('a list that is much longer than its introduction is not replies', () => {
  expect(replies(`<p>${TEXT}</p>${list('reply', TEXT.repeat(9))}`)).toEqual([]);
});
