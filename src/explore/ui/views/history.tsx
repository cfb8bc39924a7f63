/** View History: a lane per site with snapshots as ticks and redesigns as flags, and the figures of each snapshot. */
import { scaleTime } from 'd3-scale';
import { flagLevels } from '../../../report/flag-levels.ts';
import type { HistoryAnswer, RedesignRow, SnapshotRow } from '../../../store/explore/history-rows.ts';
import { countOf, formatCount, formatDay, formatPercent } from '../format.ts';
import { Failure, Loading, Missing, Notice } from '../parts/notice.tsx';
import { ShareBar } from '../parts/share-bar.tsx';
import { SitePicker, useSite } from '../parts/site-picker.tsx';
import { type Column, numberColumn, Table } from '../parts/table.tsx';
import { Link, navigate } from '../router.tsx';
import { apiPath, useApi } from '../use-api.ts';
import type { View, ViewProps } from './view.ts';

/** Shows snapshots and redesigns of each site over time. */
export const historyView: View = {
  name: 'history',
  title: 'History',
  listed: true,
  table: 'pages',
  Body: History,
};

/** Confidence below which a redesign is a smaller change. */
const SURE = 0.5;

function History(props: ViewProps) {
  const { facts, params } = props;
  const { sites } = useSite(props);
  const { site = '', sort = 'snapshot' } = params;
  const { data, error } = useApi<HistoryAnswer>(apiPath('history', { site }));
  if (error) return <Failure message={error} />;
  if (!data) return <Loading />;
  const lanes = lanesOf(data);
  const isHistory = lanes.some(({ snapshots }) => snapshots.length > 1);
  return (
    <>
      <div class="controls">
        <SitePicker view="history" params={params} site={site} sites={sites} all />
        <output class="quiet">{countOf(data.snapshots.length, 'snapshot')}</output>
      </div>
      {isHistory && !facts.tables.includes('history_redesigns') && (
        <Missing
          what="This folder has no redesigns. This command makes one that has them:"
          command={`chaff history ${facts.inputs.join(' ')}`}
        />
      )}
      {isHistory ? (
        <Lanes lanes={lanes} />
      ) : (
        <Notice>
          {lanes.length === 0
            ? 'No capture of this folder has a time.'
            : 'Every site here was captured once. A history needs captures of several times.'}
        </Notice>
      )}
      {data.redesigns.length > 0 && <Redesigns rows={data.redesigns} />}
      <h2>Snapshots</h2>
      <Table
        caption="Snapshots"
        columns={COLUMNS}
        rows={data.snapshots}
        rowKey={(row) => `${row.site} ${row.snapshot}`}
        sort={sort}
        onSort={(next) => navigate('history', { ...params, sort: next }, { replace: true })}
      />
    </>
  );
}

interface Lane {
  site: string;
  snapshots: SnapshotRow[];
  redesigns: RedesignRow[];
}

const MAX_LANES = 100;

function lanesOf({ snapshots, redesigns }: HistoryAnswer): Lane[] {
  const lanes = new Map<string, Lane>();
  for (const row of snapshots) {
    if (row.time === '') continue;
    if (!lanes.has(row.site)) lanes.set(row.site, { site: row.site, snapshots: [], redesigns: [] });
    lanes.get(row.site)!.snapshots.push(row);
  }
  for (const row of redesigns) lanes.get(row.site)?.redesigns.push(row);
  return [...lanes.values()].sort((a, b) => b.snapshots.length - a.snapshots.length).slice(0, MAX_LANES);
}

const WIDTH = 1000;
const LANE = 76;
const NAME = 190;
/** Width and height of the month above a flag. */
const MONTH = 54;
const MONTH_LINE = 13;

function heightOf({ share }: SnapshotRow): number {
  return 5 + 24 * share;
}

function Lanes({ lanes }: { lanes: Lane[] }) {
  const times = lanes.flatMap(({ snapshots }) => snapshots.map(({ time }) => Date.parse(time)));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const pad = Math.max(86_400_000, (last - first) * 0.02);
  const x = scaleTime([first - pad, last + pad], [NAME, WIDTH - 20]);
  const height = lanes.length * LANE + 30;
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="img"
        aria-label="Snapshots and redesigns of each site over time"
      >
        {x.ticks(8).map((tick) => (
          <g key={+tick}>
            <line class="grid" x1={x(tick)} x2={x(tick)} y1={0} y2={height - 22} />
            <text class="tick" x={x(tick)} y={height - 6} text-anchor="middle">
              {x.tickFormat(8)(tick)}
            </text>
          </g>
        ))}
        {lanes.map(({ site, snapshots, redesigns }, k) => {
          const base = k * LANE + LANE - 10;
          const own = redesigns
            .filter(({ confidence }) => confidence >= SURE)
            .sort((a, b) => (a.first < b.first ? -1 : 1));
          const levels = flagLevels(
            own.map(({ first }) => x(Date.parse(first))),
            MONTH,
          );
          return (
            <g key={site}>
              <text class="lane-name" x={0} y={base + 4}>
                {site.length > 26 ? `${site.slice(0, 25)}…` : site}
                <title>{site}</title>
              </text>
              <line class="axis" x1={NAME} x2={WIDTH - 20} y1={base} y2={base} />
              {snapshots.map((row) => (
                <rect
                  key={row.snapshot}
                  class="bar"
                  x={x(Date.parse(row.time)) - 2}
                  width={4}
                  y={base - heightOf(row)}
                  height={heightOf(row)}
                >
                  <title>{`${row.snapshot}: ${countOf(row.pages, 'page')}, ${formatPercent(row.share)} of the text repeated`}</title>
                </rect>
              ))}
              {own.map((row, number) => {
                const at = x(Date.parse(row.first));
                return (
                  <g key={row.snapshot} class="flag">
                    <line x1={at} x2={at} y1={base} y2={base - 42} />
                    <path d={`M${at} ${base - 42}h12l-4 5 4 5h-12z`} />
                    {levels[number] >= 0 && (
                      <text
                        class="tick"
                        x={at}
                        y={base - 46 - MONTH_LINE * levels[number]}
                        text-anchor="middle"
                      >
                        {row.first.slice(0, 7)}
                      </text>
                    )}
                    <title>{`Redesign, ${row.first} (${row.why}), confidence ${row.confidence.toFixed(2)}`}</title>
                  </g>
                );
              })}
            </g>
          );
        })}
      </svg>
      <figcaption class="quiet">
        Each bar is a snapshot, the higher the more of its text is inside templates. A flag is a redesign.
      </figcaption>
    </figure>
  );
}

function Redesigns({ rows }: { rows: RedesignRow[] }) {
  const sure = rows.filter(({ confidence }) => confidence >= SURE);
  const rest = rows.filter(({ confidence }) => confidence < SURE);
  return (
    <>
      <h2>Redesigns</h2>
      {sure.length === 0 ? <p class="quiet">No redesign was found.</p> : <RedesignTable rows={sure} />}
      {rest.length > 0 && (
        <details>
          <summary>{countOf(rest.length, 'smaller change')}</summary>
          <RedesignTable rows={rest} />
        </details>
      )}
    </>
  );
}

function RedesignTable({ rows }: { rows: RedesignRow[] }) {
  return (
    <Table
      caption="Redesigns"
      columns={[
        {
          key: 'site',
          title: 'Site',
          cell: ({ site }) => (
            <Link view="history" params={{ site }}>
              {site}
            </Link>
          ),
        },
        {
          key: 'since',
          title: 'Old until',
          cell: ({ since }) => <span class="day">{formatDay(since)}</span>,
        },
        { key: 'first', title: 'New from', cell: ({ first }) => <span class="day">{formatDay(first)}</span> },
        { key: 'why', title: 'Shown by', cell: ({ why }) => why.split(' ').join(', ') },
        {
          key: 'confidence',
          title: 'Confidence',
          numeric: true,
          cell: ({ confidence }) => confidence.toFixed(2),
        },
        { key: 'pages', title: 'Pages compared', numeric: true, cell: ({ pages }) => formatCount(pages) },
        {
          key: 'look',
          title: 'Look',
          cell: ({ site, example }) => (
            <>
              {example !== null && (
                <>
                  <Link view="page" params={{ page: String(example), tab: 'captures' }}>
                    A page before and after
                  </Link>
                  {' · '}
                </>
              )}
              <Link view="map" params={{ site, order: 'time' }}>
                Map by time
              </Link>
            </>
          ),
        },
      ]}
      rows={rows}
      rowKey={(row) => `${row.site} ${row.snapshot}`}
    />
  );
}

const COLUMNS: Column<SnapshotRow>[] = [
  {
    key: 'site',
    title: 'Site',
    value: ({ site }) => site,
    cell: ({ site }) => (
      <Link view="map" params={{ site, order: 'time' }}>
        {site}
      </Link>
    ),
  },
  {
    key: 'snapshot',
    title: 'Snapshot',
    value: ({ snapshot }) => snapshot,
    cell: ({ snapshot }) => <span class="day">{snapshot}</span>,
  },
  numberColumn('pages', 'Pages', ({ pages }) => pages),
  {
    key: 'share',
    title: 'Repeated text',
    numeric: true,
    value: ({ share }) => share,
    cell: ({ share }) => <ShareBar share={share} />,
  },
  numberColumn('came', 'New templates', ({ came }) => came),
  numberColumn('went', 'Templates gone', ({ went }) => went),
];
