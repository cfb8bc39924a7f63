/** The layout of the explorer's page: name of the folder, list of views, and the view that the URL names. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FolderAnswer } from '../api/folder-routes.ts';
import type { RunProgress } from '../explored.ts';
import { countOf } from './format.ts';
import { Notice } from './parts/notice.tsx';
import { Link, useRoute } from './router.tsx';
import { askApi } from './use-api.ts';
import { type Facts, VIEWS, type View } from './views/index.ts';

const POLL_MS = 400;

/** Shows the view of the URL, or the progress of the run while the folder is not open. */
export function App() {
  const answer = useFolder();
  if (answer === undefined) return null;
  if (answer.state === 'running') return <Running progress={answer.progress} />;
  if (answer.state === 'failed') return <Failed message={answer.message} />;
  return <Explorer facts={answer.facts!} />;
}

function Explorer({ facts }: { facts: Facts }) {
  const { view: name, params } = useRoute();
  const has = ({ table }: View) => table === undefined || facts.tables.includes(table);
  const view = VIEWS.find((each) => (name === '' ? each.table && has(each) : each.name === name));
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  const title = view?.title ?? 'Not found';
  useEffect(() => {
    document.title = `${title} · ${facts.name}`;
    if (isFirst.current) isFirst.current = false;
    // move the focus, so that a screen reader starts at the new view
    else heading.current?.focus();
  }, [title]);
  // links to other views keep the site
  const along: Record<string, string> = params.site ? { site: params.site } : {};
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the view
      </a>
      <header class="rail">
        <p class="brand">
          Chaff <span title={facts.path}>{facts.name}</span>
        </p>
        <nav aria-label="Views">
          <ul>
            {VIEWS.filter(({ listed }) => listed).map((each) => (
              <li key={each.name}>
                <Link
                  view={each.name}
                  params={along}
                  current={each === view}
                  class={has(each) ? undefined : 'without'}
                  title={has(each) ? undefined : 'This folder has none; the view says how to make them.'}
                >
                  {each.title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <p class="quiet counts">
          {countOf(facts.pages, facts.isHistory ? 'capture' : 'page')}
          <br />
          {countOf(facts.sites, 'site')}
        </p>
      </header>
      <main id="main">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {view ? (
          <view.Body facts={facts} params={params} />
        ) : (
          <Notice>
            There is no view of this name. <Link view="sites">Sites</Link> lists what there is.
          </Notice>
        )}
      </main>
    </div>
  );
}

/** Requests the state of the folder until it is open. */
function useFolder(): FolderAnswer | undefined {
  const [answer, setAnswer] = useState<FolderAnswer>();
  useEffect(() => {
    let timer = 0;
    let isGone = false;
    const ask = async () => {
      const next = await askApi<FolderAnswer>('folder').catch(
        (error: Error): FolderAnswer => ({ state: 'failed', message: error.message }),
      );
      if (isGone) return;
      setAnswer(next);
      if (next.state === 'running') timer = window.setTimeout(ask, POLL_MS);
    };
    void ask();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);
  return answer;
}

const STAGES: Record<string, string> = {
  survey: 'Reading the archive',
  plan: 'Planning',
  learn: 'Learning templates',
  label: 'Labelling pages',
  study: 'Studying sites',
  finish: 'Writing tables and the report',
};

function Running({ progress }: { progress: RunProgress | null }) {
  const seconds = useSeconds();
  const share = progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : 0;
  const stage = progress ? (STAGES[progress.stage] ?? progress.stage) : 'Starting';
  return (
    <main class="running">
      <h1>Making the report</h1>
      <p>
        <label for="progress">{stage}</label>
      </p>
      {/* without a value the bar moves: a small archive is one task, of which nothing is known until it is done */}
      <progress id="progress" max={1} value={share > 0 ? share : undefined} />
      <p class="quiet" role="status">
        {[
          share > 0 ? `${Math.floor(share * 100)} %` : '',
          progress && progress.pages > 0 ? countOf(progress.pages, 'page') : '',
        ]
          .filter((part) => part !== '')
          .join(' · ')}
      </p>
      <p class="quiet">{countOf(seconds, 'second')} so far</p>
      <p class="quiet">
        The views open here as soon as it is done. A run that is stopped goes on where it was.
      </p>
    </main>
  );
}

/** Returns the whole seconds since the component was first shown. */
function useSeconds(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const from = Date.now();
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - from) / 1000)), 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}

function Failed({ message }: { message: string }) {
  return (
    <main class="running">
      <h1>This folder cannot be shown</h1>
      <p role="alert">{message}</p>
    </main>
  );
}
