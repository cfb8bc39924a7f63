/** Which redirects are followed, from the strictest rule to the mildest. */
import { getDomain } from 'tldts';

/**
 * `same-host`: to any port of the same host; `same-site`: to hosts under the same registrable domain, `www.` for one.
 * Both follow from http to https, and not back, which only `any` does.
 */
export const REDIRECT_RULES = ['none', 'same-host', 'same-site', 'any'] as const;
export type RedirectRule = (typeof REDIRECT_RULES)[number];

/** The strictest rule that follows a redirect. */
export function ruleFollowing(from: URL, to: URL): RedirectRule {
  if (from.protocol === 'https:' && to.protocol !== 'https:') return 'any';
  if (from.hostname === to.hostname) return 'same-host';
  const site = siteOfHost(from.hostname);
  return site !== null && site === siteOfHost(to.hostname) ? 'same-site' : 'any';
}

export function isFollowed(from: URL, to: URL, rule: RedirectRule): boolean {
  return REDIRECT_RULES.indexOf(ruleFollowing(from, to)) <= REDIRECT_RULES.indexOf(rule);
}

/** Null for addresses and for names such as localhost. */
function siteOfHost(hostname: string): string | null {
  return getDomain(hostname, { allowPrivateDomains: true });
}
