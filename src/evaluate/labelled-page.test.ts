import { expect, test } from 'vitest';
import { findLabelBlocks, parseBlockLabels } from '../detect/joint/label-blocks.ts';
import { Parser } from '../parse/parser.ts';
import type { GoldRow } from './gold.ts';
import { countUnits, readLabelled, unitsOf } from './labelled-page.ts';
import { scorePage } from './score-page.ts';

const HTML = `<title>Ann</title><nav><a href=/>Home</a></nav><h1>Ann <b>Lee</b></h1>
<p>By Bo<script>x()</script></p><table><tr><th>Age<td>31<tr><td>Unit<td>B<br>west</table>
<ul><li>one two<li>three four</ul><select><option>No</select><p>First text of Ann</p>`;

function pageOf(labels: Record<string, unknown>) {
  const tree = new Parser().parse(Buffer.from(HTML));
  const row: GoldRow = {
    url: 'http://a/',
    site: '',
    set: '',
    keep: [],
    drop: [],
    labels: parseBlockLabels(labels),
  };
  return { row, tree };
}

const output = (text: string) => ({ url: 'http://a/', site: 'a', sitePages: 1, text, fellBack: false });

test('blocks are runs of text between tags other than inline ones', () => {
  const texts = findLabelBlocks(pageOf({ blocks: 0 }).tree).map(({ text }) => text);
  expect(texts).toEqual(
    'Home|Ann Lee|By Bo|Age|31|Unit|B west|one two|three four|First text of Ann'.split('|'),
  );
});

test('content is asked for; headline and facts are neither asked for nor punished', () => {
  const { row, tree } = pageOf({ blocks: 10, C: '3-9', T: '1', M: '2' });
  expect(readLabelled(row, tree)).toBe(true);
  const all = 'Age 31 Unit B west one two three four First text of Ann';
  expect(scorePage(output(all), row).words?.f1).toBe(1);
  expect(scorePage(output(`Ann Lee By Bo ${all}`), row).words?.f1).toBe(1);
  expect(scorePage(output(`Home ${all}`), row).words?.precision).toBeCloseTo(13 / 14);
});

test('a row with a hole, a list without an item and a label without its value are not whole', () => {
  const { row, tree } = pageOf({ blocks: 10, C: '3-9' });
  readLabelled(row, tree);
  const units = unitsOf(row)!;
  expect(countUnits(units, 'age 31 unit west one two'.split(' '))).toEqual({
    rows: { all: 2, found: 2, whole: 1 },
    items: { all: 2, found: 1, whole: 1 },
    pairs: { all: 1, found: 1, whole: 1 },
  });
});

test('a page with another number of blocks than the labelled one is not scored', () => {
  const { row, tree } = pageOf({ blocks: 9, C: '2' });
  expect(readLabelled(row, tree)).toBe(false);
});

test('labels that are not block numbers of the page are refused', () => {
  expect(() => parseBlockLabels({ blocks: 5, C: '5' })).toThrow(/under 5, not "5"/);
  expect(() => parseBlockLabels({ blocks: 5, C: 'x' })).toThrow(TypeError);
  expect(() => parseBlockLabels({ C: '1' })).toThrow(/number of blocks/);
});
