/** `/api/templates`: the templates of a site, and one template. */
import { Hono } from 'hono';
import { readTemplate, readTemplateList } from '../../store/explore/template-rows.ts';
import type { Explored } from '../explored.ts';
import { detectorParameter, textParameter } from './parameters.ts';

/** Returns the routes of `/api/templates`. */
export function templateRoutes(explored: Explored): Hono {
  return new Hono()
    .get('/', async (context) => {
      const detector = detectorParameter(context, explored.store.facts.detectors);
      return context.json(await readTemplateList(explored.store, textParameter(context, 'site'), detector));
    })
    .get('/one', async (context) => {
      const key = {
        site: textParameter(context, 'site'),
        detector: detectorParameter(context, explored.store.facts.detectors),
        id: textParameter(context, 'id'),
      };
      const facts = await readTemplate(explored.store, key);
      return facts
        ? context.json(facts)
        : context.json({ error: `${key.site} has no template ${key.id} by ${key.detector}` }, 404);
    });
}
