/** View Sites: the sites of the folder, with the share of their text inside templates. */
import { useMemo } from 'preact/hooks';
import type { SiteRow } from '../../../store/explore/site-rows.ts';
import { countOf, formatBytes, formatCount, formatDay } from '../format.ts';
import { FindField } from '../parts/find-field.tsx';
import { Failure, Loading, Missing, Notice } from '../parts/notice.tsx';
import { ShareBar } from '../parts/share-bar.tsx';
import { type Column, numberColumn, Table } from '../parts/table.tsx';
import { Link, navigate } from '../router.tsx';
import { useApi } from '../use-api.ts';
import type { View, ViewProps } from './view.ts';

/** Lists the sites of the folder; the explorer opens with this view. */
export const sitesView: View = { name: 'sites', title: 'Sites', listed: true, table: 'pages', Body: Sites };

const FILTERS: Record<string, (row: SiteRow) => boolean> = {
  problems: ({ problems }) => problems > 0,
  unsure: ({ unsurePages }) => unsurePages > 0,
  history: ({ snapshots }) => snapshots > 1,
};

function Sites({ facts, params }: ViewProps) {
  const { data, error } = useApi<SiteRow[]>('sites');
  const { find = '', show = '', sort = '-captures' } = params;
  const isHistory = data?.some(({ pages, urls }) => pages > urls) ?? false;
  const columns = useMemo(() => columnsOf(facts.detectors, isHistory), [facts.detectors, isHistory]);
  const rows = useMemo(() => {
    const words = find.toLowerCase();
    return (data ?? []).filter(
      (row) => row.site.toLowerCase().includes(words) && (FILTERS[show]?.(row) ?? true),
    );
  }, [data, find, show]);
  if (!facts.tables.includes('pages')) {
    return (
      <Missing
        what="This folder has fragments and no verdicts. A report has both sites and templates:"
        command={`chaff report ${facts.inputs.join(' ')} -o crawl.chaff\nchaff explore crawl.chaff`}
      />
    );
  }
  if (error) return <Failure message={error} />;
  if (!data) return <Loading />;
  if (data.length === 0) return <Notice>This folder has no pages.</Notice>;
  const set = (change: Record<string, string>) =>
    navigate('sites', { ...params, ...change }, { replace: true });
  return (
    <>
      <search class="controls">
        <FindField value={find} placeholder="part of a name" onFind={(text) => set({ find: text })} />
        <label>
          Show
          <select value={show} onChange={(event) => set({ show: event.currentTarget.value })}>
            <option value="">all sites</option>
            <option value="problems">with problems</option>
            <option value="unsure">with unsure pages</option>
            <option value="history">with several snapshots</option>
          </select>
        </label>
        <output class="quiet">
          {rows.length === data.length
            ? countOf(data.length, 'site')
            : `${formatCount(rows.length)} of ${countOf(data.length, 'site')}`}
        </output>
      </search>
      <Table
        caption="Sites of this folder"
        columns={columns}
        rows={rows}
        rowKey={({ site }) => site}
        sort={sort}
        onSort={(next) => set({ sort: next })}
      />
    </>
  );
}

function columnsOf(detectors: string[], isHistory: boolean): Column<SiteRow>[] {
  return [
    {
      key: 'site',
      title: 'Site',
      value: ({ site }) => site,
      cell: ({ site }) => (
        <Link view="map" params={{ site }}>
          {site}
        </Link>
      ),
    },
    ...detectors.map(
      (name): Column<SiteRow> => ({
        key: `share-${name}`,
        title: `Repeated, by ${name}`,
        about: `Share of the text inside templates, by the detector ${name}`,
        numeric: true,
        value: ({ shares }) => shares[name],
        cell: ({ shares }) => <ShareBar share={shares[name]} />,
      }),
    ),
    // one column where every page was captured once
    ...(isHistory
      ? [
          numberColumn('captures', 'Captures', ({ pages }: SiteRow) => pages),
          numberColumn('pages', 'Pages', ({ urls }: SiteRow) => urls),
          numberColumn('snapshots', 'Snapshots', ({ snapshots }: SiteRow) => snapshots),
        ]
      : [numberColumn('captures', 'Pages', ({ pages }: SiteRow) => pages)]),
    {
      key: 'captured',
      title: 'Captured',
      value: ({ lastTime }) => lastTime,
      cell: ({ firstTime, lastTime }) =>
        [...new Set([formatDay(firstTime), formatDay(lastTime)])].map((day) => (
          <div key={day} class="day">
            {day}
          </div>
        )),
    },
    numberColumn('html', 'HTML', ({ htmlBytes }) => htmlBytes, formatBytes),
    numberColumn('problems', 'Problems', ({ problems }) => problems),
  ];
}
