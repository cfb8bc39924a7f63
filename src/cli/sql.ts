/** `chaff sql`: a query over an output folder. */
import type { Json } from '@duckdb/node-api';
import { Command, Option } from 'commander';
import { countOf } from '../model/count-of.ts';
import { FolderSql, type SqlResult } from '../store/folder-sql.ts';
import { csvCell } from '../view/rows.ts';
import { type Context, UsageError } from './context.ts';
import { write } from './streams.ts';
import { printable } from './summary.ts';

const FORMATS = ['table', 'jsonl', 'csv'] as const;
/** Rows that a table is laid out for; what follows is said to be there. */
const MOST_TABLE_ROWS = 1000;
const MOST_CELL_CHARACTERS = 80;

export function sqlCommand(context: Context): Command {
  return new Command('sql')
    .summary('query an output folder')
    .description(
      'Runs one SQL query (DuckDB) over the tables of a folder:\n' +
        '  pages, ranges, templates, text, problems    of chaff report and chaff history\n' +
        '  aggregates, schemas, page_schemas           whole templates, kinds of pages\n' +
        '  categories, collections, settings           by --categories and --compare-settings\n' +
        '  history_captures, history_values,\n' +
        '  history_redesigns                           of chaff history\n' +
        '  fragment_classes, fragment_members,\n' +
        '  fragment_pages                              of chaff fragments\n' +
        'Their columns are in docs/output-folder.md, queries of the report in\n' +
        'docs/queries.md.',
    )
    .argument('<folder>', 'an output folder of chaff report, chaff history or chaff fragments')
    .argument('<query>', 'one SELECT')
    .addOption(new Option('--format <name>', 'table on a terminal, else jsonl').choices(FORMATS))
    .addHelpText(
      'after',
      `
Examples:
  chaff sql crawl.chaff "select site, count(*), avg(joint_text_share) from pages group by site"
  chaff sql crawl.chaff "select pages, text from templates order by pages desc limit 20"
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

async function* dataLines({ columns, rows }: SqlResult, format: 'jsonl' | 'csv'): AsyncGenerator<string> {
  const names = columns.map(({ name }) => name);
  const plain = columns.map(({ type }) =>
    /^U?(BIG|HUGE)INT(\[\])*$/.test(type) ? numberWhereExact : asItIs,
  );
  if (format === 'csv') yield names.map(csvCell).join(',');
  for await (const batch of rows) {
    for (const row of batch) {
      if (format === 'csv') yield row.map((value) => csvCell(cellText(value))).join(',');
      else yield JSON.stringify(Object.fromEntries(names.map((name, k) => [name, plain[k](row[k])])));
    }
  }
}

/** A whole number that came as text; one that JSON readers would round stays text. */
function numberWhereExact(value: Json): Json {
  if (Array.isArray(value)) return value.map(numberWhereExact);
  return typeof value === 'string' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function asItIs(value: Json): Json {
  return value;
}

async function* tableLines({ columns, rows }: SqlResult): AsyncGenerator<string> {
  const table: string[][] = [columns.map(({ name }) => name)];
  let more = 0;
  for await (const batch of rows) {
    for (const row of batch) {
      if (table.length <= MOST_TABLE_ROWS)
        table.push(row.map((value) => printable(String(cellText(value))).slice(0, MOST_CELL_CHARACTERS)));
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

function cellText(value: unknown): string | number | boolean | null {
  return value !== null && typeof value === 'object'
    ? JSON.stringify(value)
    : (value as string | number | boolean | null);
}
