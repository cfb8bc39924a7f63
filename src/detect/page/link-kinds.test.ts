import { expect, test } from 'vitest';
import { siteOf } from '../../model/site.ts';
import { ELSEWHERE, LinkKinds, SAME_PAGE, SAME_SITE } from './text-measures.ts';

const PAGE = 'http://www.a.example/folder/page.html';

function kindOf(href: string): number {
  const kinds = new LinkKinds();
  kinds.open(siteOf(PAGE));
  const bytes = Buffer.from(`"${href}"`);
  return kinds.kindOf(bytes, 1, bytes.length - 1);
}

test('links stay on the site exactly where the site of their address is the same', () => {
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

test('places of the same page are told apart, and what is no page leads elsewhere', () => {
  expect(['', '#top'].map(kindOf)).toEqual([SAME_PAGE, SAME_PAGE]);
  expect(['mailto:a@a.example', 'javascript:void(0)', 'tel:1'].map(kindOf)).toEqual([
    ELSEWHERE,
    ELSEWHERE,
    ELSEWHERE,
  ]);
});
