/**
 * Makes links to archived pages and their annotated views. Text from pages is escaped; only web addresses become
 * links.
 */
import { ANNOTATED_FOLDER, annotatedFile } from '../store/sampled-part.ts';
import { escapeHtml } from '../view/escape-html.ts';
import { cut } from './html-cells.ts';

const LONGEST_NAME = 90;

/** Returns an address as a link; as text when it is not a web address, such as `javascript:`. */
export function pageLink(url: string, name = url): string {
  const shown = `<bdi>${escapeHtml(cut(name === '' ? url : name, LONGEST_NAME))}</bdi>`;
  return isWebAddress(url) ? `<a href="${escapeHtml(url)}" rel="noreferrer">${shown}</a>` : shown;
}

/** True for addresses that start with `http://` or `https://`. */
function isWebAddress(url: string): boolean {
  return /^https?:\/\/[^/]/i.test(url);
}

/** Returns a link to the annotated view of a page; '' when the folder has none. */
export function annotatedLink(page: number, annotated: ReadonlySet<number>): string {
  return annotated.has(page)
    ? ` <a class="annotated" href="${ANNOTATED_FOLDER}/${annotatedFile(page)}">annotated</a>`
    : '';
}
