/** Site keys: pages whose URLs have the same key are compared with each other. */

import { getDomain, getHostname } from 'tldts';
import { shown } from './check-option.ts';

/**
 * How the site key is made. `host`: the host without `www.`; `domain`: the registrable domain; `path:N`: the
 * host and the first N path segments, for `/~user/` and subfolder sites; `layout`: the host, with its pages
 * split into layout groups (`host#1`, `host#2` …) once all of them are known; `layout:0.7`: the same with
 * another similarity threshold.
 */
export type SiteRule = 'host' | 'domain' | `path:${number}` | 'layout' | `layout:${number}`;

/** Reads a rule as a user writes it; throws a RangeError that lists the accepted rules. */
export function parseSiteRule(text: string): SiteRule {
  if (text === 'host' || text === 'domain') return text;
  const depth = /^path:([1-9]\d?)$/.exec(String(text));
  if (depth) return `path:${Number(depth[1])}`;
  const layout = /^layout(:0\.\d{1,4})?$/.exec(String(text));
  if (layout && (layout[1] === undefined || Number(layout[1].slice(1)) > 0)) return text as SiteRule;
  throw new RangeError(
    `site rule must be host, domain, path:N (N from 1 to 99), layout or layout:T (T between 0 and 1), not ${shown(text)}`,
  );
}

/** Returns the threshold that a layout rule names, `{}` if it names none, and undefined for other rules. */
export function readLayoutRule(rule: SiteRule): { threshold?: number } | undefined {
  if (rule === 'layout') return {};
  return rule.startsWith('layout:') ? { threshold: Number(rule.slice('layout:'.length)) } : undefined;
}

/**
 * Returns the site key of a URL; empty if the URL has no host. For a layout rule the key is the host, not yet
 * split.
 */
export function siteOf(url: string, rule: SiteRule = 'host'): string {
  const host = hostOf(url);
  if (rule === 'host' || host === '' || readLayoutRule(rule)) return host;
  if (rule === 'domain') return getDomain(url, { allowPrivateDomains: true }) ?? host;
  const depth = Number(rule.slice('path:'.length));
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? '';
  // the last segment is the name of the page, unless the path ends in a slash
  const folders = path.split('/').slice(1, -1);
  return [host, ...folders.slice(0, depth)].join('/');
}

function hostOf(url: string): string {
  // nearly all archived URLs are plain http(s) with a lower-case host, so a full parse is rarely needed
  const plain = /^https?:\/\/([a-z0-9.-]+)(?::(?:80|443))?(?:[/?#]|$)/.exec(url);
  const host = plain ? plain[1] : (getHostname(url) ?? '');
  // `www.com` is a host of its own: `www.` is dropped only before a name with a dot
  return host.startsWith('www.') && host.includes('.', 4) ? host.slice(4) : host;
}
