/**
 * Options of reading. They are checked once, at the call; the readers take the checked form with all
 * defaults.
 */
import { checkChoice, checkNames, checkNumber, withoutUndefined } from '../model/check-option.ts';
import { DEFAULT_LIMITS, type Limits } from '../model/limits.ts';
import type { Capture } from '../model/page.ts';
import { parseSiteRule, type SiteRule } from '../model/site.ts';
import type { InflateMemory } from './inflate-stream.ts';

/** Options of every function that reads pages. */
export interface ReadOptions {
  /** Bounds on the cost of one page; limits not given keep their default. */
  limits?: Partial<Limits>;
  /** How pages are grouped into sites. @default 'host' */
  site?: SiteRule;
  /** Read only URLs that match one of these; an empty list accepts every URL. @default [] */
  include?: RegExp[];
  /** Skip URLs that match one of these, also if included. @default [] */
  exclude?: RegExp[];
  /** The HTTP statuses that make pages: those of success, or all. @default '2xx' */
  statuses?: Statuses;
  /**
   * The pages to read of a WACZ: all, or only those that its `pages/pages.jsonl` and `extraPages.jsonl` list.
   * @default 'all'
   */
  waczPages?: WaczPages;
  /** Compute the payload digest if the archive states none, and check a stated one. @default false */
  digests?: boolean;
  /** Keep the body as it was served with pages whose `source` differs from it. @default false */
  bodies?: boolean;
  /** Identity of the page that is read: the capture of a revisit whose body lies in another record. */
  as?: Capture;
  /**
   * Memory for inflating records: a page read with it is valid until the next one is read. @default memory of
   * its own
   */
  memory?: InflateMemory;
}

/** Read options with all defaults filled in. */
export interface CheckedReadOptions extends ReadOptions {
  limits: Limits;
  site: SiteRule;
  include: RegExp[];
  exclude: RegExp[];
  statuses: Statuses;
  waczPages: WaczPages;
  digests: boolean;
  bodies: boolean;
}

/** Values of the option `statuses`. */
export const STATUSES = ['2xx', 'all'] as const;
/** One of STATUSES. */
export type Statuses = (typeof STATUSES)[number];

/** Returns the value if it is one of STATUSES; throws a RangeError otherwise. */
export function checkStatuses(statuses: Statuses): Statuses {
  return checkChoice('statuses', statuses, STATUSES);
}

/** Values of the option `waczPages`. */
export const WACZ_PAGES = ['all', 'listed'] as const;
/** One of WACZ_PAGES. */
export type WaczPages = (typeof WACZ_PAGES)[number];

/** Returns the value if it is one of WACZ_PAGES; throws a RangeError otherwise. */
export function checkWaczPages(waczPages: WaczPages): WaczPages {
  return checkChoice('waczPages', waczPages, WACZ_PAGES);
}

const checkedOptions = new WeakSet<object>();

/**
 * Returns the options with defaults filled in; throws a RangeError or TypeError that names a wrong option.
 */
export function checkReadOptions(options: ReadOptions = {}): CheckedReadOptions {
  if (checkedOptions.has(options)) return options as CheckedReadOptions;
  const {
    limits = {},
    site = 'host',
    include = [],
    exclude = [],
    statuses = '2xx',
    waczPages = 'all',
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
    waczPages: checkWaczPages(waczPages),
    digests,
    bodies,
    as,
    memory,
  };
  checkedOptions.add(checked);
  return checked;
}

function checkLimits(limits: Partial<Limits>): Limits {
  checkNames(limits, Object.keys(DEFAULT_LIMITS), 'limits');
  const given = withoutUndefined(limits);
  for (const [name, value] of Object.entries(given))
    checkNumber(`limits.${name}`, value, { min: 1, max: Infinity });
  return { ...DEFAULT_LIMITS, ...given };
}

function checkPatterns(name: string, patterns: RegExp[]): RegExp[] {
  if (!Array.isArray(patterns) || !patterns.every((pattern) => pattern instanceof RegExp)) {
    throw new TypeError(`${name} must be a list of RegExps, not ${JSON.stringify(patterns)}`);
  }
  // without the flags `g` and `y`, with which a pattern stores its last position and would match a URL only
  // every second time
  return patterns.map((pattern) => new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')));
}
