/** The sites of an output folder as a table for the terminal. */

import { countOf, formatCount } from '../model/count-of.ts';
import type { OutputFolder } from '../store/open-folder.ts';
import { percent, table } from './list-format.ts';
import { printable } from './summary.ts';

const MOST_ROWS = 20;
const MOST_NAME_CHARACTERS = 40;

/** Text, HTML and links inside templates by the first detector, and text by the others. */
export async function siteTable(folder: OutputFolder): Promise<string> {
  const [first, ...others] = folder.detectors;
  const sites = await folder.sites({ limit: MOST_ROWS });
  const header = ['site', 'pages', `${first} text`, 'HTML', 'links', ...others.map((name) => `${name} text`)];
  const rows = sites.map((site) => [
    printable(site.site).slice(0, MOST_NAME_CHARACTERS),
    formatCount(site.pages),
    shareOf(site.inside[first].textBytes, site.textBytes),
    shareOf(site.inside[first].htmlBytes, site.htmlBytes),
    shareOf(site.inside[first].links, site.links),
    ...others.map((name) => shareOf(site.inside[name].textBytes, site.textBytes)),
  ]);
  const more = folder.run.counts.sites - sites.length;
  const lines = table([header, ...rows], (column) => column > 0);
  if (more > 0) lines.push(`… and ${countOf(more, 'more site')}`);
  return sites.length === 0 ? '' : `share inside templates\n${lines.join('\n')}\n`;
}

function shareOf(part: number, whole: number): string {
  return whole === 0 ? '–' : percent(part / whole);
}
