/** View Page: an archived page coloured by a detector's verdict, with reasons, text, Markdown and other captures. */
import { useMemo } from 'preact/hooks';
import { roleName } from '../../../report/role-name.ts';
import type { PageListFacts } from '../../../store/explore/page-lists.ts';
import type { DetectorAnswer, PageAnswer, RangeAnswer } from '../../page-answers.ts';
import { countOf, formatBytes, formatCount, formatPercent, formatTime } from '../format.ts';
import { Failure, Loading, Missing, Notice } from '../parts/notice.tsx';
import { OptionList } from '../parts/option-list.tsx';
import { OutsideLink } from '../parts/outside-link.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { Link, navigate, type Params } from '../router.tsx';
import { apiPath, useApi } from '../use-api.ts';
import { Captures } from './page-captures.tsx';
import type { View, ViewProps } from './view.ts';

/** Shows one archived page; opened by links with the number of the page. */
export const pageView: View = { name: 'page', title: 'Page', listed: false, Body: Page };

const TABS = { verdict: 'Verdict', text: 'Text', markdown: 'Markdown', captures: 'Captures' } as const;
type Tab = keyof typeof TABS;

function Page({ facts, params }: ViewProps) {
  const { data, error } = useApi<PageAnswer>(
    facts.tables.includes('pages') && /^\d+$/.test(params.page ?? '')
      ? apiPath('page', { page: params.page })
      : null,
  );
  if (!facts.tables.includes('pages')) {
    return (
      <Missing
        what="This folder has fragments and no verdicts. A report has both pages and verdicts:"
        command={`chaff report ${facts.inputs.join(' ')} -o crawl.chaff\nchaff explore crawl.chaff`}
      />
    );
  }
  if (params.page === undefined) {
    return (
      <Notice>
        Choose a page on the map of a site. <Link view="sites">Sites</Link> lists the sites.
      </Notice>
    );
  }
  if (error) return <Failure message={error} />;
  if (!data || String(data.row.page) !== params.page) return <Loading />;
  return <LoadedPage answer={data} params={params} />;
}

function LoadedPage({ answer, params }: { answer: PageAnswer; params: Params }) {
  const { row, detectors, captures, archive } = answer;
  const detector = detectors.find((one) => one.detector === params.detector) ?? detectors[0];
  const tab: Tab = params.tab !== undefined && params.tab in TABS ? (params.tab as Tab) : 'verdict';
  const { data: facts } = useApi<PageListFacts>(
    apiPath('pages/facts', { page: row.page, detector: detector.detector }),
  );
  const chosen = params.range === undefined ? -1 : Number(params.range);
  const set = (change: Params, replace = true) => navigate('page', { ...params, ...change }, { replace });
  return (
    <>
      <p class="page-title">
        <strong>{row.title || 'Untitled page'}</strong>
        <span class="quiet">
          <OutsideLink url={row.url} /> · {formatTime(row.time)} · {formatBytes(row.htmlBytes)} ·{' '}
          <Link view="map" params={{ site: row.site }}>
            {row.site}
          </Link>{' '}
          ·{' '}
          <Link view="map" params={{ site: row.site, page: String(row.page) }}>
            On the map
          </Link>
          {facts?.schema && (
            <>
              {' · '}
              <Link view="pages" params={{ site: row.site, schema: String(facts.schema.number) }}>
                Pages of its schema
              </Link>
            </>
          )}
          {' · '}
          <Link view="label" params={{ site: row.site, page: String(row.page) }}>
            Label this page
          </Link>
        </span>
      </p>
      <div class="page-grid fill">
        <section aria-label="Picture of the page">
          <Legend
            detector={detector}
            detectors={detectors}
            onDetector={(name) => set({ detector: name, range: '' })}
          />
          {archive === '' ? (
            <>
              <PageFrame
                path={`page/${row.page}/${encodeURIComponent(detector.detector)}`}
                title={`Archived page: ${row.title || row.url}`}
                anchor={chosen >= 0 ? `chaff-${chosen}` : ''}
                onPick={(range) => set({ range: String(range), tab: 'verdict' })}
              />
              <p class="quiet small under-frame">With the styles and images that the archive has.</p>
            </>
          ) : (
            <>
              <Failure message={archive} />
              <p class="quiet">The verdict and the text beside are those of the report.</p>
            </>
          )}
        </section>
        <section class="page-side" aria-label="About the page">
          <div class="tabs" role="tablist" aria-label="About the page">
            {(Object.keys(TABS) as Tab[]).map((name) => (
              <button
                key={name}
                type="button"
                role="tab"
                id={`tab-${name}`}
                aria-selected={name === tab}
                aria-controls="page-panel"
                tabIndex={name === tab ? 0 : -1}
                onClick={() => set({ tab: name })}
                onKeyDown={(event) => moveTab(event, tab, set)}
              >
                {TABS[name]}
                {name === 'captures' && ` (${captures.length})`}
              </button>
            ))}
          </div>
          <div id="page-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
            {tab === 'verdict' && (
              <Verdict
                answer={answer}
                detector={detector}
                chosen={chosen}
                onChoose={(range) => set({ range: String(range) })}
              />
            )}
            {(tab === 'text' || tab === 'markdown') && (
              <PageText page={row.page} detector={detector.detector} kind={tab} />
            )}
            {tab === 'captures' && <Captures answer={answer} params={params} />}
          </div>
        </section>
      </div>
    </>
  );
}

function moveTab(event: KeyboardEvent, tab: Tab, set: (change: Params) => void): void {
  const names = Object.keys(TABS) as Tab[];
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const next = names[(names.indexOf(tab) + step + names.length) % names.length];
  set({ tab: next });
  document.getElementById(`tab-${next}`)?.focus();
}

const LABELS = ['content', 'slot', 'template', 'unsure'] as const;

interface LegendProps {
  detector: DetectorAnswer;
  detectors: DetectorAnswer[];
  onDetector: (name: string) => void;
}

function Legend({ detector, detectors, onDetector }: LegendProps) {
  const { text, bytes } = detector;
  const all = LABELS.reduce((sum, label) => sum + text[label], 0);
  return (
    <div class="controls legend">
      <label>
        Detector
        <select value={detector.detector} onChange={(event) => onDetector(event.currentTarget.value)}>
          {detectors.map(({ detector: name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {LABELS.filter((label) => bytes[label] > 0).map((label) => (
        <span key={label} class="key">
          <span class={`chip ${label}`}>{label}</span>{' '}
          {all > 0 && `${formatPercent(text[label] / all)} of the text`}
        </span>
      ))}
    </div>
  );
}

interface VerdictProps {
  answer: PageAnswer;
  detector: DetectorAnswer;
  chosen: number;
  onChoose: (range: number) => void;
}

function Verdict({ answer, detector, chosen, onChoose }: VerdictProps) {
  // leave out ranges without text, such as the head
  const listed = useMemo(
    () =>
      [...detector.ranges.keys()].filter((k) => answer.archive !== '' || detector.ranges[k].textBytes > 0),
    [answer, detector],
  );
  const range = detector.ranges[chosen];
  return (
    <>
      <OptionList
        label={`Ranges of the page by ${detector.detector}`}
        count={listed.length}
        chosen={listed.indexOf(chosen)}
        onChoose={(index) => onChoose(listed[index])}
        option={(index) => <RangeEntry range={detector.ranges[listed[index]]} />}
      />
      <div class="range-detail" aria-live="polite">
        {range ? (
          <RangeDetail answer={answer} detector={detector.detector} range={range} />
        ) : (
          <p class="quiet">
            {countOf(listed.length, 'range')}. Choose one in this list, or click on the page.
          </p>
        )}
      </div>
    </>
  );
}

function RangeEntry({ range }: { range: RangeAnswer }) {
  return (
    <>
      <span class={`chip ${range.label}`}>{range.label}</span>
      {range.role && <span class="role">{roleName(range.role)}</span>}
      <span class="excerpt">{range.excerpt || bytesOf(range)}</span>
    </>
  );
}

function bytesOf({ start, end }: RangeAnswer): string {
  return `bytes ${formatCount(start)} to ${formatCount(end)}`;
}

function RangeDetail({
  answer,
  detector,
  range,
}: {
  answer: PageAnswer;
  detector: string;
  range: RangeAnswer;
}) {
  const { site } = answer.row;
  return (
    <>
      <p>
        {range.excerpt && <q>{range.excerpt}</q>} <span class="quiet">{bytesOf(range)}</span>
        {range.template !== '' && range.label !== 'content' && (
          <>
            {' · '}
            <Link view="template" params={{ site, detector, id: range.template }}>
              its template
            </Link>
          </>
        )}
      </p>
      <table>
        <caption>What each detector says here</caption>
        <thead>
          <tr>
            <th scope="col">Detector</th>
            <th scope="col">Verdict, and why</th>
            <th scope="col" class="number">
              Score
            </th>
          </tr>
        </thead>
        <tbody>
          {answer.detectors.flatMap(({ detector: name, ranges }) =>
            mainRanges(ranges, range).map((one) => (
              <tr key={`${name} ${one.start}`}>
                <th scope="row">{name}</th>
                <td>
                  <span class={`chip ${one.label}`}>{one.label}</span>{' '}
                  {one.role && <span class="role">{roleName(one.role)}</span>}
                  <div class="quiet small">
                    {one.reason || (one.label === 'content' ? 'in no template' : '')}
                  </div>
                </td>
                <td class="number">{one.score.toFixed(2)}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </>
  );
}

/** Maximum number of ranges of a detector shown for one position, those that cover the most of it. */
const MAX_SHOWN = 3;

function mainRanges(ranges: readonly RangeAnswer[], { start, end }: RangeAnswer): RangeAnswer[] {
  const overlap = (one: RangeAnswer) => Math.min(one.end, end) - Math.max(one.start, start);
  return ranges
    .filter((one) => overlap(one) > 0)
    .sort((a, b) => overlap(b) - overlap(a))
    .slice(0, MAX_SHOWN);
}

function PageText({ page, detector, kind }: { page: number; detector: string; kind: 'text' | 'markdown' }) {
  const { data, error } = useApi<{ text: string; markdown: string }>(
    apiPath('page/text', { page, detector }),
  );
  if (error) return <Failure message={error} />;
  if (!data) return <Loading />;
  const text = data[kind];
  if (text === '') return <Notice>There is no {kind === 'text' ? 'text' : 'Markdown'} of this page.</Notice>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard
    <pre class="page-text" tabIndex={0} dir="auto">
      {text}
    </pre>
  );
}
