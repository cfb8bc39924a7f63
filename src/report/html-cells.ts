/** Pieces of HTML that the sections of the report share. What comes from pages must be escaped by the caller. */
import { escapeHtml } from '../view/escape-html.ts';
import { formatCount, formatPercent } from './format-numbers.ts';

/** The head of a column that the browser script sorts by. */
export function sortHead(name: string, kind: 'text' | 'number' = 'number', attributes = ''): string {
  return `<th scope="col" class="${kind}"${attributes}><button type="button">${escapeHtml(name)}</button></th>`;
}

export function numberCell(value: number, shown = formatCount(value)): string {
  return `<td class="number" data-v="${Math.round(value)}">${value === 0 ? '<i class="none">0</i>' : shown}</td>`;
}

/** A share as a bar and in per cent; `attributes` are those of the cell. */
export function shareCell(part: number, all: number, attributes = ''): string {
  const share = all <= 0 ? 0 : Math.min(1, part / all);
  return `<td class="share"${attributes}><span class="meter"><i style="width:${(100 * share).toFixed(1)}%"></i></span><span class="figure">${formatPercent(part, all)}</span></td>`;
}

/** At most so many characters, not cut inside a surrogate pair, and an ellipsis when there are more. */
export function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`;
}

export function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
