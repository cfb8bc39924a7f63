/** What the row of a labelled page looks like in each format that `strip` and `label` write. */
import { gzipSync } from 'node:zlib';
import { wellFormedJson } from '../../model/well-formed-json.ts';
import { conversionRecord } from '../../view/conversion.ts';
import { renderFrontMatter } from '../../view/front-matter.ts';
import { dolmaRow, type TextRow } from '../../view/rows.ts';
import type { PageRow } from './page-row.ts';
import type { DocumentFormat, PageFormat } from './row-formats.ts';

/** A page as it is written among others. */
export function encodePage(row: PageRow, format: PageFormat): Uint8Array {
  switch (format) {
    case 'warc':
      return conversionRecord(row, row.text);
    case 'warc.gz':
      return gzipSync(conversionRecord(row, row.text));
    case 'jsonl':
      return line(withoutKind(row));
    case 'dolma':
      return line(dolmaRow(withoutKind(row)));
    case 'ranges':
      return line(rangesRow(row));
    case 'text':
      return Buffer.from(`# ${row.url} ${row.time}\n${documentOf(row, format)}\n`);
    case 'markdown':
      return Buffer.from(`${documentOf(row, format)}\n`);
    case 'html':
      return Buffer.from(documentOf(row, format));
  }
}

/** What a page says, as a document of its own. */
export function documentOf(row: PageRow, format: DocumentFormat): string {
  if (format === 'text') return `${row.text}\n`;
  if (format === 'html') return `${row.html ?? ''}\n`;
  const { url, time, site, title, markdown = '' } = row;
  return `${renderFrontMatter({ url, time, site, title })}${markdown}\n`;
}

function rangesRow({ kind: _k, text: _t, ranges = {}, explanation, ...page }: PageRow): object {
  const [detector] = Object.keys(ranges);
  return { ...page, detector, ranges: ranges[detector] ?? [], ...explanation };
}

function withoutKind({ kind: _, ...row }: PageRow): TextRow {
  return row;
}

function line(row: object): Uint8Array {
  return Buffer.from(`${wellFormedJson(row)}\n`);
}
