import { expect, test } from 'vitest';
import { parseHeld } from '../../test/held-tree.ts';
import { TAG } from '../parse/tag-names.ts';
import { ELEMENT } from '../parse/tree.ts';
import { classifyTables, type TableForm } from './markdown-tables.ts';

/** The forms of the tables of a page, in document order. */
function formsOf(html: string): (TableForm | undefined)[] {
  const tree = parseHeld(new TextEncoder().encode(html));
  const isTable = (node: number) => tree.kind[node] === ELEMENT && tree.name[node] === TAG.table;
  const tables = Array.from({ length: tree.nodeCount }, (_, node) => node).filter(isTable);
  const forms = new Map<number, TableForm>();
  classifyTables(tree, tables[0], forms);
  return tables.map((table) => forms.get(table));
}

const DATA = '<tr><th>a<th>b<tr><td>1<td>2';

test('a data table is a GFM table, or HTML when a cell has blocks or spans rows', () => {
  expect(formsOf(`<table>${DATA}</table>`)).toEqual(['gfm']);
  expect(formsOf(`<table>${DATA}<tr><td><ul><li>x</ul><td>y</table>`)).toEqual(['html']);
  expect(formsOf(`<table>${DATA}<tr><td rowspan=2>x<td>y</table>`)).toEqual(['html']);
  expect(formsOf('<table><tr><td rowspan=2>x<td>y<tr><td>z</table>')).toEqual(['gfm']);
});

test('a table of one row or one column, or with a table or a heading inside, is its blocks', () => {
  for (const rows of ['<tr><td>a<td>b', '<tr><td>a<tr><td>b', `${DATA}<tr><td><h2>c</h2><td>d`]) {
    expect(formsOf(`<table>${rows}</table>`)).toEqual(['blocks']);
  }
  expect(formsOf(`<table><tr><td><table>${DATA}</table><td>b<tr><td>c<td>d</table>`)).toEqual([
    'blocks',
    'gfm',
  ]);
});

test('what follows a table inside a cell is not part of it', () => {
  const inner = `<table>${DATA}</table>`;
  for (const next of ['<ul><li>x</ul>', '<h2>x</h2>', inner, '<pre>x</pre>']) {
    expect(formsOf(`<table><tr><td>${inner}${next}</table>`)[1], next).toBe('gfm');
  }
});
