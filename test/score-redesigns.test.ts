import { expect, test } from 'vitest';
import { precisionAndRecall, readRedesignTruth, scoreRedesigns } from '../scripts/score-redesigns.ts';

const LIST =
  'site,date,kind,why\n# seen in March\na.example,2019-12,yes,new menu\na.example,2021,yes,\nb.de,2020-01-02,small,footer\n';
const row = (site: string, first: string, name = 'redesign') => ({ class: name, site, first });

test('redesigns are right when their first day begins as a listed date, and smaller changes do not count', () => {
  const scores = scoreRedesigns(readRedesignTruth(LIST), [
    row('a.example', '2019-12-13'),
    row('a.example', '2021-05-01', 'smaller-change'),
    row('news.example/b.de', '2020-01-02'),
    row('c.example', '2020-01-02'),
  ]);
  expect(scores).toEqual([
    { site: 'a.example', listed: 2, right: 1, wrong: [], missed: ['2021'] },
    { site: 'b.de', listed: 0, right: 0, wrong: ['2020-01-02'], missed: [] },
  ]);
  expect(precisionAndRecall(scores)).toEqual({ precision: 0.5, recall: 0.5 });
  expect(precisionAndRecall([])).toEqual({ precision: 1, recall: 1 });
});

test('a row that is not one of a list of redesigns is refused with its number', () => {
  expect(() => readRedesignTruth('')).toThrow(/columns site, date and kind/);
  expect(() => readRedesignTruth('site,date\n')).toThrow(/site,date/);
  expect(() => readRedesignTruth('site,date,kind\na,2019,perhaps')).toThrow(/row 1 .*a,2019,perhaps/);
  expect(() => readRedesignTruth('site,date,kind\na,soon,yes')).toThrow(/row 1/);
});
