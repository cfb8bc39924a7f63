/** `/api/page`: one page with the ranges of each detector, its text, its captures, and the address of its frames. */
import { Hono } from 'hono';
import { comparePages } from '../compare-pages.ts';
import type { PageDesk } from '../page-desk.ts';
import { numberParameter, textParameter } from './parameters.ts';

const PAGE = { most: 0xffffffff };
/** Milliseconds that a request waits for a click in a frame. */
const PICK_WAIT_MS = 20_000;

/** Returns the routes of `/api/page`. */
export function pageRoutes(desk: PageDesk): Hono {
  return new Hono()
    .get('/', async (context) =>
      context.json(await desk.pages.describe(numberParameter(context, 'page', PAGE))),
    )
    .get('/text', async (context) => {
      const page = numberParameter(context, 'page', PAGE);
      return context.json(await desk.pages.text(page, textParameter(context, 'detector')));
    })
    .get('/changes', async (context) => {
      const older = numberParameter(context, 'older', PAGE);
      const newer = numberParameter(context, 'newer', PAGE);
      return context.json(await comparePages(desk.pages, older, newer));
    })
    .get('/frames', (context) => context.json({ base: `/frame/${desk.frameToken}` }))
    .get('/picks', async (context) => {
      const session = textParameter(context, 'session');
      const number = await desk.picks.next(session, {
        waitMs: PICK_WAIT_MS,
        signal: context.req.raw.signal,
      });
      return context.json({ number: number ?? null });
    });
}
