/** What was sent and what the dictionary saved, as one page without scripts. */
import { escapeHtml } from '../../src/view/escape-html.ts';

export interface SentPage {
  path: string;
  encoding: string;
  sourceBytes: number;
  sentBytes: number;
}

const MAX_LINKS = 100;
const MAX_ROWS = 50;

export function statusPage(
  sent: readonly SentPage[],
  paths: readonly string[],
  dictionaryBytes: number,
): string {
  const encodings = [...new Set(sent.map(({ encoding }) => encoding))].sort();
  const totals = encodings.map((encoding) => {
    const pages = sent.filter((page) => page.encoding === encoding);
    const sourceBytes = sum(pages.map((page) => page.sourceBytes));
    const sentBytes = sum(pages.map((page) => page.sentBytes));
    return row([
      escapeHtml(encoding),
      number(pages.length),
      number(sourceBytes),
      number(sentBytes),
      percent(sentBytes, sourceBytes),
    ]);
  });
  const latest = [...sent]
    .reverse()
    .slice(0, MAX_ROWS)
    .map(({ path, encoding, sourceBytes, sentBytes }) =>
      row([
        link(path),
        escapeHtml(encoding),
        number(sourceBytes),
        number(sentBytes),
        percent(sentBytes, sourceBytes),
      ]),
    );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Pages sent</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0 }
th, td { padding: .2rem .8rem .2rem 0; text-align: right; border-bottom: 1px solid #ddd }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere }
</style>
<h1>Pages sent</h1>
<p>The dictionary has ${number(dictionaryBytes)} bytes. A browser fetches it once, after its first page.</p>
<table id="totals">${row(['encoding', 'pages', 'bytes', 'bytes sent', 'share'], 'th')}${totals.join('')}</table>
<h2>Latest</h2>
<table id="latest">${row(['page', 'encoding', 'bytes', 'bytes sent', 'share'], 'th')}${latest.join('')}</table>
<h2>Pages</h2>
<ul>${paths
    .slice(0, MAX_LINKS)
    .map((path) => `<li>${link(path)}</li>`)
    .join('')}</ul>
${paths.length > MAX_LINKS ? `<p>and ${number(paths.length - MAX_LINKS)} more</p>` : ''}
</html>
`;
}

function row(cells: readonly string[], tag = 'td'): string {
  return `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>\n`;
}

/** Paths begin with one slash, so that none leads to another host. */
function link(path: string): string {
  return `<a href="${escapeHtml(path)}">${escapeHtml(path)}</a>`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
