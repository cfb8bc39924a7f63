/** `/api/ask`: SQL over the folder; the queries of the report as examples; results as files. */
import { Hono } from 'hono';
import { EXPORT_FORMATS, type ExportFormat } from '../../store/explore/ask-folder.ts';
import { HISTORY_QUERIES } from '../../store/history/history-queries.ts';
import { STUDY_QUERIES, type StudyQuery } from '../../store/study/study-queries.ts';
import type { Explored } from '../explored.ts';
import { BadParameter, textParameter, wordParameter } from './parameters.ts';

/** A query of the report that the view Ask offers. */
export interface ReadyQuery {
  name: string;
  about: string;
  sql: string;
  part: 'sites' | 'history';
  /** Command or option that makes the tables of the query; '' when the folder has them. */
  needs: string;
}

/** Tables, columns and ready queries of the folder. */
export interface AskFacts {
  queries: ReadyQuery[];
  tables: { name: string; columns: string[] }[];
}

const MAX_QUERY_CHARACTERS = 100_000;
const TYPES = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl',
  parquet: 'application/vnd.apache.parquet',
};

/** Returns the routes of `/api/ask`. */
export function askRoutes(explored: Explored): Hono {
  return new Hono()
    .get('/', async (context) => {
      const { store } = explored;
      const tables = await Promise.all(
        store.facts.tables.map(async (name) => ({ name, columns: await store.columnsOf(name) })),
      );
      return context.json({ queries: readyQueries(explored), tables } satisfies AskFacts);
    })
    .post('/', async (context) => {
      const body = await context.req.json<{ query?: unknown } | null>().catch(() => null);
      const { signal } = context.req.raw;
      return context.json(await explored.store.asked.ask(checkQuery(body?.query), { signal }));
    })
    .get('/export', async (context) => {
      const query = checkQuery(textParameter(context, 'query'));
      const format = wordParameter(context, 'format', EXPORT_FORMATS);
      return context.body(await exportStream(explored, query, format), 200, {
        'Content-Type': TYPES[format],
        'Content-Disposition': `attachment; filename="chaff-query.${format}"`,
      });
    });
}

/** Returns the rows of a query as a file, once it has its first bytes; a query that fails before that throws. */
function exportStream(explored: Explored, query: string, format: ExportFormat): Promise<ReadableStream> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const stop = new AbortController();
  writer.closed.catch(() => stop.abort());
  return new Promise((resolve, reject) => {
    const write = (piece: string | Uint8Array) => {
      resolve(readable);
      return writer.write(Buffer.from(piece as string));
    };
    const end = () => {
      resolve(readable);
      return writer.close();
    };
    const fail = (error: unknown) => {
      reject(error);
      // the connection breaks, so that the file is not taken for complete
      return writer.abort(error);
    };
    explored.store.asked
      .export(query, format, write, { signal: stop.signal })
      .then(end, fail)
      .catch(() => {});
  });
}

function checkQuery(query: unknown): string {
  if (typeof query !== 'string' || query.trim() === '')
    throw new BadParameter('the query is empty: give one SELECT');
  if (query.length > MAX_QUERY_CHARACTERS) throw new BadParameter('the query is too long');
  return query;
}

const OPTIONS = { categories: '--categories', settings: '--compare-settings' };

function readyQueries({ store }: Explored): ReadyQuery[] {
  if (!store.has('pages')) return [];
  const { detectors } = store.facts;
  const detector = detectors.includes('dom') ? 'dom' : detectors[0];
  const ready = (part: ReadyQuery['part'], { name, about, sql, needs }: StudyQuery): ReadyQuery => {
    const missing = needs && !store.has(needs) ? `chaff report ${OPTIONS[needs]}` : '';
    const history = part === 'history' && !store.has('history_captures') ? 'chaff history' : '';
    return { name, about, sql: sql(detector), part, needs: missing || history };
  };
  return [
    ...Object.values(STUDY_QUERIES).map((query) => ready('sites', query)),
    ...Object.values(HISTORY_QUERIES).map((query) => ready('history', query)),
  ];
}
