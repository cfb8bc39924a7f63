/**
 * Restricts the explorer to a browser on this machine that has the token. Every request must name this server in
 * its Host header (a foreign name that resolves to 127.0.0.1 is refused), must not come from another origin, and
 * must carry the token: first in the URL that the command prints, then in a cookie that scripts cannot read.
 *
 * Every answer forbids inline scripts, foreign resources, framing and caching, unless the route sets a header
 * itself.
 */
import { timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

/** Content security policy of answers that set none. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS: Record<string, string> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
};

/**
 * Returns the middleware that refuses requests without the token or to another port, and sets security headers. The
 * port is known once the server listens.
 */
export function guard({ token, port }: { token: string; port: () => number }): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    const host = req.header('host') ?? '';
    const reading = req.method === 'GET' || req.method === 'HEAD';
    const origin = req.header('origin');
    let refusal: string | undefined;
    if (!isHostOf(host, port())) {
      refusal = 'This server answers to 127.0.0.1 and localhost only.';
    } else if (origin === undefined ? !reading : origin !== `http://${host}`) {
      refusal = 'Requests from other origins are refused.';
    } else {
      const given = req.query('token');
      // cookies are shared by all ports of a host, so the name of the cookie has the port
      const name = `chaff-explore-${port()}`;
      if (given !== undefined && reading && isToken(given, token)) {
        setCookie(context, name, token, { httpOnly: true, sameSite: 'Strict', path: '/' });
      } else if (!isToken(getCookie(context, name) ?? '', token)) {
        refusal = 'The token is missing. Open the URL that chaff explore has printed.';
      }
    }
    if (refusal !== undefined) context.res = context.text(refusal, 403);
    else await next();
    for (const [name, value] of Object.entries(HEADERS)) {
      if (!context.res.headers.has(name)) context.res.headers.set(name, value);
    }
  };
}

/** Compares a given token with the right one in constant time. */
export function isToken(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** True when a Host header names this server. */
export function isHostOf(host: string, port: number): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`;
}
