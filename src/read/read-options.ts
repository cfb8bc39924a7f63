/**
 * What a caller may ask of the reader. Checked once at the door: the readers themselves take the checked
 * form, which has every default filled in.
 */
import { checkChoice } from '../model/check-option.ts';
import { DEFAULT_LIMITS, type Limits } from '../model/limits.ts';
import type { Capture } from '../model/page.ts';
import { parseSiteRule, type SiteRule } from '../model/site.ts';
import type { InflateMemory } from './inflate-stream.ts';

export interface ReadOptions {
  /** Bounds on what one page may cost; unnamed ones keep their default. */
  limits?: Partial<Limits>;
  /** Which pages make a site. @default 'host' */
  site?: SiteRule;
  /** Only URLs that match one of these are read; an empty list lets all through. @default [] */
  include?: RegExp[];
  /** URLs that match one of these are skipped, also when included. @default [] */
  exclude?: RegExp[];
  /** Whose status codes make pages: those of success, or all. @default '2xx' */
  statuses?: Statuses;
  /** Compute the payload digest where the archive states none, and check the one it states. @default false */
  digests?: boolean;
  /** Keep the body as it was served with pages whose `source` differs from it. @default false */
  bodies?: boolean;
  /** Identity for the page that is read: a revisit's capture, whose body lies in another record. */
  as?: Capture;
  /** Where records are inflated: a page read with it holds until the next one is. @default memory of its own */
  memory?: InflateMemory;
}

export interface CheckedReadOptions extends ReadOptions {
  limits: Limits;
  site: SiteRule;
  include: RegExp[];
  exclude: RegExp[];
  statuses: Statuses;
  digests: boolean;
  bodies: boolean;
}

export const STATUSES = ['2xx', 'all'] as const;
export type Statuses = (typeof STATUSES)[number];

export function checkStatuses(statuses: Statuses): Statuses {
  return checkChoice('statuses', statuses, STATUSES);
}

const checkedOptions = new WeakSet<object>();

/** The options with defaults filled in; throws a RangeError or TypeError that names what is wrong. */
export function checkReadOptions(options: ReadOptions = {}): CheckedReadOptions {
  if (checkedOptions.has(options)) return options as CheckedReadOptions;
  const {
    limits = {},
    site = 'host',
    include = [],
    exclude = [],
    statuses = '2xx',
    digests = false,
    bodies = false,
    as,
    memory,
  } = options;
  const checked: CheckedReadOptions = {
    limits: checkLimits(limits),
    site: parseSiteRule(site),
    include: checkPatterns('include', include),
    exclude: checkPatterns('exclude', exclude),
    statuses: checkStatuses(statuses),
    digests,
    bodies,
    as,
    memory,
  };
  checkedOptions.add(checked);
  return checked;
}

function checkLimits(limits: Partial<Limits>): Limits {
  const checked: Limits = { ...DEFAULT_LIMITS };
  for (const [name, value] of Object.entries(limits)) {
    if (!(name in DEFAULT_LIMITS)) {
      throw new RangeError(`limit must be one of ${Object.keys(DEFAULT_LIMITS).join(', ')}, not "${name}"`);
    }
    if (value === undefined) continue;
    if (typeof value !== 'number' || !(value >= 1)) {
      throw new RangeError(`limit ${name} must be a number from 1, not ${value}`);
    }
    checked[name as keyof Limits] = value;
  }
  return checked;
}

function checkPatterns(name: string, patterns: RegExp[]): RegExp[] {
  for (const pattern of patterns) {
    if (!(pattern instanceof RegExp))
      throw new TypeError(`${name} must hold RegExps, not ${String(pattern)}`);
  }
  // a global or sticky pattern remembers where it stopped: the same URL would pass only every second time
  return patterns.map((pattern) => new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')));
}
