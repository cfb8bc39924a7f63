/** The API of the explorer: one module of routes for each view, below `/api/`. */
import { Hono } from 'hono';
import { version } from '../../model/version.ts';
import { AskError } from '../../store/explore/ask-folder.ts';
import { type Explored, NotReady } from '../explored.ts';
import { ArchiveError } from '../folder-archive.ts';
import type { PageDesk } from '../page-desk.ts';
import { NoSuchPage } from '../page-views.ts';
import { askRoutes } from './ask-routes.ts';
import { folderRoutes } from './folder-routes.ts';
import { labelRoutes } from './label-routes.ts';
import { listRoutes } from './list-routes.ts';
import { mapRoutes } from './map-routes.ts';
import { pageRoutes } from './page-routes.ts';
import { pagesRoutes } from './pages-routes.ts';
import { BadParameter, checkParameters, NotInFolder } from './parameters.ts';
import { sitesRoutes } from './sites-routes.ts';
import { templateRoutes } from './template-routes.ts';

/** Returns all routes below `/api`, with errors as JSON. */
export function apiRoutes(explored: Explored, desk: PageDesk): Hono {
  const api = new Hono();
  api.use(checkParameters);
  api.route('/folder', folderRoutes(explored));
  api.route('/sites', sitesRoutes(explored));
  api.route('/page', pageRoutes(desk));
  api.route('/labels', labelRoutes(desk));
  api.route('/map', mapRoutes(explored));
  api.route('/pages', pagesRoutes(explored));
  api.route('/templates', templateRoutes(explored));
  api.route('/', listRoutes(explored));
  api.route('/ask', askRoutes(explored));
  api.all('*', (context) => context.json({ error: 'there is no such question' }, 404));
  api.onError((error, context) => {
    if (error instanceof BadParameter || error instanceof AskError)
      return context.json({ error: error.message }, 400);
    if (error instanceof NotInFolder) return context.json({ error: error.message }, 404);
    if (error instanceof NotReady) return context.json({ error: error.message }, 503);
    if (error instanceof ArchiveError) return context.json({ error: error.message }, 404);
    if (error instanceof NoSuchPage) return context.json({ error: error.message }, 404);
    if (error instanceof RangeError) return context.json({ error: error.message }, 400);
    // a column or table that an older version did not write
    if (/^(?:Binder|Catalog) Error/.test(error.message)) {
      const made = explored.store.run.version;
      const advice =
        made === version
          ? ''
          : ` The folder is from Chaff ${made}, and this is ${version}: run the report again.`;
      return context.json(
        { error: `the folder lacks a table that this view needs.${advice} ${error.message.split('\n')[0]}` },
        404,
      );
    }
    return context.json({ error: error.message }, 500);
  });
  return api;
}
