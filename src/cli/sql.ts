/** `chaff sql`: runs a query over an output folder. */
import { Command, Option } from 'commander';
import { countOf } from '../model/count-of.ts';
import { FolderSql, type SqlResult } from '../store/folder-sql.ts';
import { cellText, dataLines } from '../store/sql-lines.ts';
import { type Context, UsageError } from './context.ts';
import { write } from './streams.ts';
import { printable } from './summary.ts';

const FORMATS = ['table', 'jsonl', 'csv'] as const;
/** Maximum number of rows of a table; further rows are only mentioned. */
const MAX_TABLE_ROWS = 1000;
const MAX_CELL_CHARACTERS = 80;

/** Declares the command `sql`. */
export function sqlCommand(context: Context): Command {
  return new Command('sql')
    .summary('run a SQL query over an output folder')
    .description(
      'Runs one SQL query (DuckDB) over the tables of a folder:\n' +
        '  pages, ranges, templates, text, problems    of chaff report and chaff history\n' +
        '  aggregates, schemas, page_schemas           whole templates, kinds of pages\n' +
        '  wireframes                                  boxes of the parts of some pages\n' +
        '  categories, collections, settings           by --categories and --compare-settings\n' +
        '  history_captures, history_values,\n' +
        '  history_redesigns                           of chaff history\n' +
        '  fragment_classes, fragment_members,\n' +
        '  fragment_pages                              of chaff fragments\n' +
        '  groups, changes                             of lists added to it (docs/reference/explorer.md)\n' +
        'docs/reference/output-folder.md has their columns, docs/reference/queries.md\n' +
        'the queries of the report.',
    )
    .argument('<folder>', 'an output folder of chaff report, chaff history or chaff fragments')
    .argument('<query>', 'one SELECT')
    .addOption(new Option('--format <name>', 'table on a terminal, else jsonl').choices(FORMATS))
    .addHelpText(
      'after',
      `
Examples:
  chaff report crawl.warc.gz -o crawl.chaff
  chaff sql crawl.chaff "select site, count(*), avg(joint_text_share) from pages group by site"
  chaff sql crawl.chaff "select pages, text from templates where text <> '' order by pages desc limit 20"
  chaff sql crawl.chaff "select site, schema, pages, pattern from schemas where not outlier"
  chaff sql crawl.chaff "show tables"
  chaff sql crawl.chaff "describe ranges"`,
    )
    .action(async (folder: string, query: string, flags: { format?: (typeof FORMATS)[number] }) => {
      const { stdout } = context.streams;
      if (query.trim() === '') throw new UsageError('the query is empty: give one SELECT');
      const format = flags.format ?? (stdout.isTTY ? 'table' : 'jsonl');
      const sql = await FolderSql.open(folder);
      try {
        const result = await sql.query(query, { signal: context.signal }).catch((error: Error) => {
          throw new UsageError(error.message);
        });
        for await (const line of format === 'table' ? tableLines(result) : dataLines(result, format)) {
          await write(stdout, `${line}\n`);
        }
      } finally {
        sql.close();
      }
    });
}

async function* tableLines({ columns, rows }: SqlResult): AsyncGenerator<string> {
  const table: string[][] = [columns.map(({ name }) => name)];
  let more = 0;
  for await (const batch of rows) {
    for (const row of batch) {
      if (table.length <= MAX_TABLE_ROWS)
        table.push(row.map((value) => printable(String(cellText(value))).slice(0, MAX_CELL_CHARACTERS)));
      else more++;
    }
  }
  const widths = columns.map((_, k) => Math.max(...table.map((row) => row[k].length)));
  const numeric = columns.map(({ type }) => /INT|FLOAT|DOUBLE|DECIMAL/.test(type));
  for (const [k, row] of table.entries()) {
    yield row
      .map((cell, c) => (numeric[c] ? cell.padStart(widths[c]) : cell.padEnd(widths[c])))
      .join('  ')
      .trimEnd();
    if (k === 0) yield widths.map((width) => '─'.repeat(width)).join('  ');
  }
  if (more > 0) yield `… and ${countOf(more, 'more row')} (--format jsonl shows all)`;
}
