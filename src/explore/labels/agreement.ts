/**
 * Computes the agreement of two people: Cohen's kappa over the blocks that both have marked, κ = (p_o − p_e) / (1 −
 * p_e), with p_o the share of equal marks and p_e the share expected if each gave marks at random in his or her
 * proportions. It is computed twice: each block counts once, and each block counts by the characters of its text.
 */
import type { Agreement, Kappa, Mark, PageDifference } from '../page-answers.ts';
import { type LabelRow, MARKS } from './label-page.ts';

const MAX_DIFFERENCES = 200;

/** Returns the agreement of two people from their rows of labels. */
export function agreementOf(first: readonly LabelRow[], second: readonly LabelRow[]): Agreement {
  const blocks = emptyTable();
  const characters = emptyTable();
  const others = new Map(second.map((row) => [nameOf(row), row]));
  const differences: PageDifference[] = [];
  let pages = 0;
  for (const row of first) {
    const other = others.get(nameOf(row));
    // skip marks of a different version of the page
    if (!other || other.source !== row.source) continue;
    const marks = new Map(other.marks.map(([start, end, mark]) => [`${start} ${end}`, mark]));
    const difference = { site: row.site, url: row.url, time: row.time ?? '', blocks: 0, characters: 0 };
    let common = 0;
    for (const [start, end, mark, length] of row.marks) {
      const otherMark = marks.get(`${start} ${end}`);
      if (otherMark === undefined) continue;
      common++;
      blocks[mark][otherMark]++;
      characters[mark][otherMark] += length;
      if (mark === otherMark) continue;
      difference.blocks++;
      difference.characters += length;
    }
    if (common > 0) pages++;
    if (difference.blocks > 0) differences.push(difference);
  }
  differences.sort((a, b) => b.characters - a.characters || (a.url < b.url ? -1 : 1));
  return {
    pages,
    byBlock: kappaOf(blocks),
    byCharacter: kappaOf(characters),
    confusion: blocks,
    differences: differences.slice(0, MAX_DIFFERENCES),
  };
}

function nameOf({ url, time = '' }: LabelRow): string {
  return `${url} ${time}`;
}

type Table = Record<Mark, Record<Mark, number>>;

function emptyTable(): Table {
  const row = () => Object.fromEntries(MARKS.map((mark) => [mark, 0])) as Record<Mark, number>;
  return Object.fromEntries(MARKS.map((mark) => [mark, row()])) as Table;
}

/** Returns Cohen's kappa of a table of counts by both marks. */
function kappaOf(table: Table): Kappa {
  const rowSum = (mark: Mark) => MARKS.reduce((sum, other) => sum + table[mark][other], 0);
  const columnSum = (mark: Mark) => MARKS.reduce((sum, other) => sum + table[other][mark], 0);
  const units = MARKS.reduce((sum, mark) => sum + rowSum(mark), 0);
  if (units === 0) return { kappa: null, observed: 0, units };
  const observed = MARKS.reduce((sum, mark) => sum + table[mark][mark], 0) / units;
  const expected = MARKS.reduce((sum, mark) => sum + rowSum(mark) * columnSum(mark), 0) / units ** 2;
  return { kappa: expected === 1 ? null : (observed - expected) / (1 - expected), observed, units };
}
