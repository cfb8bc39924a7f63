/** HTML parts that sections of the report share. The caller must escape text from pages. */
import { escapeHtml } from '../view/escape-html.ts';
import { formatCount, formatPercent } from './format-numbers.ts';

/** Returns the head of a column that the browser script sorts by. */
export function sortHead(
  name: string,
  kind: 'text' | 'number' = 'number',
  attributes = '',
  look = '',
): string {
  return `<th scope="col" class="${kind}${look === '' ? '' : ` ${look}`}"${attributes}><button type="button">${escapeHtml(name)}</button></th>`;
}

/** Returns a table cell with a number, which is also its sort key. */
export function numberCell(value: number, shown = formatCount(value)): string {
  return `<td class="number" data-v="${Math.round(value)}">${value === 0 ? '<i class="none">0</i>' : shown}</td>`;
}

/**
 * Returns a table cell with a share as a bar and in per cent; `attributes` are added to the cell, `look` is its
 * class.
 */
export function shareCell(part: number, all: number, attributes = '', look = ''): string {
  const share = all <= 0 ? 0 : Math.min(1, part / all);
  return `<td class="share${look === '' ? '' : ` ${look}`}"${attributes}><span class="meter"><i style="width:${(100 * share).toFixed(1)}%"></i></span><span class="figure">${formatPercent(part, all)}</span></td>`;
}

/**
 * Returns at most `longest` characters of a text, with an ellipsis when more are cut off; surrogate pairs are kept
 * whole.
 */
export function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Returns a word with a capital first letter. */
export function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
