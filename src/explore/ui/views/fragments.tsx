/** View Fragments: parts of pages that several pages share, by the bytes saved when each is kept once. */
import { useMemo } from 'preact/hooks';
import type { FragmentRow } from '../../../store/explore/fragment-rows.ts';
import { countOf, formatBytes, formatCount } from '../format.ts';
import { FindField } from '../parts/find-field.tsx';
import { Failure, Missing, Notice } from '../parts/notice.tsx';
import { type Column, numberColumn, Table } from '../parts/table.tsx';
import { Link, navigate } from '../router.tsx';
import { apiPath, useApi } from '../use-api.ts';
import type { View, ViewProps } from './view.ts';

/** Lists classes of shared fragments; needs a folder of `chaff fragments`. */
export const fragmentsView: View = {
  name: 'fragments',
  title: 'Fragments',
  listed: true,
  table: 'fragment_classes',
  Body: Fragments,
};

function Fragments({ facts, params }: ViewProps) {
  const has = facts.tables.includes('fragment_classes');
  const { relation = 'complete', find = '', site = '', sort = '-saves' } = params;
  const { data, error } = useApi<{ total: number; rows: FragmentRow[] }>(
    has ? apiPath('fragments', { relation, find, site }) : null,
  );
  const columns = useMemo(columnsOf, []);
  if (!has) {
    return (
      <Missing
        what="This folder has no shared fragments. They have a folder of their own:"
        command={`chaff fragments ${facts.inputs.join(' ')} -o crawl.fragments\nchaff explore crawl.fragments`}
      />
    );
  }
  const set = (change: Record<string, string>) =>
    navigate('fragments', { ...params, ...change }, { replace: true });
  return (
    <>
      <search class="controls">
        <label>
          Equal in
          <select value={relation} onChange={(event) => set({ relation: event.currentTarget.value })}>
            <option value="complete">everything (complete)</option>
            <option value="structural">elements only (structural)</option>
          </select>
        </label>
        <FindField value={find} placeholder="text or place" onFind={(text) => set({ find: text })} />
        <output class="quiet">
          {data && countOf(data.total, 'class', 'classes')}
          {data && data.total > data.rows.length && `, the ${formatCount(data.rows.length)} largest listed`}
        </output>
      </search>
      {error && <Failure message={error} />}
      {data && data.rows.length === 0 && <Notice>No fragment matches.</Notice>}
      {data && data.rows.length > 0 && (
        <Table
          caption="Classes of shared fragments"
          columns={columns}
          rows={data.rows}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={(next) => set({ sort: next })}
        />
      )}
    </>
  );
}

function columnsOf(): Column<FragmentRow>[] {
  return [
    {
      key: 'text',
      title: 'Fragment',
      value: ({ text }) => text,
      cell: ({ id, place, text, parts }) => (
        <>
          <div class="clip">
            <Link view="pages" params={{ fragment: id }}>
              {text.trim() === '' ? 'markup without text' : text}
            </Link>
          </div>
          <div class="quiet small url">
            {place}
            {parts > 1 && ` (${parts} side by side)`}
          </div>
        </>
      ),
    },
    {
      ...numberColumn('saves', 'Saves', ({ savedBytes }) => savedBytes, formatBytes),
      about: 'Bytes of all members but one',
    },
    numberColumn('pages', 'Pages', ({ pages }) => pages),
    numberColumn('members', 'Members', ({ members }) => members),
    numberColumn('sites', 'Sites', ({ sites }) => sites),
    numberColumn('size', 'Size', ({ averageBytes }) => averageBytes, formatBytes),
  ];
}
