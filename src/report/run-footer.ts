/** Renders the end of the report: inputs, skips and problems, and the command to repeat the run. */
import { countOf } from '../model/count-of.ts';
import { escapeHtml } from '../view/escape-html.ts';
import { formatBytes, formatCount } from './format-numbers.ts';
import { pageLink } from './page-link.ts';
import type { ReportData } from './report-data.ts';

const MAX_INPUTS = 100;

/** Returns the HTML of the end of a report. */
export function renderFooter(data: ReportData): string {
  return `<footer class="page" id="run"><h2>The run</h2>
${renderAccounting(data)}
${renderProblems(data)}
${renderRun(data)}
</footer>`;
}

/** Returns the sum captures read = labelled + skipped, with all skip codes. */
function renderAccounting({ counts, detectors }: ReportData): string {
  const codes = Object.entries(counts.skipped)
    .filter(([, count]) => count > 0)
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
  const skipped = codes.reduce((sum, [, count]) => sum + count, 0);
  const list = codes
    .map(([code, count]) => `<li><b>${formatCount(count)}</b> ${escapeHtml(code)}</li>`)
    .join('');
  return `<p class="sum">${countOf(counts.captures, 'capture')} read = ${formatCount(counts.labelled)} ${detectors.length > 0 ? 'labelled' : 'compared'} + ${formatCount(skipped)} skipped</p>
${list === '' ? '' : `<ul class="codes" aria-label="Skipped, by code">${list}</ul>`}`;
}

function renderProblems({ problems }: ReportData): string {
  if (problems.total === 0) return '<section id="problems"><h3>Problems</h3><p>None.</p></section>';
  const codes = Object.entries(problems.byCode)
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .map(([code, count]) => `<li><b>${formatCount(count)}</b> ${escapeHtml(code)}</li>`);
  const rows = problems.listed.map((problem) => {
    const where = [problem.file, problem.entry].filter((part) => part !== undefined).join(' › ');
    const offset = problem.offset === undefined ? '' : ` at ${formatCount(problem.offset)}`;
    const url = problem.url === undefined ? '' : `<small>${pageLink(problem.url)}</small>`;
    return `<tr><td><code>${escapeHtml(problem.code)}</code></td><td>${escapeHtml(problem.message)}${url}</td><td>${escapeHtml(where)}${offset}</td></tr>`;
  });
  const unlisted = problems.total - rows.length;
  return `<section id="problems"><h3>Problems</h3>
<ul class="codes" aria-label="Problems, by code">${codes.join('')}</ul>
<details><summary>${unlisted > 0 ? `The first ${formatCount(rows.length)}` : 'List'}</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Problems"><table class="plain"><thead><tr><th scope="col">Code</th><th scope="col">What</th><th scope="col">Where</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div></details>
${unlisted > 0 ? `<p class="note">${formatCount(unlisted)} more are in problems.jsonl.</p>` : ''}
</section>`;
}

const OF_DETECTOR = /^detectorOptions\.(\w+)\./;

function renderRun({ version, inputs, options, detectors }: ReportData): string {
  // leave out options of detectors that did not run
  const used = Object.entries(options).filter(([name]) => {
    const detector = OF_DETECTOR.exec(name)?.[1];
    return detector === undefined || detectors.includes(detector);
  });
  const rows = used.map(
    ([name, value]) =>
      `<div><dt>${escapeHtml(name.replace(OF_DETECTOR, '$1 '))}</dt><dd>${escapeHtml(String(value))}</dd></div>`,
  );
  const files = inputs
    .slice(0, MAX_INPUTS)
    .map(
      ({ name, sizeBytes, captures }) =>
        `<tr><td>${escapeHtml(name)}</td><td class="number">${sizeBytes > 0 ? formatBytes(sizeBytes) : '–'}</td><td class="number">${formatCount(captures)}</td></tr>`,
    );
  const more =
    inputs.length > MAX_INPUTS
      ? `<p class="note">and ${formatCount(inputs.length - MAX_INPUTS)} more</p>`
      : '';
  return `<details><summary>Archives and options</summary>
<dl class="options"><div><dt>chaff</dt><dd>${escapeHtml(version)}</dd></div>${rows.join('')}</dl>
<div class="scroll"><table class="plain"><thead><tr><th scope="col">Archive</th><th scope="col" class="number">Size</th><th scope="col" class="number">Captures</th></tr></thead><tbody>${files.join('')}</tbody></table></div>${more}
</details>`;
}
