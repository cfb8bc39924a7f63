/**
 * View Template map: every page of a site as a bar, coloured by its templates (Gibson, Punera and Tomkins 2005,
 * section 5).
 */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { MapFacts, MapOrder } from '../../../store/explore/map-rows.ts';
import { type MapBars, UNSURE } from '../../map-format.ts';
import { countOf, formatCount } from '../format.ts';
import { MapCanvas, type MapSpot, moved, zoomed } from '../map/map-canvas.tsx';
import { COLOURINGS, type Colouring, mapColours } from '../map/map-colours.ts';
import { MapLegend } from '../map/map-legend.tsx';
import { countOutliers, type MapPicture, type MapWindow, strideOf } from '../map/map-picture.ts';
import { nextStart, rangeAt } from '../map/map-ranges.ts';
import { Brushed, Spot } from '../map/map-side.tsx';
import { useBars, useDark, usePageFacts, useTiles } from '../map/use-map.ts';
import { Failure, Loading, Missing, Notice } from '../parts/notice.tsx';
import { DetectorPicker, SitePicker, useSite } from '../parts/site-picker.tsx';
import { navigate } from '../router.tsx';
import { apiPath, useApi } from '../use-api.ts';
import type { View, ViewProps } from './view.ts';

/** Shows the template map of a site. */
export const mapView: View = {
  name: 'map',
  title: 'Template map',
  listed: true,
  table: 'templates',
  Body: MapView,
};

function MapView(props: ViewProps) {
  const { facts } = props;
  const { site, sites } = useSite(props);
  if (!facts.tables.includes('templates')) {
    return (
      <Missing
        what="This folder has no templates. A report finds them:"
        command={`chaff report ${facts.inputs.join(' ')} -o crawl.chaff`}
      />
    );
  }
  if (site === undefined) return <Loading />;
  return <SiteMap key={site} {...props} site={site} sites={sites} />;
}

const ORDER_NAMES: Record<MapOrder, string> = {
  length: 'length',
  schema: 'schema',
  url: 'URL',
  time: 'time',
};
const ORDERS = Object.keys(ORDER_NAMES) as MapOrder[];
const WRITE_STATE_MS = 250;
/** Bars that are shown around a page that the URL names. */
const ROWS_AROUND = 100;

function SiteMap({
  facts,
  params,
  site,
  sites,
}: ViewProps & { site: string; sites: ReturnType<typeof useSite>['sites'] }) {
  const detector = facts.detectors.includes(params.detector) ? params.detector : facts.detectors[0];
  const order = ORDERS.find((each) => each === params.order) ?? 'length';
  const versus = facts.detectors.find((name) => name !== detector) ?? '';
  const colourings = versus === '' ? COLOURINGS.filter((each) => each !== 'detector') : COLOURINGS;
  const colouring: Colouring = colourings.find((each) => each === params.colour) ?? 'frequency';
  const marked = params.template ?? '';
  const dark = useDark();
  const key = { site, detector, order };
  const { data: map, error } = useApi<MapFacts>(apiPath('map', { site, detector }));
  const bars = useBars(key);
  const [view, setView] = useState<MapWindow>();
  const [hover, setHover] = useState<{ spot: MapSpot; x: number; y: number } | null>(null);
  const [cursor, setCursor] = useState<MapSpot | null>(null);
  const [brushed, setBrushed] = useState<[number, number] | null>(() => brushOf(params.brush));
  const count = bars?.pages.length ?? 0;

  // the URL gives the first position of the map; then the map updates the URL
  useEffect(() => {
    if (!bars) return;
    const wideBytes = wideOf(params.wide, bars);
    const named = params.page ? bars.pages.indexOf(Number(params.page)) : -1;
    const rows = Math.min(Math.max(1, Number(params.rows) || (named < 0 ? count : ROWS_AROUND)), count);
    const from = params.from || named < 0 ? Number(params.from) || 0 : named - rows / 2;
    setView(moved({ from, rows, wideBytes }, count, 0));
    if (named >= 0) setCursor({ bar: named, byte: 0 });
  }, [bars]);
  const set = (change: Record<string, string>, options = { replace: true }) =>
    navigate('map', { ...params, site, ...change }, options);
  useEffect(() => {
    if (!view || !bars) return;
    const timer = setTimeout(() => {
      const isAll = view.rows >= count;
      set({
        from: isAll ? '' : String(Math.round(view.from)),
        rows: isAll ? '' : String(Math.round(view.rows)),
        brush: brushed ? brushed.join('-') : '',
      });
    }, WRITE_STATE_MS);
    return () => clearTimeout(timer);
  }, [view, brushed]);

  const tiles = useTiles(key, bars);
  const others = useTiles({ ...key, detector: versus }, colouring === 'detector' ? bars : undefined);
  const picture = useMemo((): MapPicture | undefined => {
    if (!map || !bars || !tiles) return undefined;
    const colours = mapColours(map, {
      colouring,
      dark,
      marked,
      versus,
      hasUnsure: bars.flags.some((flag) => flag & UNSURE),
    });
    return {
      bars,
      tiles,
      others: colouring === 'detector' ? others : undefined,
      colours,
      dark,
      bySchema: order === 'schema',
      outliersBefore: countOutliers(bars),
    };
  }, [map, bars, tiles, others, colouring, dark, marked]);

  const spot = cursor ?? hover?.spot ?? null;
  const range = spot && picture && view ? rangeAt(picture, spot, view) : null;
  const template = range && range.template >= 0 ? map?.templates[range.template] : undefined;
  const page = spot && bars ? bars.pages[spot.bar] : undefined;
  const hint = usePageFacts(page, detector);

  if (error) return <Failure message={error} />;
  const onKey = (name: string): boolean => {
    if (!view || !bars || !picture) return false;
    const at = cursor ?? { bar: Math.floor(view.from), byte: 0 };
    const step = strideOf(view.rows, 800);
    const go = (bar: number, byte = at.byte): true => {
      const next = { bar: Math.min(Math.max(0, bar), count - 1), byte };
      setCursor(next);
      if (next.bar < view.from || next.bar >= view.from + view.rows) {
        setView(moved({ ...view, from: next.bar - view.rows / 2 }, count, 0));
      }
      return true;
    };
    const keys: Record<string, () => boolean> = {
      ArrowDown: () => go(at.bar + step),
      ArrowUp: () => go(at.bar - step),
      ArrowRight: () => go(at.bar, nextStart(picture, at, view, 1)),
      ArrowLeft: () => go(at.bar, nextStart(picture, at, view, -1)),
      PageDown: () => go(at.bar + Math.ceil(view.rows)),
      PageUp: () => go(at.bar - Math.ceil(view.rows)),
      Home: () => go(0),
      End: () => go(count - 1),
      Enter: () => {
        navigate('page', { page: String(bars.pages[at.bar]) });
        return true;
      },
      ' ': () => {
        if (template) set({ template: template.id === marked ? '' : template.id });
        return true;
      },
      Escape: () => {
        setCursor(null);
        setBrushed(null);
        set({ template: '', brush: '', page: '' });
        return true;
      },
    };
    keys['+'] = keys['='] = () => {
      setView(zoomed(view, count, 0.5, cursor?.bar));
      return true;
    };
    keys['-'] = () => {
      setView(zoomed(view, count, 2, cursor?.bar));
      return true;
    };
    return keys[name]?.() ?? false;
  };

  return (
    <>
      <div class="controls">
        <SitePicker view="map" params={params} site={site} sites={sites} />
        <DetectorPicker
          detectors={facts.detectors}
          detector={detector}
          onPick={(name) => set({ detector: name, template: '' })}
        />
        <label>
          Order by
          <select
            value={order}
            onChange={(event) => set({ order: event.currentTarget.value, from: '', rows: '', brush: '' })}
          >
            {ORDERS.map((each) => (
              <option key={each} value={each}>
                {ORDER_NAMES[each]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Colour by
          <select value={colouring} onChange={(event) => set({ colour: event.currentTarget.value })}>
            {colourings.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <label>
          Width
          <select
            value={params.wide ?? ''}
            onChange={(event) => {
              const wide = event.currentTarget.value;
              if (view && bars) setView({ ...view, wideBytes: wideOf(wide, bars) });
              set({ wide });
            }}
          >
            <option value="">usual pages</option>
            <option value="longest">longest page</option>
            <option value="half">half of usual</option>
            <option value="equal">all pages alike</option>
          </select>
        </label>
      </div>
      {bars && count === 0 && <Notice>{site} has no pages.</Notice>}
      {map && picture && view && count > 0 && (
        <>
          <MapLegend
            entries={picture.colours.legend}
            marked={marked}
            onMark={(id) => set({ template: id === marked ? '' : id })}
          />
          <div class="map-layout fill">
            <div class="map-main">
              <div class="map-line">
                <span class="buttons">
                  <button
                    type="button"
                    aria-label="Zoom in"
                    onClick={() => view && setView(zoomed(view, count, 0.5))}
                  >
                    +
                  </button>
                  <button
                    type="button"
                    aria-label="Zoom out"
                    onClick={() => view && setView(zoomed(view, count, 2))}
                  >
                    −
                  </button>
                  <button type="button" onClick={() => view && setView({ ...view, from: 0, rows: count })}>
                    All
                  </button>
                </span>
                <span class="quiet" title="Outliers have a rare schema or no template.">
                  {countOf(count, count > map.urls ? 'capture' : 'page')}
                  {count > map.urls && ` of ${countOf(map.urls, 'page')}`}
                  {view.rows < count &&
                    `, ${formatCount(Math.round(view.from) + 1)} to ${formatCount(Math.round(view.from + view.rows))} shown`}
                  {view.rows > 1600 &&
                    ` · one line stands for ${formatCount(Math.round(view.rows / 800))} of them`}
                  {picture.outliersBefore[count] > 0 &&
                    ` · ${countOf(picture.outliersBefore[count], 'outlier')} in red`}
                </span>
              </div>
              <MapCanvas
                picture={picture}
                window={view}
                brushed={brushed}
                cursor={cursor}
                describedBy="map-spot"
                onWindow={setView}
                onHover={(next, place) => setHover(next && place ? { spot: next, ...place } : null)}
                onPick={(next) => {
                  setCursor(next);
                  const picked = rangeAt(picture, next, view);
                  const id = picked && picked.template >= 0 ? map.templates[picked.template]?.id : undefined;
                  set({ template: id ?? '', page: '' });
                }}
                onBrush={setBrushed}
                onKey={onKey}
              />
            </div>
            <aside class="map-side" aria-label="What is pointed at">
              <div id="map-spot" aria-live="polite">
                <Spot
                  page={page}
                  hint={hint}
                  range={range}
                  template={template}
                  map={map}
                  params={{ site, detector }}
                />
              </div>
              {brushed && bars && (
                <Brushed
                  brushed={brushed}
                  query={{ site, detector, order, from: brushed[0], to: brushed[1] }}
                  onZoom={() =>
                    setView(
                      moved(
                        { ...view, from: brushed[0], rows: Math.max(1, brushed[1] - brushed[0]) },
                        count,
                        0,
                      ),
                    )
                  }
                  onClear={() => setBrushed(null)}
                />
              )}
              <p class="quiet">
                Drag over bars to choose pages. The wheel scrolls, with Ctrl it zooms; a double click zooms
                in. Keys: arrows, + and −, space marks a template, Enter opens the page, Escape clears.
              </p>
            </aside>
          </div>
        </>
      )}
    </>
  );
}

/**
 * Returns the bytes of source across the width of the map, so that a few very long pages do not make all others
 * narrow.
 */
function wideOf(wide: string | undefined, { sizes }: MapBars): number {
  if (wide === 'equal') return 0;
  const sorted = Uint32Array.from(sizes).sort();
  const longest = sorted[sorted.length - 1] ?? 1;
  if (wide === 'longest') return longest;
  const usual = Math.min(longest, 1.15 * (sorted[Math.floor(0.95 * sorted.length)] ?? 1));
  return wide === 'half' ? usual / 2 : usual;
}

function brushOf(text: string | undefined): [number, number] | null {
  const parts = /^(\d{1,9})-(\d{1,9})$/.exec(text ?? '');
  return parts ? [Number(parts[1]), Number(parts[2])] : null;
}
