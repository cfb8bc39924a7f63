/** `/api/map`: the template map of a site: pages in an order, and the ranges of the visible pages. */
import { Hono } from 'hono';
import {
  MAP_ORDERS,
  type MapKey,
  prepareOrders,
  readBars,
  readMapFacts,
} from '../../store/explore/map-rows.ts';
import { readTile } from '../../store/explore/map-tile.ts';
import type { Explored } from '../explored.ts';
import { encodeBars, encodeTile, type MapBars, type MapTile } from '../map-format.ts';
import { detectorParameter, numberParameter, textParameter, wordParameter } from './parameters.ts';

/** Maximum number of bars of one tile. */
const MAX_BARS = 4096;
const MAX_PAGES = 2 ** 32 - 1;

/** Returns the routes of `/api/map`. */
export function mapRoutes(explored: Explored): Hono {
  const keyOf = (context: Parameters<typeof textParameter>[0]): MapKey => ({
    site: textParameter(context, 'site'),
    detector: detectorParameter(context, explored.store.facts.detectors),
    order: wordParameter(context, 'order', MAP_ORDERS),
  });
  return new Hono()
    .get('/', async (context) => {
      const { site, detector } = keyOf(context);
      return context.json(await readMapFacts(explored.store, site, detector));
    })
    .get('/bars', async (context) => {
      const key = keyOf(context);
      const bars = await readBars(explored.store, key);
      prepareOrders(explored.store, key, bars.pages.length);
      return context.body(encodeBars(bars as MapBars), 200, BYTES);
    })
    .get('/tile', async (context) => {
      const key = keyOf(context);
      const first = numberParameter(context, 'first', { most: MAX_PAGES });
      const count = numberParameter(context, 'count', { least: 1, most: MAX_BARS });
      const stride = numberParameter(context, 'stride', { least: 1, most: MAX_PAGES, fallback: 1 });
      const { pages } = await readBars(explored.store, key);
      const shown: number[] = [];
      for (let bar = first; bar < pages.length && shown.length < count; bar += stride) shown.push(pages[bar]);
      const tile = await readTile(explored.store, key, Uint32Array.from(shown));
      return context.body(encodeTile(tile as MapTile), 200, BYTES);
    });
}

const BYTES = { 'Content-Type': 'application/octet-stream' };
