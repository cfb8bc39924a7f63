/**
 * Well-formed markup made sloppy, the way hand-written pages are: capital tags, attributes without quotes,
 * end tags left out where a browser does not need them, html, head and body not written at all. Every
 * change depends only on the markup itself and the site's habits, so a template stays the same on all
 * its pages.
 */
import { Random } from './random.ts';

export interface SoupHabits {
  capitals: boolean;
  unquoted: boolean;
  /** Names of end tags that are left out. */
  unclosed: Set<string>;
  /** Whether html, head and body tags are left out. */
  bare: boolean;
}

export function soupHabits(key: number): SoupHabits {
  const random = new Random(key);
  const optional = ['li', 'p', 'td', 'tr', 'th', 'dd'];
  return {
    capitals: random.chance(0.6),
    unquoted: random.chance(0.8),
    unclosed: new Set(random.sample(optional, random.between(3, 6))),
    bare: random.chance(0.6),
  };
}

export function makeSoup(markup: string, { capitals, unquoted, unclosed, bare }: SoupHabits): string {
  return markup.replace(
    /<(script|style)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->|<(\/?)([a-z][a-z0-9]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/g,
    (whole, raw: string | undefined, slash: string, name: string, attributes: string) => {
      if (raw !== undefined || name === undefined) return whole;
      if (slash === '/' && unclosed.has(name)) return '';
      if (bare && (name === 'html' || name === 'head' || name === 'body')) return '';
      const plain = unquoted ? attributes.replace(/="([A-Za-z0-9#%._-]+)"/g, '=$1') : attributes;
      return `<${slash}${capitals ? name.toUpperCase() : name}${plain}>`;
    },
  );
}
