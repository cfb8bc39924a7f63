/** View Labelling: step through the blocks of a page, mark them by key or click, and save the marks as gold. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { SiteRow } from '../../../store/explore/site-rows.ts';
import type { LabelAnswer, LabelFolderAnswer, QueueAnswer } from '../../page-answers.ts';
import { countOf, formatPercent } from '../format.ts';
import { Failure, Loading, Notice } from '../parts/notice.tsx';
import { Link, navigate, type Params } from '../router.tsx';
import { apiPath, useApi } from '../use-api.ts';
import { AgreementOf } from './label-agreement.tsx';
import { LabelPage } from './label-page.tsx';
import type { View, ViewProps } from './view.ts';

/** Offers pages for labelling, least certain first. */
export const labelView: View = {
  name: 'label',
  title: 'Labelling',
  listed: true,
  table: 'pages',
  Body: Labelling,
};

const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;
const REMEMBERED = 'chaff-annotator';

function Labelling({ params }: ViewProps) {
  const sites = useApi<SiteRow[]>('sites');
  const folder = useApi<LabelFolderAnswer>('labels');
  const site = params.site ?? sites.data?.[0]?.site ?? '';
  const annotator = params.who ?? localStorage.getItem(REMEMBERED) ?? '';
  const set = (change: Params, replace = true) =>
    navigate('label', { ...params, site, who: annotator, ...change }, { replace });
  const error = sites.error ?? folder.error;
  if (error) return <Failure message={error} />;
  if (!sites.data || !folder.data) return <Loading />;
  return (
    <>
      <search class="controls">
        <AnnotatorField
          annotator={annotator}
          onName={(who) => {
            localStorage.setItem(REMEMBERED, who);
            set({ who, page: '' });
          }}
        />
        <label>
          Site
          <select value={site} onChange={(event) => set({ site: event.currentTarget.value, page: '' })}>
            {sites.data.map((row) => (
              <option key={row.site}>{row.site}</option>
            ))}
          </select>
        </label>
        <button
          type="button"
          aria-pressed={params.show === 'agreement'}
          onClick={() => set({ show: params.show ? '' : 'agreement' })}
        >
          Agreement
        </button>
      </search>
      {!NAME.test(annotator) ? (
        <Notice>
          Enter your name first: small letters, digits, “-” and “_”. Your labels are saved in a file of that
          name in <code>{folder.data.folder}</code>.
        </Notice>
      ) : params.show === 'agreement' ? (
        <AgreementOf
          annotator={annotator}
          other={params.other ?? ''}
          folder={folder.data}
          onOther={(other) => set({ other })}
        />
      ) : (
        <Site
          key={`${site} ${annotator}`}
          site={site}
          annotator={annotator}
          params={params}
          folder={folder.data}
          set={set}
        />
      )}
    </>
  );
}

function AnnotatorField({ annotator, onName }: { annotator: string; onName: (name: string) => void }) {
  const [name, setName] = useState(annotator);
  return (
    <label>
      Your name
      <input
        type="text"
        value={name}
        maxLength={40}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setName(event.currentTarget.value)}
        onChange={(event) => {
          const clean = event.currentTarget.value.trim().toLowerCase();
          setName(clean);
          if (NAME.test(clean)) onName(clean);
        }}
      />
    </label>
  );
}

interface SiteProps {
  site: string;
  annotator: string;
  params: Params;
  folder: LabelFolderAnswer;
  set: (change: Params, replace?: boolean) => void;
}

function Site({ site, annotator, params, folder, set }: SiteProps) {
  const [saves, setSaves] = useState(0);
  const queue = useApi<QueueAnswer>(apiPath('labels/queue', { site, annotator, n: saves }));
  const pages = queue.data?.pages ?? [];
  const firstOpen = pages.find(({ marked, blocks }) => marked < blocks);
  const number = params.page || String((firstOpen ?? pages[0])?.page ?? '');
  const answer = useApi<LabelAnswer>(
    number === '' ? null : apiPath('labels/page', { page: number, annotator }),
  );
  const next = useMemo(() => {
    const at = pages.findIndex(({ page }) => String(page) === number);
    return [...pages.slice(at + 1), ...pages.slice(0, Math.max(0, at))].find(
      ({ marked, blocks }) => marked < blocks,
    );
  }, [pages, number]);
  // put the page into the URL, so that it can be linked to
  useEffect(() => {
    if (!params.page && number !== '') set({ page: number });
  }, [number]);
  const error = queue.error ?? answer.error;
  if (error) return <Failure message={error} />;
  if (!queue.data) return <p role="status">Learning the site and scoring its pages…</p>;
  const done = pages.filter(({ marked, blocks }) => marked >= blocks).length;
  return (
    <>
      <p class="label-progress">
        <progress max={pages.length} value={done} aria-label="Pages that are labelled" />
        <span role="status">
          {done} of {countOf(pages.length, 'page')} labelled
          {queue.data.unread > 0 &&
            ` · ${countOf(queue.data.unread, 'page')} could not be read: ${queue.data.reason}`}
        </span>
      </p>
      {answer.data && String(answer.data.row.page) === number && (
        <LabelPage
          key={number}
          answer={answer.data}
          annotator={annotator}
          onSaved={(isComplete) => isComplete && setSaves((count) => count + 1)}
          onNext={next ? () => set({ page: String(next.page) }, false) : undefined}
        />
      )}
      <details class="label-queue">
        <summary>Pages of this site, the least sure first</summary>
        <ol>
          {pages.map(({ page, title, url, uncertainty, marked, blocks }) => (
            <li key={page}>
              <Link
                view="label"
                params={{ site, who: annotator, page: String(page) }}
                current={String(page) === number}
              >
                {title || url}
              </Link>{' '}
              <span class="quiet">
                {formatPercent(uncertainty)} unsure · {marked} of {countOf(blocks, 'block')} marked
              </span>
            </li>
          ))}
        </ol>
      </details>
      <details class="label-queue">
        <summary>What to do with the labels</summary>
        <pre>
          <code>
            {`chaff eval ${folder.inputs.join(' ')} --gold ${folder.folder}/${annotator}.jsonl
chaff train ${folder.inputs.join(' ')} --detector joint --site-weight 0 -o my-model.json --gold ${folder.folder}/${annotator}.jsonl:100
chaff eval ${folder.inputs.join(' ')} --gold ${folder.folder}/${annotator}.jsonl --detectors joint --joint-model my-model.json`}
          </code>
        </pre>
      </details>
    </>
  );
}
