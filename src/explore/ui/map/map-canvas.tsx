/**
 * The canvas of the template map. It draws after changes, at most once per frame, and converts pointer and keys to
 * positions on the map. The wheel scrolls, Ctrl + wheel and + and − zoom, dragging selects a range of pages, a
 * click picks a page.
 */
import { useEffect, useRef } from 'preact/hooks';
import { drawMap, GUTTER, type MapPicture, type MapWindow, strideOf } from './map-picture.ts';

/** A position on the map. */
export interface MapSpot {
  bar: number;
  /** Offset in the source; -1 in the gutter or beyond the end of the page. */
  byte: number;
}

interface MapCanvasProps {
  picture: MapPicture;
  window: MapWindow;
  /** Selected bars. */
  brushed: [from: number, to: number] | null;
  /** Position of the keyboard cursor. */
  cursor: MapSpot | null;
  describedBy: string;
  onWindow(next: MapWindow): void;
  onHover(spot: MapSpot | null, place?: { x: number; y: number }): void;
  onPick(spot: MapSpot): void;
  onBrush(brushed: [from: number, to: number] | null): void;
  onKey(key: string): boolean;
}

const MIN_ROWS = 8;
const DRAG_PIXELS = 4;

/** Shows the map and its overview. */
export function MapCanvas(props: MapCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const overview = useRef<HTMLCanvasElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const state = useRef({ isDirty: true, frame: 0 });

  useEffect(() => {
    const drawSoon = () => {
      if (state.current.frame !== 0) return;
      state.current.frame = requestAnimationFrame(() => {
        state.current.frame = 0;
        drawAll(canvas.current, overview.current, latest.current);
      });
    };
    addEventListener('chaff-tile', drawSoon);
    const sized = new ResizeObserver(drawSoon);
    sized.observe(canvas.current!);
    drawSoon();
    return () => {
      removeEventListener('chaff-tile', drawSoon);
      sized.disconnect();
      cancelAnimationFrame(state.current.frame);
      state.current.frame = 0;
    };
  }, [props.picture, props.window, props.brushed, props.cursor]);

  // add the wheel listener by hand: only then can it prevent scrolling of the page
  useEffect(() => {
    const element = canvas.current!;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const { window, picture } = latest.current;
      const count = picture.bars.pages.length;
      if (event.ctrlKey || event.metaKey) {
        const at = spotOf(element, event, latest.current);
        latest.current.onWindow(zoomed(window, count, Math.exp(event.deltaY / 200), at.exact));
      } else {
        const step = (event.deltaY / element.clientHeight) * window.rows;
        latest.current.onWindow(moved(window, count, step));
      }
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);

  return (
    <div class="map-frame">
      <canvas ref={overview} class="map-overview" onPointerDown={(event) => followOverview(event, latest)} />
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it takes all keys itself, which is what the role says */}
      <canvas
        ref={canvas}
        class="map-canvas"
        role="application"
        tabIndex={0}
        aria-label="Template map: a bar for each page. Arrow keys move, plus and minus zoom, Enter opens the page."
        aria-describedby={props.describedBy}
        onPointerMove={(event) => {
          const { exact: _, ...spot } = spotOf(event.currentTarget, event, latest.current);
          latest.current.onHover(spot, { x: event.offsetX, y: event.offsetY });
        }}
        onPointerLeave={() => latest.current.onHover(null)}
        onPointerDown={(event) => startDrag(event, latest)}
        onDblClick={(event) => {
          const { exact } = spotOf(event.currentTarget, event, latest.current);
          const { window, picture } = latest.current;
          latest.current.onWindow(zoomed(window, picture.bars.pages.length, 0.25, exact));
        }}
        onKeyDown={(event) => {
          if (latest.current.onKey(event.key)) event.preventDefault();
        }}
      />
    </div>
  );
}

/** Returns the window zoomed around a bar; a factor below 1 shows fewer bars. */
export function zoomed(window: MapWindow, count: number, factor: number, about?: number): MapWindow {
  const rows = Math.min(Math.max(window.rows * factor, Math.min(MIN_ROWS, count)), count);
  const centre = about ?? window.from + window.rows / 2;
  const from = centre - ((centre - window.from) / window.rows) * rows;
  return moved({ ...window, rows, from }, count, 0);
}

/** Returns the window moved by `step` bars, within the map. */
export function moved(window: MapWindow, count: number, step: number): MapWindow {
  return { ...window, from: Math.min(Math.max(0, window.from + step), Math.max(0, count - window.rows)) };
}

function drawAll(
  canvas: HTMLCanvasElement | null,
  overview: HTMLCanvasElement | null,
  props: MapCanvasProps,
): void {
  if (!canvas || !overview) return;
  const started = performance.now();
  const { picture, window: shown, brushed, cursor } = props;
  const scale = Math.min(2, devicePixelRatio);
  const count = picture.bars.pages.length;
  const width = Math.max(1, Math.round(canvas.clientWidth * scale));
  const height = Math.max(1, Math.round(canvas.clientHeight * scale));
  const stride = strideOf(shown.rows, height);
  picture.tiles.want(Math.floor(shown.from), Math.ceil(shown.from + shown.rows), stride);
  picture.others?.want(Math.floor(shown.from), Math.ceil(shown.from + shown.rows), stride);
  paint(canvas, { width, height, scale }, shown, picture);
  const pen = canvas.getContext('2d')!;
  const toY = (bar: number): number => ((bar - shown.from) / shown.rows) * height;
  if (brushed) {
    pen.fillStyle = picture.dark ? 'rgb(255 255 255 / 18%)' : 'rgb(11 83 148 / 14%)';
    pen.fillRect(0, toY(brushed[0]), width, toY(brushed[1]) - toY(brushed[0]));
  }
  if (cursor) {
    pen.strokeStyle = picture.dark ? '#ffffff' : '#000000';
    pen.lineWidth = scale;
    pen.strokeRect(
      scale / 2,
      toY(cursor.bar),
      width - scale,
      Math.max(scale * 3, toY(cursor.bar + 1) - toY(cursor.bar)),
    );
  }
  const across = Math.round(overview.clientWidth * scale);
  paint(overview, { width: across, height, scale: 0 }, { ...shown, from: 0, rows: count }, picture);
  const edge = overview.getContext('2d')!;
  edge.strokeStyle = picture.dark ? '#ffffff' : '#1d1d1f';
  edge.lineWidth = 2;
  edge.strokeRect(
    1,
    (shown.from / count) * height + 1,
    across - 2,
    Math.max(4, (shown.rows / count) * height - 2),
  );
  canvas.dataset.drawMs = (performance.now() - started).toFixed(2);
}

function paint(
  canvas: HTMLCanvasElement,
  { width, height, scale }: { width: number; height: number; scale: number },
  shown: MapWindow,
  picture: MapPicture,
): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const pen = canvas.getContext('2d')!;
  const image = pen.createImageData(width, height);
  drawMap(new Uint32Array(image.data.buffer), { width, height, scale }, shown, picture);
  pen.putImageData(image, 0, 0);
}

function spotOf(
  canvas: HTMLCanvasElement,
  { clientX, clientY }: { clientX: number; clientY: number },
  { window: shown, picture }: MapCanvasProps,
): MapSpot & { exact: number } {
  const box = canvas.getBoundingClientRect();
  const exact = shown.from + ((clientY - box.top) / box.height) * shown.rows;
  const bar = Math.min(Math.max(0, Math.floor(exact)), picture.bars.pages.length - 1);
  const x = clientX - box.left - GUTTER;
  const size = picture.bars.sizes[bar];
  const byte = Math.floor((x / (box.width - GUTTER)) * (shown.wideBytes === 0 ? size : shown.wideBytes));
  return { bar, byte: byte < 0 || byte >= size ? -1 : byte, exact };
}

type Latest = { current: MapCanvasProps };

/** A drag selects bars; a press without a drag picks one. */
function startDrag(event: PointerEvent & { currentTarget: HTMLCanvasElement }, latest: Latest): void {
  if (event.button !== 0) return;
  const canvas = event.currentTarget;
  const first = spotOf(canvas, event, latest.current);
  const startY = event.clientY;
  let isDrag = false;
  const onMove = (move: PointerEvent) => {
    isDrag ||= Math.abs(move.clientY - startY) > DRAG_PIXELS;
    if (!isDrag) return;
    const { bar } = spotOf(canvas, move, latest.current);
    latest.current.onBrush([Math.min(first.bar, bar), Math.max(first.bar, bar) + 1]);
  };
  const onUp = () => {
    canvas.removeEventListener('pointermove', onMove);
    if (!isDrag) latest.current.onPick({ bar: first.bar, byte: first.byte });
  };
  canvas.setPointerCapture(event.pointerId);
  canvas.addEventListener('pointermove', onMove);
  canvas.addEventListener('pointerup', onUp, { once: true });
}

function followOverview(event: PointerEvent & { currentTarget: HTMLCanvasElement }, latest: Latest): void {
  const canvas = event.currentTarget;
  const follow = ({ clientY }: { clientY: number }) => {
    const { window: shown, picture } = latest.current;
    const count = picture.bars.pages.length;
    const box = canvas.getBoundingClientRect();
    const centre = ((clientY - box.top) / box.height) * count;
    latest.current.onWindow(moved({ ...shown, from: centre - shown.rows / 2 }, count, 0));
  };
  follow(event);
  canvas.setPointerCapture(event.pointerId);
  canvas.addEventListener('pointermove', follow);
  canvas.addEventListener('pointerup', () => canvas.removeEventListener('pointermove', follow), {
    once: true,
  });
}
