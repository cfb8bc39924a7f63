/** View Templates: templates of a site, by the bytes that their removal saves. */
import { useMemo } from 'preact/hooks';
import type { TemplateList, TemplateRow } from '../../../store/explore/template-rows.ts';
import { countOf, formatBytes, formatCount, formatDay } from '../format.ts';
import { templateLabel } from '../map/map-colours.ts';
import { FindField } from '../parts/find-field.tsx';
import { Failure, Loading, Missing, Notice } from '../parts/notice.tsx';
import { DetectorPicker, SitePicker, useSite } from '../parts/site-picker.tsx';
import { type Column, numberColumn, Table } from '../parts/table.tsx';
import { Link, navigate } from '../router.tsx';
import { apiPath, useApi } from '../use-api.ts';
import type { View, ViewProps } from './view.ts';

/** Lists the templates of a site. */
export const templatesView: View = {
  name: 'templates',
  title: 'Templates',
  listed: true,
  table: 'templates',
  Body: Templates,
};

function Templates(props: ViewProps) {
  const { facts, params } = props;
  const { site, sites } = useSite(props);
  if (!facts.tables.includes('templates')) {
    return (
      <Missing
        what="This folder has no templates. A report finds them:"
        command={`chaff report ${facts.inputs.join(' ')} -o crawl.chaff`}
      />
    );
  }
  if (site === undefined) return <Loading />;
  const detector = facts.detectors.includes(params.detector) ? params.detector : facts.detectors[0];
  return <TemplateTable {...props} site={site} sites={sites} detector={detector} />;
}

function TemplateTable({
  facts,
  params,
  site,
  sites,
  detector,
}: ViewProps & { site: string; sites: ReturnType<typeof useSite>['sites']; detector: string }) {
  const { data, error } = useApi<TemplateList>(apiPath('templates', { site, detector }));
  const { find = '', sort = '-saves' } = params;
  const set = (change: Record<string, string>) =>
    navigate('templates', { ...params, site, ...change }, { replace: true });
  // leave out the days on a site that was captured once
  const isHistory = data?.rows.some((row) => formatDay(row.firstSeen) !== formatDay(row.lastSeen)) ?? true;
  const columns = useMemo(() => {
    const all = columnsOf(site, detector);
    return isHistory ? all : all.filter(({ key }) => key !== 'first' && key !== 'last');
  }, [site, detector, isHistory]);
  const rows = useMemo(() => {
    const words = find.toLowerCase();
    return (data?.rows ?? []).filter((row) =>
      `${row.text} ${row.role} ${row.place}`.toLowerCase().includes(words),
    );
  }, [data, find]);
  return (
    <>
      <search class="controls">
        <SitePicker view="templates" params={params} site={site} sites={sites} />
        <DetectorPicker
          detectors={facts.detectors}
          detector={detector}
          onPick={(name) => set({ detector: name })}
        />
        <FindField value={find} placeholder="text, role or place" onFind={(text) => set({ find: text })} />
        <output class="quiet">
          {data && countOf(data.total, 'template')}
          {data && data.total > data.rows.length && `, the ${formatCount(data.rows.length)} largest listed`}
        </output>
      </search>
      {error && <Failure message={error} />}
      {data && data.rows.length === 0 && (
        <Notice>
          {detector} found no templates on {site}.
        </Notice>
      )}
      {rows.length > 0 && (
        <Table
          caption={`Templates of ${site}`}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={(next) => set({ sort: next })}
        />
      )}
    </>
  );
}

/** Returns the columns of a table of templates. */
export function columnsOf(site: string, detector: string): Column<TemplateRow>[] {
  return [
    {
      key: 'name',
      title: 'Template',
      value: templateLabel,
      cell: (row) => (
        <>
          <Link view="template" params={{ site, detector, id: row.id }}>
            {templateLabel(row)}
          </Link>
          {row.role + row.place !== '' && row.text !== '' && (
            <div class="quiet small clip">{row.text.slice(0, 110)}</div>
          )}
        </>
      ),
    },
    {
      ...numberColumn('saves', 'Saves', ({ totalBytes }) => totalBytes, formatBytes),
      about: 'Bytes of source in all its occurrences',
    },
    numberColumn('pages', 'Pages', ({ pages }) => pages),
    numberColumn('size', 'Size', ({ sizeBytes }) => sizeBytes, formatBytes),
    numberColumn('links', 'Links', ({ links }) => links),
    {
      key: 'first',
      title: 'Since',
      value: ({ firstSeen }) => firstSeen,
      cell: ({ firstSeen }) => <span class="day">{formatDay(firstSeen)}</span>,
    },
    {
      key: 'last',
      title: 'Last seen',
      value: ({ lastSeen }) => lastSeen,
      cell: ({ lastSeen }) => <span class="day">{formatDay(lastSeen)}</span>,
    },
  ];
}
