/**
 * `/frame/TOKEN/…`: documents for sandboxed frames, and their resources. A framed document has no origin, so the
 * browser sends neither the cookie nor a usable Origin with its requests; their path has a token of its own, which
 * is valid for these routes only. Host is checked as everywhere.
 *
 * Four things keep an archived page from running or reaching anything: the document is rewritten without scripts
 * (render-frame.ts); its policy allows styles, images and fonts below this path only; the policy and the `<iframe>`
 * sandbox it without scripts, forms, popups and origin; and resources are styles, images and fonts of the archive,
 * never documents.
 */
import { type Context, Hono } from 'hono';
import { NotReady } from '../explored.ts';
import { ArchiveError } from '../folder-archive.ts';
import { isHostOf, isToken } from '../guard.ts';
import type { PageDesk } from '../page-desk.ts';
import { missingFrame, NoSuchPage } from '../page-views.ts';
import { type FramePlace, LONGEST_ADDRESS } from './frame-addresses.ts';
import { type ArchivedStyle, readFrameResource } from './frame-resources.ts';

const SESSION = /^[a-z0-9]{8,40}$/;

/** Returns the routes of frames. */
export function frameRoutes(desk: PageDesk, { port }: { port: () => number }): Hono {
  const app = new Hono();
  app.use('/:token/*', async (context, next) => {
    const { req } = context;
    const isAllowed =
      (req.method === 'GET' || req.method === 'HEAD') &&
      isHostOf(req.header('host') ?? '', port()) &&
      isToken(req.param('token'), desk.frameToken);
    if (!isAllowed) return context.text('This address is not for you.', 403, HEADERS);
    await next();
  });
  app.get('/:token/page/:page/:detector/:session', (context) =>
    document(context, (place) => desk.pages.frame(context.req.param('detector'), place)),
  );
  app.get('/:token/label/:page/:annotator/:session', (context) =>
    document(context, (place) => desk.labelling.frame(context.req.param('annotator'), place)),
  );
  app.get('/:token/resource/:page/:kind/:address', async (context) => {
    const { kind, address } = context.req.param();
    const url = Buffer.from(address, 'base64url').toString('utf8');
    if ((kind !== 'style' && kind !== 'image') || url.length > LONGEST_ADDRESS)
      return context.body(null, 404, HEADERS);
    const { pages } = desk;
    const place = placeOf(context);
    const { time } = await pages.row(place.page);
    const rewrite = ({ body, ...style }: ArchivedStyle) =>
      pages.threads.run('style', [], { ...style, body: Uint8Array.from(body), place });
    const found = await readFrameResource(await pages.archive.resources(), url, { time, kind, rewrite });
    if (!found) {
      const type = kind === 'style' ? 'text/css' : 'image/png';
      return context.body(null, 404, { ...HEADERS, 'Content-Type': type });
    }
    return context.body(new Uint8Array(found.body), 200, {
      ...HEADERS,
      'Content-Type': found.contentType,
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'Cache-Control': 'private, max-age=3600',
      'Access-Control-Allow-Origin': '*',
    });
  });
  app.get('/:token/pick/:session/:number', (context) => {
    const { session, number } = context.req.param();
    if (SESSION.test(session) && /^\d{1,9}$/.test(number)) desk.picks.add(session, Number(number));
    // status 204: the frame keeps its document
    return context.body(null, 204, HEADERS);
  });
  app.notFound((context) => context.body(null, 404, HEADERS));
  app.onError((error, context) => {
    const status =
      error instanceof NotReady
        ? 503
        : error instanceof RangeError
          ? 400
          : error instanceof NoSuchPage
            ? 404
            : 500;
    return context.html(missingFrame(error.message), status, {
      ...HEADERS,
      'Content-Security-Policy': policyOf(context),
    });
  });
  return app;

  async function document(
    context: Context,
    render: (place: FramePlace) => Promise<string>,
  ): Promise<Response> {
    const place = placeOf(context);
    if (!SESSION.test(place.session)) return context.body(null, 404, HEADERS);
    const headers = { ...HEADERS, 'Content-Security-Policy': policyOf(context) };
    try {
      return context.html(await render(place), 200, headers);
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      return context.html(missingFrame(error.message), 200, headers);
    }
  }

  function placeOf(context: Context): FramePlace {
    return { token: desk.frameToken, page: pageOf(context), session: context.req.param('session') ?? '' };
  }

  function policyOf(context: Context): string {
    const origin = `http://${context.req.header('host')}`;
    const archive = `${origin}/frame/${desk.frameToken}/resource/`;
    return [
      "default-src 'none'",
      `style-src 'unsafe-inline' ${archive}`,
      `img-src data: ${archive}`,
      `font-src data: ${archive}`,
      "form-action 'none'",
      "base-uri 'none'",
      `frame-ancestors ${origin}`,
      'sandbox',
    ].join('; ');
  }
}

const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-DNS-Prefetch-Control': 'off',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
};

function pageOf(context: Context): number {
  const text = context.req.param('page') ?? '';
  if (!/^\d{1,10}$/.test(text)) throw new RangeError('page must be a whole number');
  return Number(text);
}
