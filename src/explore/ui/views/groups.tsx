/** View Groups: layout groups of a site, from `chaff groups`. */
import { useMemo } from 'preact/hooks';
import type { GroupRow } from '../../../store/explore/schema-rows.ts';
import { countOf, formatCount, formatPercent } from '../format.ts';
import { Failure, Loading, Missing } from '../parts/notice.tsx';
import { OutsideLink } from '../parts/outside-link.tsx';
import { SitePicker, useSite } from '../parts/site-picker.tsx';
import { type Column, numberColumn, Table } from '../parts/table.tsx';
import { Link, navigate } from '../router.tsx';
import { apiPath, useApi } from '../use-api.ts';
import type { View, ViewProps } from './view.ts';

/** Lists layout groups; needs `groups.jsonl` in the folder. */
export const groupsView: View = {
  name: 'groups',
  title: 'Groups',
  listed: true,
  table: 'groups',
  Body: Groups,
};

function Groups(props: ViewProps) {
  const { facts, params } = props;
  const { site, sites } = useSite(props);
  const has = facts.tables.includes('groups');
  const { data, error } = useApi<GroupRow[]>(has && site ? apiPath('groups', { site }) : null);
  const { sort = '-pages' } = params;
  const columns = useMemo(() => {
    const all = columnsOf(site ?? '');
    return data?.some(({ pages, urls }) => pages > urls) ? all : all.filter(({ key }) => key !== 'urls');
  }, [site, data]);
  if (!has) {
    return (
      <Missing
        what="This folder has no list of layout groups. This command puts one into it; then start the explorer again:"
        command={`chaff groups ${facts.inputs.join(' ')} --members --format jsonl -o ${facts.path}/groups.jsonl`}
      />
    );
  }
  if (site === undefined) return <Loading />;
  return (
    <>
      <div class="controls">
        <SitePicker view="groups" params={params} site={site} sites={sites} />
        <output class="quiet">{data && countOf(data.length, 'group')}</output>
      </div>
      {error && <Failure message={error} />}
      {data && (
        <Table
          caption={`Layout groups of ${site}`}
          columns={columns}
          rows={data}
          rowKey={({ group }) => group}
          sort={sort}
          onSort={(next) => navigate('groups', { ...params, site, sort: next }, { replace: true })}
        />
      )}
    </>
  );
}

function columnsOf(site: string): Column<GroupRow>[] {
  return [
    { key: 'group', title: 'Group', numeric: true, value: ({ group }) => group },
    {
      key: 'pages',
      title: 'Captures',
      numeric: true,
      value: ({ pages }) => pages,
      cell: ({ group, pages }) => (
        <Link view="pages" params={{ site, group: String(group) }}>
          {formatCount(pages)}
        </Link>
      ),
    },
    numberColumn('urls', 'Pages', ({ urls }) => urls),
    {
      ...numberColumn('like', 'Similarity', ({ similarity }) => similarity, formatPercent),
      about: 'Mean similarity of its pages to the typical one',
    },
    {
      key: 'page',
      title: 'Typical page',
      cell: ({ page, title, url }) =>
        page === null ? (
          <OutsideLink url={url} />
        ) : (
          <Link view="page" params={{ page: String(page) }}>
            {title || url}
          </Link>
        ),
    },
  ];
}
