/**
 * An archived page in a frame that can neither run scripts nor load anything from outside. A new document is loaded
 * behind the old one and replaces it when it is complete, so that nothing flickers. `anchor` scrolls to a piece. A
 * click on a piece reaches the server, which this component asks for it, because the frame itself cannot report it.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { apiPath, askApi } from '../use-api.ts';
import { Loading } from './notice.tsx';

interface PageFrameProps {
  /** Path of the document after the base, such as `page/12/joint`. */
  path: string;
  /** Version that changes when the same path has another document. */
  version?: string;
  title: string;
  /** Id of an element in the frame. @default '' */
  anchor?: string;
  onPick: (piece: number) => void;
}

interface Shown {
  key: number;
  src: string;
  isLoaded: boolean;
}

/** Shows an archived page in a sandboxed frame. */
export function PageFrame({ path, version = '', title, anchor = '', onPick }: PageFrameProps) {
  const session = usePicks(onPick);
  const base = useFrameBase();
  const [frames, setFrames] = useState<Shown[]>([]);
  const elements = useRef(new Map<number, HTMLIFrameElement>());
  const counter = useRef(0);
  const src = base === '' ? '' : `${base}/${path}/${session}`;

  useEffect(() => {
    if (src === '') return;
    const key = ++counter.current;
    const next = { key, src: `${src}?v=${encodeURIComponent(version)}`, isLoaded: false };
    // keep the visible document, and remove one that was still loading
    setFrames((before) => [...before.filter(({ isLoaded }) => isLoaded).slice(-1), next]);
  }, [src, version]);

  const shown = frames.findLast(({ isLoaded }) => isLoaded);
  useEffect(() => {
    const frame = shown && elements.current.get(shown.key);
    // replace the address, so that Back skips the pieces
    if (frame && anchor !== '')
      frame.contentWindow?.location.replace(`${shown.src}#${encodeURIComponent(anchor)}`);
  }, [anchor, shown?.key]);

  return (
    <div class="page-frame" aria-busy={frames.some(({ isLoaded }) => !isLoaded)}>
      {shown === undefined && <Loading />}
      {frames.map((frame) => (
        <iframe
          key={frame.key}
          ref={(element) => {
            if (element) elements.current.set(frame.key, element);
            else elements.current.delete(frame.key);
          }}
          class={frame === shown ? undefined : 'loading'}
          // sandbox without scripts, forms, popups and origin
          sandbox=""
          referrerpolicy="no-referrer"
          title={title}
          aria-hidden={frame === shown ? undefined : true}
          tabIndex={frame === shown ? undefined : -1}
          src={frame.src}
          onLoad={() =>
            setFrames((before) => {
              const at = before.findIndex(({ key }) => key === frame.key);
              return at < 0
                ? before
                : before.slice(at).map((one, k) => (k === 0 ? { ...one, isLoaded: true } : one));
            })
          }
        />
      ))}
    </div>
  );
}

/** Base path of frames; '' until the server has answered. */
function useFrameBase(): string {
  const [base, setBase] = useState('');
  useEffect(() => {
    askApi<{ base: string }>('page/frames').then(
      (answer) => setBase(answer.base),
      () => {}, // the view asks the server too, and shows its failure
    );
  }, []);
  return base;
}

/** Milliseconds before a request is repeated after a failure. */
const RETRY_MS = 2000;

/** Reports the clicks in this window's frames; returns the name of the window. */
function usePicks(onPick: (piece: number) => void): string {
  const [session] = useState(() =>
    Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    ),
  );
  const latest = useRef(onPick);
  latest.current = onPick;
  useEffect(() => {
    const stop = new AbortController();
    const listen = async () => {
      while (!stop.signal.aborted) {
        try {
          const { number } = await askApi<{ number: number | null }>(
            apiPath('page/picks', { session }),
            stop.signal,
          );
          if (number !== null && !stop.signal.aborted) latest.current(number);
        } catch {
          if (!stop.signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        }
      }
    };
    void listen();
    return () => stop.abort();
  }, []);
  return session;
}
