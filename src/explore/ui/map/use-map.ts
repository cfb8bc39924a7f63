/**
 * Loads the data of the map: its bars, the ranges of visible bars, and the facts about the page under the pointer.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PageListFacts } from '../../../store/explore/page-lists.ts';
import { decodeBars, type MapBars } from '../../map-format.ts';
import { apiPath, fetchApi, useApi } from '../use-api.ts';
import { MapTiles } from './map-tiles.ts';

/** Returns the bars of a site in an order; undefined while they are loading. */
export function useBars({
  site,
  detector,
  order,
}: {
  site: string;
  detector: string;
  order: string;
}): MapBars | undefined {
  const [bars, setBars] = useState<MapBars>();
  useEffect(() => {
    const stop = new AbortController();
    fetchApi(apiPath('map/bars', { site, detector, order }), { signal: stop.signal })
      .then((response) => response.arrayBuffer())
      .then((buffer) => setBars(decodeBars(buffer)))
      .catch(() => {});
    return () => stop.abort();
  }, [site, detector, order]);
  return bars;
}

/** Returns the tiles of a map; undefined without bars. */
export function useTiles(
  key: { site: string; detector: string; order: string },
  bars: MapBars | undefined,
): MapTiles | undefined {
  const tiles = useMemo(
    () => bars && new MapTiles(key, bars.pages.length, () => dispatchEvent(new Event('chaff-tile'))),
    [key.detector, bars],
  );
  useEffect(() => () => tiles?.close(), [tiles]);
  return tiles;
}

const HINT_MS = 60;

/** Returns the facts about the page under the pointer, once the pointer rests. */
export function usePageFacts(page: number | undefined, detector: string): PageListFacts | undefined {
  const [asked, setAsked] = useState<number>();
  const known = useRef(new Map<number, PageListFacts>());
  useEffect(() => {
    const timer = setTimeout(() => setAsked(page), HINT_MS);
    return () => clearTimeout(timer);
  }, [page]);
  const { data } = useApi<PageListFacts>(
    asked === undefined ? null : apiPath('pages/facts', { page: asked, detector }),
  );
  if (data) known.current.set(data.page, data);
  return page === undefined ? undefined : known.current.get(page);
}

/** Returns whether the system prefers dark colours, and follows its changes. */
export function useDark(): boolean {
  const query = matchMedia('(prefers-color-scheme: dark)');
  const [dark, setDark] = useState(query.matches);
  useEffect(() => {
    const update = () => setDark(query.matches);
    query.addEventListener('change', update);
    return () => query.removeEventListener('change', update);
  }, []);
  return dark;
}
