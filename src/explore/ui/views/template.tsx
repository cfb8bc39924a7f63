/**
 * View Template: text, place, pages, dates, variants and selector of one template, and the bytes that its removal
 * saves.
 */
import type { PageList } from '../../../store/explore/page-lists.ts';
import type { TemplateFacts } from '../../../store/explore/template-rows.ts';
import { countOf, formatBytes, formatCount, formatDay, formatPercent } from '../format.ts';
import { templateLabel } from '../map/map-colours.ts';
import { BarChart } from '../parts/bar-chart.tsx';
import { Failure, Loading, Notice } from '../parts/notice.tsx';
import { OutsideLink } from '../parts/outside-link.tsx';
import { PageTable } from '../parts/page-table.tsx';
import { Table } from '../parts/table.tsx';
import { Link } from '../router.tsx';
import { apiPath, useApi } from '../use-api.ts';
import { columnsOf } from './templates.tsx';
import type { View, ViewProps } from './view.ts';

/** Shows one template; opened by links with the id of the template. */
export const templateView: View = { name: 'template', title: 'Template', listed: false, Body: Template };

function Template({ params }: ViewProps) {
  const { site = '', detector = '', id = '' } = params;
  const { data, error } = useApi<TemplateFacts>(
    site === '' || id === '' ? null : apiPath('templates/one', { site, detector, id }),
  );
  if (site === '' || id === '') {
    return (
      <Notice>
        No template is chosen. <Link view="templates">Templates</Link> lists them.
      </Notice>
    );
  }
  if (error) return <Failure message={error} />;
  if (!data) return <Loading />;
  return <Facts facts={data} />;
}

function Facts({ facts }: { facts: TemplateFacts }) {
  const { site, detector, id } = facts;
  const { data: pages } = useApi<PageList>(apiPath('pages', { site, detector, template: id, limit: 20 }));
  const key = { site, detector, template: id };
  const others = [...facts.variants];
  return (
    <>
      <p class="lead">
        {templateLabel(facts)} <span class="quiet">on</span>{' '}
        <Link view="map" params={{ site, detector }}>
          {site}
        </Link>
      </p>
      <dl class="facts">
        <div>
          <dt>Pages</dt>
          <dd>
            {formatCount(facts.pages)} <span class="quiet">of {formatCount(facts.siteUrls)}</span>
          </dd>
        </div>
        <div>
          <dt>Removing it saves</dt>
          <dd>
            {formatBytes(facts.totalBytes)}{' '}
            <span class="quiet">
              {formatPercent(facts.totalBytes / Math.max(1, facts.siteBytes))} of the site
            </span>
          </dd>
        </div>
        <div>
          <dt>Size</dt>
          <dd>{formatBytes(facts.sizeBytes)}</dd>
        </div>
        <div>
          <dt>Seen</dt>
          <dd>
            {formatDay(facts.firstSeen)}{' '}
            {formatDay(facts.lastSeen) !== formatDay(facts.firstSeen) && (
              <span class="quiet">to {formatDay(facts.lastSeen)}</span>
            )}
          </dd>
        </div>
        <div>
          <dt>On the page</dt>
          <dd>
            <Place start={facts.startShare} end={facts.endShare} />
          </dd>
        </div>
      </dl>
      <p>
        {facts.example && (
          <>
            <Link
              view="page"
              params={{ page: String(facts.example.page), detector, range: String(facts.example.range) }}
            >
              See it on a page
            </Link>
            {' · '}
          </>
        )}
        <Link view="map" params={key}>
          Mark it on the map
        </Link>
        {' · '}
        <Link view="pages" params={key}>
          List its pages
        </Link>
      </p>
      <h2>Selector</h2>
      {facts.place === '' ? (
        <p class="quiet">
          {detector === 'text'
            ? 'Templates of the detector text are stretches of text, not elements.'
            : 'This folder does not say where on a page the template is; a report of a newer version does.'}
        </p>
      ) : (
        <pre>
          <code>{facts.place}</code>
        </pre>
      )}
      <h2>Text</h2>
      {facts.text === '' ? (
        <p class="quiet">It has no text.</p>
      ) : (
        <blockquote>{whole(facts.text)}</blockquote>
      )}
      <p class="quiet">
        {countOf(facts.links, 'link')}
        {facts.reason !== '' && (
          <>
            {' '}
            · {detector} says: {facts.reason}
          </>
        )}{' '}
        · id <code>{id}</code>
      </p>
      {facts.targets.length > 0 && (
        <details>
          <summary>{countOf(facts.targets.length, 'link')} to pages of the site</summary>
          <ul>
            {facts.targets.map((url) => (
              <li key={url}>
                <OutsideLink url={url} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {facts.snapshots.length > 1 && (
        <>
          <h2>Over time</h2>
          <BarChart
            title={`Share of the pages of each snapshot of ${site} that hold the template`}
            bars={facts.snapshots.map(({ snapshot, pages: held, of }) => ({
              label: snapshot,
              value: held / of,
              note: `${held} of ${of} pages`,
            }))}
            most={1}
            format={formatPercent}
          />
        </>
      )}
      {others.length > 0 && (
        <>
          <h2>Variants</h2>
          <p class="quiet">Templates of the site with much the same text.</p>
          <Table
            caption="Variants"
            columns={[
              ...columnsOf(site, detector).slice(0, 4),
              {
                key: 'like',
                title: 'Same words',
                numeric: true,
                cell: (row) => formatPercent((row as (typeof others)[number]).likeness),
              },
            ]}
            rows={others}
            rowKey={(row) => row.id}
          />
        </>
      )}
      {facts.otherSites.length > 0 && (
        <>
          <h2>Other sites with it</h2>
          <ul>
            {facts.otherSites.map((other) => (
              <li key={other.site}>
                <Link view="template" params={{ site: other.site, detector, id }}>
                  {other.site}
                </Link>
                , {countOf(other.pages, 'page')}
              </li>
            ))}
          </ul>
        </>
      )}
      <h2>Pages</h2>
      {pages && <PageTable rows={pages.rows} />}
      {pages && pages.total > pages.rows.length && (
        <p>
          <Link view="pages" params={key}>
            All {countOf(pages.total, 'capture')}
          </Link>
        </p>
      )}
    </>
  );
}

/** Bytes of text that the table of templates has. */
const STORED_TEXT = 200;

/** Marks a text that the table has only the beginning of. */
function whole(text: string): string {
  return text.length < STORED_TEXT ? text : `${text.trimEnd()}…`;
}

/** Shows the position of the template as a part of the page's length. */
function Place({ start, end }: { start: number; end: number }) {
  return (
    <span
      class="place"
      role="img"
      aria-label={`from ${formatPercent(start)} to ${formatPercent(end)} of the source`}
    >
      <span
        class="place-fill"
        style={{ left: `${100 * start}%`, width: `${Math.max(1, 100 * (end - start))}%` }}
      />
    </span>
  );
}
