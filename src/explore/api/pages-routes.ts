/** `/api/pages`: lists of pages, and the facts about a page for the hint of the map. */
import { Hono } from 'hono';
import { MAP_ORDERS, readBars } from '../../store/explore/map-rows.ts';
import { type PageFilter, readPageList, readPageListFacts } from '../../store/explore/page-lists.ts';
import type { Explored } from '../explored.ts';
import { detectorParameter, numberParameter, optionalNumber, wordParameter } from './parameters.ts';

const MAX_PAGES = 2 ** 32 - 1;

/** Returns the routes of `/api/pages`. */
export function pagesRoutes(explored: Explored): Hono {
  return new Hono()
    .get('/', async (context) => {
      const { store } = explored;
      const text = (name: string) => context.req.query(name) || undefined;
      const filter: PageFilter = {
        site: text('site'),
        find: text('find'),
        template: text('template'),
        schema: store.has('page_schemas') ? optionalNumber(context, 'schema', MAX_PAGES) : undefined,
        group: store.has('groups') ? optionalNumber(context, 'group', MAX_PAGES) : undefined,
        fragment: store.has('fragment_members') ? text('fragment') : undefined,
        detector: store.has('pages') ? detectorParameter(context, store.facts.detectors) : undefined,
      };
      const limit = numberParameter(context, 'limit', { least: 1, most: 1000, fallback: 100 });
      const offset = numberParameter(context, 'offset', { most: MAX_PAGES, fallback: 0 });
      // a part of the map: bars by their index in its order
      const from = optionalNumber(context, 'from', MAX_PAGES);
      const to = optionalNumber(context, 'to', MAX_PAGES);
      if (from === undefined || to === undefined || filter.site === undefined) {
        return context.json(await readPageList(store, filter, { limit, offset }));
      }
      const order = wordParameter(context, 'order', MAP_ORDERS);
      const bars = await readBars(store, { site: filter.site, detector: filter.detector!, order });
      const pages = bars.pages.slice(Math.min(to, from + offset), Math.min(to, from + offset + limit));
      const { rows } = await readPageList(store, { site: filter.site, pages }, { limit });
      return context.json({ total: Math.max(0, Math.min(to, bars.pages.length) - from), rows });
    })
    .get('/facts', async (context) => {
      const page = numberParameter(context, 'page', { most: MAX_PAGES });
      const detector = detectorParameter(context, explored.store.facts.detectors);
      const facts = await readPageListFacts(explored.store, page, detector);
      return facts ? context.json(facts) : context.json({ error: `there is no page ${page}` }, 404);
    });
}
