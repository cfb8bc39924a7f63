/** The other captures of a page's URL: a slider through time, and the changes between two captures by class. */
import type { ClassedChange, PageAnswer, PairAnswer, PairClass } from '../../page-answers.ts';
import { countOf, formatTime } from '../format.ts';
import { Failure, Notice } from '../parts/notice.tsx';
import { navigate, type Params } from '../router.tsx';
import { apiPath, useApi } from '../use-api.ts';

const CLASSES: Record<PairClass, string> = {
  content: 'What the page itself says',
  template: 'Template: the same on other pages',
  slot: 'Slots: what differs from page to page',
};

/** Shows the captures of a page's URL and the changes between them. */
export function Captures({ answer, params }: { answer: PageAnswer; params: Params }) {
  const { captures, row } = answer;
  const at = captures.findIndex(({ page }) => page === row.page);
  const before = captures.slice(0, at);
  const older = before.find(({ page }) => String(page) === params.older) ?? before.at(-1);
  const { data, error } = useApi<PairAnswer>(
    older ? apiPath('page/changes', { older: older.page, newer: row.page }) : null,
  );
  if (captures.length < 2) return <Notice>The folder has one capture of this URL.</Notice>;
  return (
    <>
      <div class="controls captures">
        <label>
          Capture
          <input
            type="range"
            min={0}
            max={captures.length - 1}
            value={at}
            aria-valuetext={formatTime(row.time)}
            onChange={(event) => {
              const { page } = captures[Number(event.currentTarget.value)];
              navigate('page', { ...params, page: String(page), range: '', older: '' });
            }}
          />
          <output>
            {at + 1} of {captures.length}: {formatTime(row.time)}
          </output>
        </label>
        {before.length > 0 && (
          <label>
            compared with
            <select
              value={older?.page}
              onChange={(event) =>
                navigate('page', { ...params, older: event.currentTarget.value }, { replace: true })
              }
            >
              {before.map(({ page, time }) => (
                <option key={page} value={page}>
                  {formatTime(time)}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {!older && (
        <Notice>This is the first capture of the URL. Move the slider to compare a later one with it.</Notice>
      )}
      {error && <Failure message={error} />}
      {older && data && data.newer.page === row.page && <Changes pair={data} />}
    </>
  );
}

function Changes({ pair }: { pair: PairAnswer }) {
  if (pair.changes.length === 0) return <Notice>No word differs between the two captures.</Notice>;
  return (
    <>
      <p class="quiet">
        {countOf(pair.changes.length, 'block')} of text changed. {countOf(pair.compared, 'page')} of these two
        snapshots
        {pair.compared === 1 ? ' was' : ' were'} compared to find the templates.
      </p>
      {(Object.keys(CLASSES) as PairClass[]).map((name) => {
        const changes = pair.changes.filter((change) => change.class === name);
        if (changes.length === 0) return null;
        const { came, went } = pair.words[name];
        return (
          <section key={name}>
            <h2>
              {CLASSES[name]} <small class="quiet">{`+${came} −${went} words`}</small>
            </h2>
            <ul class="changes">
              {changes.map((change, k) => (
                <Change key={k} change={change} />
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}

function Change({ change }: { change: ClassedChange }) {
  const { kind, place, oldText, newText, newWords, lostWords, urls } = change;
  if (kind === 'more') return <li class="quiet">{`and more: +${newWords} −${lostWords} words`}</li>;
  return (
    <li>
      <span class="quiet where">
        {kind} · {place}
        {urls > 1 && ` · ${countOf(urls, 'page')}`}
      </span>
      {oldText !== '' && <del>{oldText}</del>}
      {newText !== '' && <ins>{newText}</ins>}
    </li>
  );
}
