/** View Pages: pages of a site, a template, a schema, a group, a class of fragments or a part of the map. */
import type { PageList } from '../../../store/explore/page-lists.ts';
import { countOf, formatCount } from '../format.ts';
import { FindField } from '../parts/find-field.tsx';
import { Failure, Notice } from '../parts/notice.tsx';
import { PageTable } from '../parts/page-table.tsx';
import { SitePicker, useSite } from '../parts/site-picker.tsx';
import { Link, navigate } from '../router.tsx';
import { apiPath, useApi } from '../use-api.ts';
import type { View, ViewProps } from './view.ts';

/** Lists pages that match the filter in the URL. */
export const pagesView: View = { name: 'pages', title: 'Pages', listed: true, Body: Pages };

const ROWS = 100;

function Pages(props: ViewProps) {
  const { facts, params } = props;
  const { sites } = useSite(props);
  const { find = '', offset = '0' } = params;
  const first = Number(offset) || 0;
  const {
    site = '',
    template = '',
    detector = '',
    schema = '',
    group = '',
    fragment = '',
    order = '',
    from = '',
    to = '',
  } = params;
  const asked = { site, template, detector, schema, group, fragment, order, from, to, find };
  const { data, error } = useApi<PageList>(apiPath('pages', { ...asked, offset: first, limit: ROWS }));
  const set = (change: Record<string, string>) =>
    navigate('pages', { ...params, ...change }, { replace: true });
  const narrowed = Object.entries({ template, schema, group, fragment }).filter(([, value]) => value !== '');
  if (from !== '' && to !== '')
    narrowed.push(['stretch of the map', `${Number(from) + 1} to ${to}, by ${order || 'length'}`]);
  return (
    <>
      <search class="controls">
        <SitePicker view="pages" params={params} site={site} sites={sites} all />
        <FindField
          value={find}
          placeholder="part of a URL or title"
          onFind={(text) => set({ find: text, offset: '' })}
        />
        <output class="quiet">{data && countOf(data.total, 'page')}</output>
      </search>
      {narrowed.length > 0 && (
        <p>
          Only pages of {narrowed.map(([name, value]) => `${name} ${value}`).join(', ')}.{' '}
          <Link view="pages" params={{ site }}>
            Show all
          </Link>
        </p>
      )}
      {error && <Failure message={error} />}
      {data && data.total === 0 && <Notice>No page matches.</Notice>}
      {data && data.rows.length > 0 && (
        <PageTable rows={data.rows} hasVerdicts={facts.tables.includes('pages')} />
      )}
      {data && data.total > ROWS && (
        <p class="buttons">
          <button
            type="button"
            disabled={first === 0}
            onClick={() => set({ offset: String(Math.max(0, first - ROWS)) })}
          >
            Before
          </button>
          <button
            type="button"
            disabled={first + ROWS >= data.total}
            onClick={() => set({ offset: String(first + ROWS) })}
          >
            Next
          </button>
          <span class="quiet">
            {formatCount(first + 1)} to {formatCount(Math.min(data.total, first + ROWS))} of{' '}
            {formatCount(data.total)}
          </span>
        </p>
      )}
    </>
  );
}
