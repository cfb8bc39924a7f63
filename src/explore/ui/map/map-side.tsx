/** The panel beside the map: the position under the pointer, and the selected pages. */

import { roleName } from '../../../report/role-name.ts';
import type { MapFacts } from '../../../store/explore/map-rows.ts';
import type { PageList, PageListFacts } from '../../../store/explore/page-lists.ts';
import { countOf, formatBytes, formatCount, formatDay, formatPercent } from '../format.ts';
import { PageTable } from '../parts/page-table.tsx';
import { Link } from '../router.tsx';
import { apiPath, useApi } from '../use-api.ts';
import { templateLabel } from './map-colours.ts';
import type { FoundRange } from './map-ranges.ts';

/** Shows the page and range at a position of the map. */
export function Spot({
  page,
  hint,
  range,
  template,
  map,
  params,
}: {
  page: number | undefined;
  hint: PageListFacts | undefined;
  range: FoundRange | null;
  template: MapFacts['templates'][number] | undefined;
  map: MapFacts;
  params: { site: string; detector: string };
}) {
  if (page === undefined) return <p class="quiet">Point at a bar, or pick one by a click.</p>;
  return (
    <>
      <h2>
        <Link view="page" params={{ page: String(page) }}>
          {hint?.title || hint?.url || `Page ${page}`}
        </Link>
      </h2>
      {hint && (
        <p class="quiet">
          <span class="url">{hint.url}</span>
          <br />
          {formatDay(hint.time)} · {formatBytes(hint.htmlBytes)} ·{' '}
          {Object.entries(hint.shares)
            .map(([name, share]) => `${name} ${formatPercent(share)}`)
            .join(', ')}{' '}
          of the text repeated
          {hint.schema && (
            <>
              {' · '}
              <Link view="pages" params={{ ...params, schema: String(hint.schema.number) }}>
                schema {hint.schema.number}
              </Link>
              {hint.schema.outlier && ' (outlier)'}
            </>
          )}
        </p>
      )}
      {range && (
        <p>
          <strong>{range.label}</strong>
          {range.role > 0 && `, ${roleName(map.roles[range.role - 1])}`}, bytes {formatCount(range.start)} to{' '}
          {formatCount(range.end)}
        </p>
      )}
      {template && (
        <p>
          <Link view="template" params={{ ...params, id: template.id }}>
            {templateLabel(template)}
          </Link>
          <br />
          on {countOf(template.pages, 'page')} ({formatPercent(template.pages / Math.max(1, map.urls))})
          {template.text !== '' && <q class="sample">{template.text}</q>}
        </p>
      )}
    </>
  );
}

/** Shows the selected pages. */
export function Brushed({
  brushed: [from, to],
  query,
  onZoom,
  onClear,
}: {
  brushed: [number, number];
  query: Record<string, string | number>;
  onZoom: () => void;
  onClear: () => void;
}) {
  const { data } = useApi<PageList>(apiPath('pages', { ...query, limit: 20 }));
  return (
    <section class="brushed" aria-label="Chosen pages">
      <h2>{countOf(to - from, 'page')} chosen</h2>
      <p class="buttons">
        <button type="button" onClick={onZoom}>
          Zoom to them
        </button>
        <button type="button" onClick={onClear}>
          Clear
        </button>
        <Link
          view="pages"
          params={Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))}
        >
          List
        </Link>
      </p>
      {data && <PageTable rows={data.rows} short />}
    </section>
  );
}
