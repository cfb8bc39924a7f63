/** `/api/sites`: the table of sites. */
import { Hono } from 'hono';
import { readSites } from '../../store/explore/site-rows.ts';
import type { Explored } from '../explored.ts';

/** Returns the routes of `/api/sites`. */
export function sitesRoutes(explored: Explored): Hono {
  return new Hono().get('/', async (context) => context.json(await readSites(explored.store)));
}
