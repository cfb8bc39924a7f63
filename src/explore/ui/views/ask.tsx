/** View Ask: SQL over the folder, with the queries of the report as examples; results as table, chart or file. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AskResult } from '../../../store/explore/ask-folder.ts';
import type { AskFacts, ReadyQuery } from '../../api/ask-routes.ts';
import { countOf, formatCount } from '../format.ts';
import { BarChart } from '../parts/bar-chart.tsx';
import { Failure } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { navigate } from '../router.tsx';
import { apiPath, fetchApi, useApi } from '../use-api.ts';
import type { View, ViewProps } from './view.ts';

/** Runs SQL over the folder and shows the result as a table or chart. */
export const askView: View = { name: 'ask', title: 'Ask', listed: true, Body: Ask };

const FIRST_QUERY = 'SHOW TABLES';

function Ask({ facts, params }: ViewProps) {
  const { data } = useApi<AskFacts>('ask');
  const [query, setQuery] = useState(params.query ?? firstQuery(facts.tables));
  const { result, error, running, ask, cancel } = useAsk();
  const asked = params.query ?? '';
  useEffect(() => {
    if (asked === '') return;
    setQuery(asked);
    ask(asked);
  }, [asked]);
  const run = (text: string) => {
    if (text === asked) ask(text);
    else navigate('ask', { query: text });
  };
  return (
    <>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          run(query);
        }}
      >
        <label for="query">One query in SQL (DuckDB), over the tables of the folder</label>
        <textarea
          id="query"
          rows={5}
          spellcheck={false}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            run(query);
          }}
        />
        <p class="buttons">
          <button type="submit" class="primary" disabled={running}>
            Run
          </button>
          <button type="button" disabled={!running} onClick={cancel}>
            Cancel
          </button>
          <span class="quiet">Ctrl + Enter runs it. It stops after 30 seconds.</span>
        </p>
      </form>
      <p role="status" class="quiet">
        {running && 'Running …'}
        {!running && result && (
          <>
            {countOf(result.rows.length, 'row')}
            {result.more && ' (the first ones; an export has all)'} in {formatCount(result.milliseconds)} ms
          </>
        )}
      </p>
      {error && <Failure message={error} />}
      {result && !error && (
        <Result result={result} query={asked} chart={params.as === 'chart'} params={params} />
      )}
      {data && <Ready data={data} onRun={run} />}
    </>
  );
}

function firstQuery(tables: string[]): string {
  if (!tables.includes('pages')) return FIRST_QUERY;
  return 'SELECT site, count(*) AS pages, sum(html_bytes) AS html_bytes\nFROM pages GROUP BY site ORDER BY pages DESC LIMIT 20';
}

function useAsk() {
  const [state, setState] = useState<{ result?: AskResult; error?: string; running: boolean }>({
    running: false,
  });
  const stop = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  return {
    ...state,
    cancel: () => stop.current?.abort(),
    ask: async (query: string) => {
      stop.current?.abort();
      const own = new AbortController();
      stop.current = own;
      setState((before) => ({ ...before, error: undefined, running: true }));
      try {
        const response = await fetchApi('ask', {
          method: 'POST',
          body: JSON.stringify({ query }),
          headers: { 'Content-Type': 'application/json' },
          signal: own.signal,
        });
        const result = (await response.json()) as AskResult;
        if (stop.current === own) setState({ result, running: false });
      } catch (error) {
        const message = own.signal.aborted ? 'The query was cancelled.' : (error as Error).message;
        if (stop.current === own) setState({ error: message, running: false });
      }
    },
  };
}

const MAX_BARS = 200;

function Result({
  result,
  query,
  chart,
  params,
}: {
  result: AskResult;
  query: string;
  chart: boolean;
  params: Record<string, string>;
}) {
  const [sort, setSort] = useState('');
  const number = result.columns.findIndex(
    (_, k) => isNumeric(result, k) && result.rows.some((row) => row[k] !== null),
  );
  const label = result.columns.findIndex((_, k) => k !== number);
  const [x, setX] = useState(-1);
  const [y, setY] = useState(-1);
  const across = x >= 0 && x < result.columns.length ? x : Math.max(0, label);
  const up = y >= 0 && y < result.columns.length ? y : number;
  return (
    <section aria-label="Result">
      <div class="controls">
        <span class="buttons">
          <button
            type="button"
            aria-pressed={!chart}
            onClick={() => navigate('ask', { ...params, as: '' }, { replace: true })}
          >
            Table
          </button>
          <button
            type="button"
            aria-pressed={chart}
            disabled={number < 0}
            onClick={() => navigate('ask', { ...params, as: 'chart' }, { replace: true })}
          >
            Chart
          </button>
        </span>
        <span class="buttons">
          {(['csv', 'jsonl', 'parquet'] as const).map((format) => (
            <a
              key={format}
              class="button"
              href={`/api/${apiPath('ask/export', { query, format })}`}
              download={`chaff-query.${format}`}
            >
              {format === 'jsonl' ? 'JSON' : format === 'csv' ? 'CSV' : 'Parquet'}
            </a>
          ))}
        </span>
        {chart && number >= 0 && (
          <>
            <label>
              Across
              <select value={across} onChange={(event) => setX(Number(event.currentTarget.value))}>
                {result.columns.map(({ name }, k) => (
                  <option key={name} value={k}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <label>
              Height
              <select value={up} onChange={(event) => setY(Number(event.currentTarget.value))}>
                {result.columns.map(
                  ({ name }, k) =>
                    isNumeric(result, k) && (
                      <option key={name} value={k}>
                        {name}
                      </option>
                    ),
                )}
              </select>
            </label>
          </>
        )}
      </div>
      {chart && number >= 0 ? (
        <BarChart
          title={`${result.columns[up].name} by ${result.columns[across].name}`}
          bars={result.rows
            .slice(0, MAX_BARS)
            .map((row) => ({ label: cellOf(row[across]), value: Number(row[up] ?? 0) }))}
          format={(value) => formatCount(Number(value.toPrecision(4)))}
        />
      ) : (
        <Table
          caption="Result of the query"
          columns={result.columns.map(
            ({ name }, k): Column<AskResult['rows'][number]> => ({
              key: String(k),
              title: name,
              numeric: isNumeric(result, k),
              value: (row) => (isNumeric(result, k) ? Number(row[k] ?? 0) : cellOf(row[k])),
              cell: (row) => <Cell value={row[k]} />,
            }),
          )}
          rows={result.rows}
          rowKey={(row) => result.rows.indexOf(row)}
          sort={sort}
          onSort={setSort}
        />
      )}
    </section>
  );
}

function isNumeric({ columns }: AskResult, k: number): boolean {
  return /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$|^FLOAT$|^DOUBLE$|^DECIMAL/.test(columns[k].type);
}

/** Shows a value; of fractions the first six digits, and all of them when the pointer is on it. */
function Cell({ value }: { value: unknown }) {
  const isLong = typeof value === 'number' && !Number.isInteger(value) && String(value).length > 8;
  return (
    <span class="cell" title={isLong ? String(value) : undefined}>
      {isLong ? Number(value.toPrecision(6)) : cellOf(value)}
    </span>
  );
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Shows names of columns in code style, as in the documentation. */
function plain(about: string): string {
  return about.replaceAll('`', '');
}

function Ready({ data, onRun }: { data: AskFacts; onRun: (sql: string) => void }) {
  const usable = data.queries.filter(({ needs }) => needs === '');
  const lacking = data.queries.filter(({ needs }) => needs !== '');
  const parts: [string, ReadyQuery[]][] = [
    ['Queries about sites', usable.filter(({ part }) => part === 'sites')],
    ['Queries about history', usable.filter(({ part }) => part === 'history')],
  ];
  return (
    <section class="ask-lists" aria-label="Ready queries and tables">
      {parts.map(
        ([title, queries]) =>
          queries.length > 0 && (
            <div key={title}>
              <h2>{title}</h2>
              <dl class="ready">
                {queries.map(({ name, about, sql }) => (
                  <div key={name}>
                    <dt>
                      <button type="button" class="plain" onClick={() => onRun(sql)}>
                        {name}
                      </button>
                    </dt>
                    <dd class="quiet">{plain(about)}</dd>
                  </div>
                ))}
              </dl>
            </div>
          ),
      )}
      {lacking.length > 0 && (
        <details>
          <summary>{countOf(lacking.length, 'query', 'queries')} for tables that this folder lacks</summary>
          <dl class="ready">
            {lacking.map(({ name, about, needs }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd class="quiet">
                  {plain(about)} Needs {needs}.
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      <h2>Tables</h2>
      <dl class="tables">
        {data.tables.map(({ name, columns }) => (
          <div key={name}>
            <dt>
              <button type="button" class="plain" onClick={() => onRun(`SELECT * FROM ${name} LIMIT 100`)}>
                {name}
              </button>
            </dt>
            <dd class="quiet">{columns.join(', ')}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
