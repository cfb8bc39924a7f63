/** `/api/schemas`, `/api/groups`, `/api/fragments`, `/api/history`, `/api/changes`: tables that a folder may have. */
import { Hono } from 'hono';
import { CHANGE_CLASSES } from '../../store/change-rows.ts';
import { readFragments } from '../../store/explore/fragment-rows.ts';
import { readChangeList, readSiteHistory } from '../../store/explore/history-rows.ts';
import { readGroups, readSchemas } from '../../store/explore/schema-rows.ts';
import type { Explored } from '../explored.ts';
import { detectorParameter, NotInFolder, textParameter, wordParameter } from './parameters.ts';

const CLASSES = ['', ...CHANGE_CLASSES] as const;

/** Returns the routes of tables that a folder may have. */
export function listRoutes(explored: Explored): Hono {
  const withTable = (table: string) => {
    if (!explored.store.has(table)) throw new NotInFolder(`this folder has no table ${table}`);
    return explored.store;
  };
  return new Hono()
    .get('/schemas', async (context) => {
      const store = withTable('schemas');
      const detector = detectorParameter(context, store.facts.detectors);
      return context.json(await readSchemas(store, textParameter(context, 'site'), detector));
    })
    .get('/groups', async (context) =>
      context.json(await readGroups(withTable('groups'), textParameter(context, 'site'))),
    )
    .get('/fragments', async (context) => {
      const relation = wordParameter(context, 'relation', ['complete', 'structural']);
      const { site = '', find = '' } = context.req.query();
      return context.json(await readFragments(withTable('fragment_classes'), { relation, site, find }));
    })
    .get('/history', async (context) =>
      context.json(await readSiteHistory(withTable('pages'), context.req.query('site') ?? '')),
    )
    .get('/changes', async (context) => {
      const kind = wordParameter(context, 'class', CLASSES);
      const { site = '', find = '' } = context.req.query();
      return context.json(await readChangeList(withTable('changes'), { site, kind, find }));
    });
}
