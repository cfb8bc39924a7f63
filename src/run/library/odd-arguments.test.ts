import { expect, test } from 'vitest';
import { extract } from './extract.ts';
import { Site, site } from './growing-site.ts';
import { judgePage, judgePages } from './judge-pages.ts';
import { label, strip } from './label-pages.ts';
import { learn, SiteModels } from './learn-pages.ts';
import { openArchive } from './open-archive.ts';
import { openPages } from './open-pages.ts';

const HTML = '<p>one two three</p>';
const PAGES = [{ url: 'https://a.example/', html: HTML }];

type Call = (...given: never[]) => unknown;

async function drain(rows: unknown): Promise<void> {
  for await (const _ of rows as AsyncIterable<unknown>);
}

/** Calls with one argument left open. */
const CALLS = {
  extract: (options) => extract(HTML, options),
  judgePage: (options) => judgePage(HTML, options),
  judgePages: (options) => drain(judgePages(PAGES, options)),
  learn: (options) => learn(PAGES, options),
  label: (options) => drain(label(PAGES, new SiteModels([]), options)),
  strip: (options) => drain(strip(PAGES, new SiteModels([]), options)),
  site: (options) => site(options),
  load: (options) => Site.load(site().save(), options),
  openArchive: (options) => drain(openArchive('missing.warc', options)),
  openPages: (options) => drain(openPages(['missing.html'], options)),
} satisfies Record<string, Call>;

const FUNCTIONS = [5, 'x', null, {}];
const OBJECTS = [5, 'x', null, [], true];
const FLAGS = ['yes', 1, null, {}];
const NUMBERS = ['5', null, {}, [], Number.NaN, -1e10, 10n ** 30n, Symbol('s')];
const WORDS = [5, null, {}, '', 'toString', Symbol('s')];
const SIGNALS = [5, 'x', null, {}, new AbortController()];
const LIMITS = [
  ...OBJECTS,
  { pages: 3 },
  { pageBytes: '9' },
  { depth: 0 },
  { nodes: null },
  { pageMs: Symbol('s') },
];
const LISTS = [5, 'x', null, {}, [5], [null]];
const ROLES = [
  ...OBJECTS,
  { except: [] },
  { with: 'title' },
  { without: ['nobody'] },
  { only: [5] },
  { with: null },
];
const MODELS = [...OBJECTS, {}, { names: [], first: {}, second: {}, card: {} }, { classes: [], lexicon: {} }];
const PAGE_OPTIONS = {
  model: MODELS,
  threshold: NUMBERS,
  unsureBand: NUMBERS,
  smoothing: WORDS,
  levels: NUMBERS,
};
const JOINT = { model: MODELS, dial: NUMBERS, mode: WORDS, roles: ROLES };
const EACH = { limits: LIMITS, signal: SIGNALS, onProblem: FUNCTIONS };
const DETECTOR_OPTIONS = [...OBJECTS, { none: 5 }, { joint: null }, { joint: { dial: 9 } }, { nobody: {} }];
const FLOORS = [...OBJECTS, { minPages: 3 }, { minSitePages: 'x' }, { fallback: null }, { page: 5 }];
const LABELLING = { ...EACH, detectorOptions: DETECTOR_OPTIONS, floors: FLOORS, explain: FLAGS };
const READING = { ...EACH, site: WORDS, include: LISTS, exclude: LISTS, statuses: WORDS, waczPages: WORDS };
const ARCHIVE = { ...READING, digests: FLAGS, bodies: FLAGS, remote: OBJECTS, stdin: [5, 'x', null, {}] };

/** For each call and option, values that it must refuse. */
const ODD: Record<keyof typeof CALLS, Record<string, readonly unknown[]>> = {
  extract: { url: [5, null, {}, [], 'page.html', Symbol('s'), true], limits: LIMITS, ...JOINT },
  judgePage: { url: [5, null, {}, 'page.html'], limits: LIMITS, ...PAGE_OPTIONS },
  judgePages: { ...EACH, ...PAGE_OPTIONS, layout: OBJECTS },
  learn: {
    ...EACH,
    detector: WORDS,
    detectorOptions: DETECTOR_OPTIONS,
    sample: NUMBERS,
    seed: NUMBERS,
    site: WORDS,
  },
  label: LABELLING,
  strip: { ...LABELLING, markdown: FLAGS },
  site: { sample: NUMBERS, seed: NUMBERS, site: WORDS, limits: LIMITS, onProblem: FUNCTIONS, ...JOINT },
  load: { limits: LIMITS, onProblem: FUNCTIONS, ...JOINT },
  openArchive: ARCHIVE,
  openPages: { ...ARCHIVE, url: [5, null, {}], timeoutMs: NUMBERS, maxRedirects: NUMBERS, pauseMs: NUMBERS },
};

/** What an engine says of a value that nobody has checked. */
const BARE = /Cannot |is not a function|is not iterable|is not an object|undefined \(|reading '|#\w+|Proxy/;

async function messageOf(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return error.message;
    return `not a mistake of the caller: ${error}`;
  }
  return 'no error';
}

function isSentence(message: string, names: readonly string[]): boolean {
  const isNamed = names.some((name) => message.toLowerCase().includes(name.toLowerCase()));
  return isNamed && !BARE.test(message) && message.length < 400 && !message.includes('\n');
}

test.each(Object.keys(CALLS) as (keyof typeof CALLS)[])(
  '%s says in one sentence what is wrong with its options',
  async (name) => {
    const call = CALLS[name] as (options: unknown) => unknown;
    const bad: string[] = [];
    const check = async (options: unknown, names: readonly string[], what: string) => {
      const message = await messageOf(() => call(options));
      if (!isSentence(message, names)) bad.push(`${what}: ${message}`);
    };
    for (const options of [null, 5, 'text', [], true]) await check(options, ['options'], String(options));
    await check({ optoin: 1 }, ['"optoin"'], 'optoin');
    for (const [option, values] of Object.entries(ODD[name])) {
      for (const value of values) {
        const inner = Object.entries(Object(value)).flatMap(([key, own]) => [
          key,
          ...Object.keys(Object(own)),
        ]);
        await check({ [option]: value }, [option, ...inner], `${option} ${shown(value)}`);
      }
    }
    expect(bad).toEqual([]);
  },
);

const ARGUMENTS: [string, (value: never) => unknown, string, unknown[]][] = [
  ['extract', (html) => extract(html), 'html', [undefined, null, 5, {}, [], new Response(HTML)]],
  ['judgePage', (html) => judgePage(html), 'html', [undefined, null, 5, {}, []]],
  [
    'judgePages',
    (pages) => drain(judgePages(pages)),
    'page',
    [undefined, null, 5, 'x', {}, [5], [{ url: 5 }]],
  ],
  ['learn', (pages) => learn(pages), 'page', [undefined, null, 5, 'x', {}, [null], [{ url: 'x' }]]],
  ['label', (pages) => drain(label(pages, new SiteModels([]))), 'page', [undefined, null, 5, {}, ['x']]],
  ['models', (models) => drain(strip(PAGES, models)), 'models', [undefined, null, {}, [], 5]],
  ['SiteModels', (models) => new SiteModels(models), 'models', [null, 5, {}, [5], [{}]]],
  ['decode', (bytes) => SiteModels.decode(bytes), 'bytes', [undefined, null, 5, 'x', {}]],
  ['load', (bytes) => Site.load(bytes), 'bytes', [undefined, null, 5, 'x', {}]],
  ['add', (page) => site().add(page), 'page', [undefined, null, 5, 'x', {}, { url: 'x' }]],
  ['site.strip', (page) => site().strip(page), 'page', [undefined, null, 5, 'x', {}]],
  ['merge', (other) => site().merge(other), 'site', [undefined, null, 5, {}]],
  ['openArchive', (names) => drain(openArchive(names)), 'names', [undefined, null, 5, {}, [5], [null]]],
  ['openPages', (names) => drain(openPages(names)), 'names', [undefined, null, 5, {}, 'x', [5]]],
];

test.each(ARGUMENTS)(
  '%s says in one sentence what is wrong with its argument',
  async (_, call, name, values) => {
    const bad: string[] = [];
    for (const value of values) {
      const message = await messageOf(() => call(value as never));
      if (!isSentence(message, [name])) bad.push(`${shown(value)}: ${message}`);
    }
    expect(bad).toEqual([]);
  },
);

function shown(value: unknown): string {
  return typeof value === 'object' && value !== null && !(value instanceof AbortController)
    ? JSON.stringify(value)
    : String(value);
}

test('options that are undefined have their default', async () => {
  for (const [name, call] of Object.entries(CALLS)) {
    if (name.startsWith('open')) continue;
    const options = Object.fromEntries(
      Object.keys(ODD[name as 'extract']).map((option) => [option, undefined]),
    );
    expect(await messageOf(() => (call as (options: unknown) => unknown)(options)), name).toBe('no error');
  }
});
