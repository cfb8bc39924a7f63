/** View Schemas: groups of pages of a site with the same templates, and pages unlike all others. */
import { useMemo } from 'preact/hooks';
import type { SchemaRow } from '../../../store/explore/schema-rows.ts';
import { schemaDetectorOf } from '../../../study/schema-detector.ts';
import { countOf, formatCount } from '../format.ts';
import { Failure, Loading, Missing, Notice } from '../parts/notice.tsx';
import { ShareBar } from '../parts/share-bar.tsx';
import { DetectorPicker, SitePicker, useSite } from '../parts/site-picker.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Link, navigate } from '../router.tsx';
import { apiPath, useApi } from '../use-api.ts';
import type { View, ViewProps } from './view.ts';

/** Lists the schemas of a site, most pages first. */
export const schemasView: View = {
  name: 'schemas',
  title: 'Schemas',
  listed: true,
  table: 'schemas',
  Body: Schemas,
};

function Schemas(props: ViewProps) {
  const { facts, params } = props;
  const { site, sites } = useSite(props);
  const has = facts.tables.includes('schemas');
  const detectors = [...new Set(facts.detectors.map((name) => schemaDetectorOf(name, facts.detectors)))];
  const detector = detectors.includes(params.detector) ? params.detector : detectors[0];
  const { data, error } = useApi<SchemaRow[]>(has && site ? apiPath('schemas', { site, detector }) : null);
  const { sort = 'schema', show = '' } = params;
  const columns = useMemo(() => columnsOf(site ?? '', detector), [site, detector]);
  if (!has)
    return (
      <Missing
        what="This folder has no schemas. A report finds them:"
        command={`chaff report ${facts.inputs.join(' ')} -o crawl.chaff`}
      />
    );
  if (site === undefined) return <Loading />;
  const set = (change: Record<string, string>) =>
    navigate('schemas', { ...params, site, ...change }, { replace: true });
  const outliers = data?.filter(({ outlier }) => outlier).length ?? 0;
  const rows = (data ?? []).filter(({ outlier }) => show === '' || outlier === (show === 'outliers'));
  return (
    <>
      <div class="controls">
        <SitePicker view="schemas" params={params} site={site} sites={sites} />
        <DetectorPicker
          detectors={detectors}
          detector={detector}
          onPick={(name) => set({ detector: name })}
        />
        <label>
          Show
          <select value={show} onChange={(event) => set({ show: event.currentTarget.value })}>
            <option value="">all</option>
            <option value="common">without outliers</option>
            <option value="outliers">outliers only</option>
          </select>
        </label>
        <output class="quiet">
          {data &&
            `${countOf(data.length, 'schema')} by ${detector}${outliers > 0 ? `, ${formatCount(outliers)} of them rare: their pages are outliers` : ''}`}
        </output>
        <Link view="map" params={{ site, detector, order: 'schema' }}>
          The map by schema
        </Link>
      </div>
      {error && <Failure message={error} />}
      {data && data.length === 0 && (
        <Notice>
          No page of {site} has a template by {detector}, so it has no schemas.
        </Notice>
      )}
      {rows.length > 0 && (
        <Table
          caption={`Schemas of ${site}`}
          columns={columns}
          rows={rows}
          rowKey={({ schema }) => schema}
          sort={sort}
          onSort={(next) => set({ sort: next })}
        />
      )}
    </>
  );
}

function columnsOf(site: string, detector: string): Column<SchemaRow>[] {
  return [
    { key: 'schema', title: 'Schema', numeric: true, value: ({ schema }) => schema },
    {
      key: 'pattern',
      title: 'URLs have in common',
      value: ({ pattern }) => pattern,
      cell: ({ pattern, outlier }) => (
        <>
          <code class="url">{pattern}</code> {outlier && <span class="tag">outlier</span>}
        </>
      ),
    },
    {
      key: 'pages',
      title: 'Pages',
      numeric: true,
      value: ({ pages }) => pages,
      cell: ({ schema, pages }) => (
        <Link view="pages" params={{ site, detector, schema: String(schema) }}>
          {formatCount(pages)}
        </Link>
      ),
    },
    {
      key: 'share',
      title: 'Share',
      numeric: true,
      value: ({ share }) => share,
      cell: ({ share }) => <ShareBar share={share} />,
    },
    { key: 'templates', title: 'Templates', numeric: true, value: ({ templates }) => templates },
    {
      key: 'typical',
      title: 'Typical page',
      cell: ({ typicalPage, typicalTitle, typicalUrl }) => (
        <Link view="page" params={{ page: String(typicalPage) }}>
          {typicalTitle || typicalUrl}
        </Link>
      ),
    },
  ];
}
