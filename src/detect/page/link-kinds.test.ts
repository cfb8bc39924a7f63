import { expect, test } from 'vitest';
import { makePage, parsePage } from '../../../test/detector-contract.ts';
import { LayoutEstimator } from '../../layout/estimate.ts';
import { siteOf } from '../../model/site.ts';
import { FEATURE_COLUMN } from './feature-list.ts';
import { FeatureMaker } from './page-features.ts';

const PAGE = 'http://www.a.example/folder/page.html';
const ELSEWHERE = 'elsewhere';
const SAME_SITE = 'site';
const SAME_PAGE = 'page';

/** Returns the kind of the single link of a page, by its features. */
function kindOf(href: string): string {
  const { page, tree } = parsePage(makePage(`<p>Some words <a href="${href}">and a link</a></p>`, 1));
  const parsed = { page: { ...page, url: PAGE }, tree };
  const { values } = new FeatureMaker().make(parsed, new LayoutEstimator().estimate(tree));
  if (values[FEATURE_COLUMN.pageLinks] === 1) return SAME_PAGE;
  return values[FEATURE_COLUMN.sameSite] === 1 ? SAME_SITE : ELSEWHERE;
}

test('a link stays on the site if and only if the site of its address is the same', () => {
  for (const href of [
    '/x',
    'x?a=b:c',
    '../x',
    'http://a.example/x',
    'https://WWW.A.example',
    '//a.example/x',
    'http://a.example:80/x',
    'http://b.example/',
    'http://a.example.org/',
    'http://sub.a.example/',
    '//b.example',
  ]) {
    const isSame = siteOf(new URL(href, PAGE).href) === siteOf(PAGE);
    expect([href, kindOf(href)]).toEqual([href, isSame ? SAME_SITE : ELSEWHERE]);
  }
});

test('links within the page are recognised, and links to other schemes lead elsewhere', () => {
  expect(['', '#top'].map(kindOf)).toEqual([SAME_PAGE, SAME_PAGE]);
  expect(['mailto:a@a.example', 'javascript:void(0)', 'tel:1'].map(kindOf)).toEqual([
    ELSEWHERE,
    ELSEWHERE,
    ELSEWHERE,
  ]);
});
