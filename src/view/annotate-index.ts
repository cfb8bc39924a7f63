/** The list of a folder of annotated pages, by site, the pages with most template first. */
import { compare } from '../model/order.ts';
import { INERT_POLICY, type LabelShares, percent } from './annotate.ts';
import { INDEX_STYLE } from './annotated-style.ts';
import { escapeHtml } from './escape-html.ts';

export interface IndexEntry {
  /** File name within the folder. */
  file: string;
  url: string;
  time: string;
  site: string;
  title: string;
  shares: LabelShares;
}

export function renderAnnotateIndex(entries: readonly IndexEntry[]): string {
  const sites = new Map<string, IndexEntry[]>();
  for (const entry of entries) {
    const pages = sites.get(entry.site);
    if (pages === undefined) sites.set(entry.site, [entry]);
    else pages.push(entry);
  }
  const sections = [...sites.keys()].sort(compare).map((site) => {
    const pages = (sites.get(site) ?? []).toSorted(
      (a, b) => templateShare(b) - templateShare(a) || compare(a.url, b.url) || compare(a.time, b.time),
    );
    return `<h2>${escapeHtml(site)} <small>${pages.length.toLocaleString('en')} pages</small></h2>
<table><thead><tr><th>Page</th><th class="when">Time</th><th class="n">Template text</th></tr></thead>
<tbody>${pages.map(renderRow).join('\n')}</tbody></table>`;
  });
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${INERT_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Annotated pages</title>
<style>${INDEX_STYLE}</style>
</head>
<body>
<header class="top"><h1>Annotated pages</h1>
<p class="where">${entries.length.toLocaleString('en')} pages of ${sites.size.toLocaleString('en')} sites, most template first</p></header>
<main>
${sections.join('\n')}
</main>
</body>
</html>
`;
}

function renderRow(entry: IndexEntry): string {
  const share = templateShare(entry);
  const title = entry.title === '' ? entry.url : entry.title;
  const width = (100 * share).toFixed(1);
  return (
    `<tr><td><a href="${escapeHtml(fileHref(entry.file))}"><bdi>${escapeHtml(title)}</bdi></a><small><bdi>${escapeHtml(entry.url)}</bdi></small></td>` +
    `<td class="when">${escapeHtml(entry.time)}</td>` +
    `<td class="n"><span class="bar"><i style="width:${width}%"></i></span>${percent(share)}</td></tr>`
  );
}

/** A relative address of a file in the same folder, whatever its name. */
function fileHref(file: string): string {
  return `./${file.split('/').map(encodeURIComponent).join('/')}`;
}

function templateShare({ shares: { text } }: IndexEntry): number {
  return text.template / Math.max(1, text.template + text.content + text.unsure);
}
