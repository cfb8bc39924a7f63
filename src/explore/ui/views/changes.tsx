/** View Changes: changes between captures of the same URLs, from `chaff changes`. */
import type { ChangeListRow } from '../../../store/explore/history-rows.ts';
import { countOf, formatCount } from '../format.ts';
import { FindField } from '../parts/find-field.tsx';
import { Failure, Missing, Notice } from '../parts/notice.tsx';
import { OutsideLink } from '../parts/outside-link.tsx';
import { SitePicker, useSite } from '../parts/site-picker.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Link, navigate } from '../router.tsx';
import { apiPath, useApi } from '../use-api.ts';
import type { View, ViewProps } from './view.ts';

/** Lists changes between captures; needs `changes.jsonl` in the folder. */
export const changesView: View = {
  name: 'changes',
  title: 'Changes',
  listed: true,
  table: 'changes',
  Body: Changes,
};

interface ChangesAnswer {
  total: number;
  rows: ChangeListRow[];
  byClass: { class: string; count: number }[];
}

function Changes(props: ViewProps) {
  const { facts, params } = props;
  const { sites } = useSite(props);
  const { site = '', find = '' } = params;
  const has = facts.tables.includes('changes');
  const { data, error } = useApi<ChangesAnswer>(
    has ? apiPath('changes', { site, class: params.class ?? '', find }) : null,
  );
  if (!has) {
    return (
      <Missing
        what="This folder has no list of changes. This command puts one into it; then start the explorer again:"
        command={`chaff changes ${facts.inputs.join(' ')} --format jsonl -o ${facts.path}/changes.jsonl`}
      />
    );
  }
  const set = (change: Record<string, string>) =>
    navigate('changes', { ...params, ...change }, { replace: true });
  return (
    <>
      <search class="controls">
        <SitePicker view="changes" params={params} site={site} sites={sites} all />
        <label>
          Show
          <select value={params.class ?? ''} onChange={(event) => set({ class: event.currentTarget.value })}>
            <option value="">all changes</option>
            {(data?.byClass ?? []).map(({ class: name, count }) => (
              <option key={name} value={name}>
                {name} ({formatCount(count)})
              </option>
            ))}
          </select>
        </label>
        <FindField value={find} placeholder="text, place or URL" onFind={(text) => set({ find: text })} />
        <output class="quiet">
          {data && countOf(data.total, 'change')}
          {data && data.total > data.rows.length && `, the newest ${formatCount(data.rows.length)} listed`}
        </output>
      </search>
      {error && <Failure message={error} />}
      {data && data.rows.length === 0 && <Notice>No change matches.</Notice>}
      {data && data.rows.length > 0 && (
        <Table
          caption="Changes"
          columns={COLUMNS}
          rows={data.rows}
          rowKey={(row) => data.rows.indexOf(row)}
        />
      )}
    </>
  );
}

const COLUMNS: Column<ChangeListRow>[] = [
  { key: 'class', title: 'Class', cell: (row) => <span class={`tag ${row.class}`}>{row.class}</span> },
  {
    key: 'site',
    title: 'Site',
    cell: ({ site, snapshot, since }) => (
      <>
        <Link view="history" params={{ site }}>
          {site}
        </Link>
        <div class="quiet small">
          {since} → {snapshot}
        </div>
      </>
    ),
  },
  { key: 'what', title: 'What', cell: (row) => <What row={row} /> },
  {
    key: 'pages',
    title: 'Pages',
    numeric: true,
    cell: ({ pages, compared }) => `${formatCount(pages)} of ${formatCount(compared)}`,
  },
  {
    key: 'page',
    title: 'Page',
    cell: ({ page, url }) =>
      page !== null ? (
        <Link view="page" params={{ page: String(page), tab: 'captures' }}>
          Compare
        </Link>
      ) : url ? (
        <OutsideLink url={url} text="URL" />
      ) : null,
  },
];

function What({ row }: { row: ChangeListRow }) {
  if (row.confidence !== null) return <>The design as a whole, confidence {row.confidence.toFixed(2)}.</>;
  return (
    <>
      {row.old && <del>{row.old}</del>} {row.new && <ins>{row.new}</ins>}
      {!row.old && !row.new && (
        <>
          {formatCount(row.newWords ?? 0)} words came, {formatCount(row.lostWords ?? 0)} went
        </>
      )}
      <div class="quiet small url">{row.place ?? row.url}</div>
    </>
  );
}
