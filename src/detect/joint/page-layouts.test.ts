import { describe, expect, it } from 'vitest';
import { findGroup, groupLayouts, isDistinctive, slotSet } from './page-layouts.ts';

const article = slotSet([1, 2, 3, 4]);
const listing = slotSet([5, 6, 7, 8]);

describe('layout groups', () => {
  it('put pages with most slots in common together, whatever the pages between', () => {
    const pages = [article, listing, article, listing, slotSet([1, 2, 3, 9]), listing, article, listing];
    const { groups, groupOf } = groupLayouts(pages);
    expect(groups.map((group) => group.pages)).toEqual([4, 4]);
    expect([...groupOf]).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
  });

  it('leave pages of rare layouts without a group', () => {
    const { groups, groupOf } = groupLayouts([article, article, listing, article, article]);
    expect(groups).toHaveLength(1);
    expect([...groupOf]).toEqual([0, 0, -1, 0, 0]);
  });

  it('are found for a page that was not counted', () => {
    const { groups } = groupLayouts([...Array(4).fill(article), ...Array(4).fill(listing)]);
    expect(findGroup(groups, slotSet([5, 6, 7]))).toBe(1);
    expect(findGroup(groups, slotSet([20, 21]))).toBe(-1);
  });

  it('are one group when no slot distinguishes pages', () => {
    const { groups } = groupLayouts(Array(5).fill(slotSet([])));
    expect(groups.map((group) => group.pages)).toEqual([5]);
  });

  it('go by slots that some pages have, not all and not one alone', () => {
    expect([1, 2, 79, 80, 100].map((pages) => isDistinctive(pages, 100))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
  });
});
