/**
 * One page during labelling. A selection is one block, or all blocks of an element around it. Marks are saved at
 * once; while a save is running the next one waits, and only the last state is sent. Undo and redo step through
 * states.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { BlockGroup, LabelAnswer, Mark } from '../../page-answers.ts';
import { countOf, formatTime } from '../format.ts';
import { OptionList } from '../parts/option-list.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { Link } from '../router.tsx';
import { apiPath, fetchApi } from '../use-api.ts';

type Marks = (Mark | null)[];

const MARK_KEYS: Record<string, Mark> = { c: 'content', t: 'template', s: 'slot', m: 'comment' };
const KEYS: [keys: string, does: string][] = [
  ['C, T, S, M', 'mark as content, template, slot, comment'],
  ['A', 'accept the suggestion; Shift+A for all blocks without a mark'],
  ['↓ ↑ or J K', 'next and previous block'],
  ['W, N', 'wider: the element around; narrower'],
  ['Delete', 'take marks away'],
  ['Z, Y', 'undo, redo'],
  ['Enter', 'next page'],
];

interface LabelPageProps {
  answer: LabelAnswer;
  annotator: string;
  onSaved: (isComplete: boolean) => void;
  onNext?: () => void;
}

/** Shows a page with its blocks, and marks them by key or click. */
export function LabelPage({ answer, annotator, onSaved, onNext }: LabelPageProps) {
  const { row, blocks, groups } = answer;
  const { marks, state, error, change, undo, redo, canUndo, canRedo } = useMarks(answer, annotator, onSaved);
  const [current, setCurrent] = useState(() => Math.max(0, answer.marks.indexOf(null)));
  /** Index of the selected group; -1 for the block alone. */
  const [group, setGroup] = useState(-1);
  const list = useRef<HTMLUListElement>(null);
  const [first, last] = group < 0 ? [current, current + 1] : [groups[group].first, groups[group].last];
  const marked = marks.filter((mark) => mark !== null).length;

  const choose = (block: number) => {
    setCurrent(block);
    setGroup(-1);
  };
  const mark = (to: (block: number) => Mark | null) => {
    change(marks.map((one, k) => (k >= first && k < last ? to(k) : one)));
    const open = marks.findIndex((one, k) => k >= last && one === null);
    if (open >= 0) choose(open);
    else choose(Math.min(last, blocks.length - 1));
  };
  const acceptAll = () => change(marks.map((one, k) => one ?? blocks[k].suggestion));
  const widen = () => setGroup(widerGroup(groups, first, last));
  const narrow = () => setGroup(narrowerGroup(groups, group, current));

  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || isField(event.target)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const isCommand = event.ctrlKey || event.metaKey;
    const actions: Record<string, () => void> = {
      j: () => choose(Math.min(blocks.length - 1, last)),
      ArrowDown: () => choose(Math.min(blocks.length - 1, last)),
      k: () => choose(Math.max(0, first - 1)),
      ArrowUp: () => choose(Math.max(0, first - 1)),
      w: widen,
      n: narrow,
      a: () => (event.shiftKey ? acceptAll() : mark((k) => blocks[k].suggestion)),
      Delete: () => mark(() => null),
      Backspace: () => mark(() => null),
      z: () => (event.shiftKey ? redo() : undo()),
      y: redo,
      Enter: () => onNext?.(),
    };
    for (const [letter, value] of Object.entries(MARK_KEYS)) actions[letter] = () => mark(() => value);
    // with Ctrl only undo and redo are handled; Enter and the arrows belong to the focused control
    if (isCommand && key !== 'z' && key !== 'y') return;
    if (key === 'Enter' && isControl(event.target)) return;
    if (!Object.hasOwn(actions, key)) return;
    event.preventDefault();
    actions[key]();
  };
  const latest = useRef(onKey);
  latest.current = onKey;
  // handle keys as soon as the list is visible
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => latest.current(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);

  const anchor = group < 0 ? `chaff-${current}` : groups[group].anchor;
  return (
    <div class="page-grid fill">
      <section aria-label="Picture of the page">
        <p class="page-title">
          <strong>{row.title || row.url}</strong>
          <span class="quiet">
            {formatTime(row.time)}{' '}
            <Link view="page" params={{ page: String(row.page) }}>
              Verdicts of this page
            </Link>
          </span>
        </p>
        <PageFrame
          path={`label/${row.page}/${annotator}`}
          version={state}
          title={`Archived page: ${row.title || row.url}`}
          anchor={anchor}
          onPick={(block) => {
            choose(block);
            // return the focus to this page, which handles the keys
            list.current?.focus();
          }}
        />
      </section>
      <section class="page-side" aria-label="Blocks of the page">
        <p class="label-progress">
          <progress max={blocks.length} value={marked} aria-label="Blocks of this page that are marked" />
          <span role="status">
            {marked} of {countOf(blocks.length, 'block')} marked
            {error !== '' ? ' · not saved' : state !== '' && ' · saved'}
          </span>
        </p>
        {error !== '' && (
          <p class="notice failure" role="alert">
            {error}{' '}
            <button type="button" onClick={() => location.reload()}>
              Load again
            </button>
          </p>
        )}
        <div class="label-buttons">
          {Object.entries(MARK_KEYS).map(([key, value]) => (
            <button key={value} type="button" aria-keyshortcuts={key} onClick={() => mark(() => value)}>
              <span class={`chip ${value}`}>{value}</span> <kbd>{key.toUpperCase()}</kbd>
            </button>
          ))}
          <button type="button" aria-keyshortcuts="a" onClick={() => mark((k) => blocks[k].suggestion)}>
            Accept <kbd>A</kbd>
          </button>
          <button type="button" aria-keyshortcuts="Shift+A" onClick={acceptAll}>
            Accept all <kbd>⇧A</kbd>
          </button>
          <button type="button" aria-keyshortcuts="w" onClick={widen}>
            Wider <kbd>W</kbd>
          </button>
          <button type="button" aria-keyshortcuts="n" disabled={group < 0} onClick={narrow}>
            Narrower <kbd>N</kbd>
          </button>
          <button type="button" aria-keyshortcuts="z" disabled={!canUndo} onClick={undo}>
            Undo <kbd>Z</kbd>
          </button>
          <button type="button" aria-keyshortcuts="y" disabled={!canRedo} onClick={redo}>
            Redo <kbd>Y</kbd>
          </button>
          <button type="button" aria-keyshortcuts="Enter" disabled={!onNext} onClick={onNext}>
            Next page <kbd>↵</kbd>
          </button>
        </div>
        <p class="quiet selection" aria-live="polite">
          {group < 0
            ? 'One block is selected.'
            : `${countOf(last - first, 'block')} inside <${groups[group].name}> are selected.`}
        </p>
        <OptionList
          listRef={list}
          label="Blocks of the page"
          count={blocks.length}
          chosen={current}
          isWithin={(block) => group >= 0 && block >= first && block < last}
          onChoose={choose}
          option={(block) => <BlockEntry answer={answer} block={block} mark={marks[block]} />}
        />
        <details>
          <summary>Keys</summary>
          <dl class="keys">
            {KEYS.map(([keys, does]) => (
              <div key={keys}>
                <dt>
                  <kbd>{keys}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </details>
      </section>
    </div>
  );
}

function BlockEntry({ answer, block, mark }: { answer: LabelAnswer; block: number; mark: Mark | null }) {
  const { text, suggestion, score } = answer.blocks[block];
  return (
    <>
      {mark === null ? (
        <span class="chip unmarked" title={`content score ${score.toFixed(2)}`}>
          {suggestion}?
        </span>
      ) : (
        <span class={`chip ${mark}`}>{mark}</span>
      )}
      <span class="excerpt">{text}</span>
    </>
  );
}

/** Returns the smallest group with more blocks than `[first, last)`; -1 when no group has more. */
function widerGroup(groups: readonly BlockGroup[], first: number, last: number): number {
  let found = -1;
  let size = Number.POSITIVE_INFINITY;
  for (const [k, group] of groups.entries()) {
    const isWider = group.first <= first && group.last >= last && group.last - group.first > last - first;
    if (isWider && group.last - group.first < size) {
      found = k;
      size = group.last - group.first;
    }
  }
  return found < 0 ? groups.findIndex((group) => group.first === first && group.last === last) : found;
}

/** Returns the largest inner group with the current block; -1 for the block alone. */
function narrowerGroup(groups: readonly BlockGroup[], group: number, current: number): number {
  return groups.findIndex(
    ({ parent, first, last }) => parent === group && first <= current && current < last && last - first > 1,
  );
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('a, button, summary') !== null;
}

/** Maximum number of states that can be undone. */
const MAX_STATES = 500;

function useMarks(answer: LabelAnswer, annotator: string, onSaved: (isComplete: boolean) => void) {
  const [history, setHistory] = useState<{ states: Marks[]; at: number }>({ states: [answer.marks], at: 0 });
  const [state, setState] = useState(answer.version);
  const [error, setError] = useState('');
  const saving = useRef<{ version: string; wanted: Marks | null; isBusy: boolean }>({
    version: answer.version,
    wanted: null,
    isBusy: false,
  });
  const marks = history.states[history.at];

  const send = async () => {
    const own = saving.current;
    if (own.isBusy) return;
    own.isBusy = true;
    while (own.wanted) {
      const wanted = own.wanted;
      own.wanted = null;
      try {
        const path = apiPath('labels/page', { page: answer.row.page, annotator });
        const body = JSON.stringify({ marks: wanted, version: own.version });
        const saved = await fetchApi(path, { method: 'PUT', body });
        own.version = ((await saved.json()) as { version: string }).version;
        setState(own.version);
        setError('');
        onSaved(wanted.every((mark) => mark !== null));
      } catch (failure) {
        setError((failure as Error).message);
        break;
      }
    }
    own.isBusy = false;
  };
  const go = (states: Marks[], at: number) => {
    setHistory({ states, at });
    saving.current.wanted = states[at];
    void send();
  };
  const { states, at } = history;
  return {
    marks,
    state,
    error,
    change: (next: Marks) => {
      if (next.every((mark, k) => mark === marks[k])) return;
      const kept = [...states.slice(0, at + 1), next].slice(-MAX_STATES);
      go(kept, kept.length - 1);
    },
    undo: () => at > 0 && go(states, at - 1),
    redo: () => at + 1 < states.length && go(states, at + 1),
    canUndo: at > 0,
    canRedo: at + 1 < states.length,
  };
}
