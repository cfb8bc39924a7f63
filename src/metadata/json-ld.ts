/**
 * Reads the JSON-LD of a page and finds the object that describes the page itself, among those for its site, its
 * breadcrumbs, other articles and comments. Scripts may be huge, deep or broken: bytes, objects and depth are bounded,
 * and a script that is not JSON is repaired once (line ends inside strings, comments around it) or left out.
 */

/** Facts about a page from its JSON-LD; a field is absent if no object has it. */
export interface JsonLdFacts {
  /** Types of the object that describes the page. */
  types?: string[];
  headline?: string;
  authors?: string[];
  published?: string;
  modified?: string;
  /** When the video that the page shows was uploaded. */
  uploaded?: string;
  description?: string;
  image?: string;
  licence?: string;
  language?: string;
  /** Name of the publisher, and of the site if an object describes it. */
  publisher?: string;
  siteName?: string;
  /** Types of all objects. */
  allTypes?: Set<string>;
}

type Json = Record<string, unknown>;

/** Bounds for one page: bytes of all scripts, objects, levels of nesting, and characters of a value. */
const MAX_BYTES = 1 << 18;
const MAX_OBJECTS = 3000;
const MAX_DEPTH = 8;
const MAX_TEXT = 4000;

/** Types that describe the page, strongest evidence first; rank 3 is the page itself, whatever it shows. */
const RANKS: [pattern: RegExp, rank: number][] = [
  [/(?:Article|BlogPosting|Report|Review|Recipe)$/, 6],
  [/^(?:DiscussionForumPosting|QAPage|Question|SocialMediaPosting|LiveBlogPosting)$/, 6],
  [
    /^(?:Product|Book|Movie|VideoObject|Event|JobPosting|SoftwareApplication|Course|Dataset|PodcastEpisode)$/,
    5,
  ],
  [/^(?:CreativeWork|HowTo|FAQPage|MediaObject)$/, 4],
  [/^(?:WebPage|ItemPage|AboutPage|ContactPage|CollectionPage|ProfilePage|SearchResultsPage)$/, 3],
];

const decoder = new TextDecoder();

/** Collects the objects of a page's JSON-LD scripts and extracts the facts about the page. */
export class JsonLdReader {
  readonly #objects: { object: Json; types: string[]; depth: number }[] = [];
  readonly #byId = new Map<string, Json>();
  #bytes = 0;
  #count = 0;

  /** Adds a script. */
  add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_BYTES) return;
    const value = parseJson(decoder.decode(bytes));
    if (value !== undefined) this.#collect(value, 0);
  }

  /** Returns the facts; call it after the last script. */
  finish(): JsonLdFacts {
    if (this.#objects.length === 0) return {};
    const facts: JsonLdFacts = { allTypes: new Set(this.#objects.flatMap(({ types }) => types)) };
    const ranked = this.#objects
      .map(({ object, types, depth }, order) => ({ object, types, rank: rankOf(types), depth, order }))
      .filter(({ rank }) => rank > 0)
      .sort((a, b) => a.depth - b.depth || b.rank - a.rank || a.order - b.order);
    // the outermost object of the highest rank
    const best = ranked.reduce<(typeof ranked)[number] | undefined>(
      (most, one) => (!most || one.rank > most.rank ? one : most),
      undefined,
    );
    if (best) this.#describe(best.object, best.types, facts);
    // the page's own object often has fields that the article lacks
    for (const { object, types } of ranked) {
      if (rankOf(types) === 3) this.#fill(object, facts);
    }
    const site = this.#objects.find(({ types }) => types.includes('WebSite'));
    if (site) facts.siteName = textOf(site.object.name);
    return facts;
  }

  /** Takes the facts from the object that describes the page. */
  #describe(object: Json, types: string[], facts: JsonLdFacts): void {
    facts.types = types;
    facts.headline = textOf(object.headline) ?? textOf(object.name);
    const authors = this.#names(object.author ?? object.creator, 0);
    if (authors.length > 0) facts.authors = authors;
    this.#fill(object, facts);
  }

  /** Takes facts that are still missing. */
  #fill(object: Json, facts: JsonLdFacts): void {
    facts.published ??= textOf(object.datePublished) ?? textOf(object.dateCreated);
    facts.uploaded ??= textOf(object.uploadDate);
    facts.modified ??= textOf(object.dateModified);
    facts.description ??= textOf(object.description);
    facts.image ??= this.#address(object.image) ?? this.#address(object.thumbnailUrl);
    facts.licence ??= this.#address(object.license);
    facts.language ??= textOf(object.inLanguage);
    facts.publisher ??= this.#names(object.publisher, 0)[0];
  }

  /** Names of people or organisations: texts, objects, lists of them, or references to objects elsewhere. */
  #names(value: unknown, depth: number): string[] {
    if (typeof value === 'string') return value.trim() === '' ? [] : [value.slice(0, MAX_TEXT).trim()];
    if (depth > 3 || typeof value !== 'object' || value === null) return [];
    if (Array.isArray(value)) return value.slice(0, 20).flatMap((one) => this.#names(one, depth + 1));
    const object = value as Json;
    const { name, givenName, familyName } = object;
    if (typeof givenName === 'string' && typeof familyName === 'string')
      return this.#names(`${givenName} ${familyName}`, depth + 1);
    if (name !== undefined) return this.#names(name, depth + 1);
    const id = object['@id'];
    const other = typeof id === 'string' ? this.#byId.get(id) : undefined;
    return other && other !== object ? this.#names(other.name, depth + 1) : [];
  }

  /** A URL: a text, the `url` of an object, the first of a list, or a reference to an object elsewhere. */
  #address(value: unknown): string | undefined {
    const first = Array.isArray(value) ? value[0] : value;
    if (typeof first === 'string') return first.slice(0, MAX_TEXT);
    if (typeof first !== 'object' || first === null) return undefined;
    const { url, contentUrl, '@id': id } = first as Json;
    const own = textOf(url) ?? textOf(contentUrl);
    if (own !== undefined || typeof id !== 'string') return own;
    const other = this.#byId.get(id);
    return textOf(other?.url) ?? textOf(other?.contentUrl);
  }

  /** Collects the objects with a type, and by id those with a name or URL, which other objects may refer to. */
  #collect(value: unknown, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
    if (this.#count++ > MAX_OBJECTS) return;
    if (Array.isArray(value)) {
      for (const one of value) this.#collect(one, depth);
      return;
    }
    const object = value as Json;
    const types = typesOf(object['@type']);
    if (types.length > 0) this.#objects.push({ object, types, depth });
    const id = object['@id'];
    if (
      typeof id === 'string' &&
      (object.name !== undefined || object.url !== undefined) &&
      !this.#byId.has(id)
    ) {
      this.#byId.set(id, object);
    }
    for (const key of Object.keys(object)) {
      if (typeof object[key] === 'object') this.#collect(object[key], key === '@graph' ? depth : depth + 1);
    }
  }
}

function rankOf(types: readonly string[]): number {
  let most = 0;
  for (const type of types) {
    for (const [pattern, rank] of RANKS) if (rank > most && pattern.test(type)) most = rank;
  }
  return most;
}

function typesOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value.slice(0, 8) : [value];
  return list
    .filter((type) => typeof type === 'string')
    .map((type: string) => type.slice(0, 80).replace(/^.*[/:#]/s, ''));
}

/** A text, the first of a list, or the `@value` of an object. */
function textOf(value: unknown): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  if (typeof first === 'number') return String(first);
  if (typeof first === 'object' && first !== null) {
    const { '@value': inner, name } = first as Json;
    return typeof inner === 'string' ? textOf(inner) : typeof name === 'string' ? textOf(name) : undefined;
  }
  if (typeof first !== 'string') return undefined;
  const text = first.slice(0, MAX_TEXT).trim();
  return text === '' ? undefined : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    try {
      return JSON.parse(repair(text));
    } catch {
      return salvage(text);
    }
  }
}

/**
 * Finds the most useful keys of a script that cannot be parsed, for example because a text has quotes inside, and returns
 * the first value of each.
 */
function salvage(text: string): Json | undefined {
  const valueAfter = (pattern: string) =>
    new RegExp(`${pattern}\\s{0,20}:\\s{0,20}"([^"\\\\\\n]{1,300})"`).exec(text)?.[1];
  const types = [...text.matchAll(/"@type"\s{0,20}:\s{0,20}"(\w{1,60})"/g)]
    .slice(0, MAX_DEPTH)
    .map(([, type]) => type);
  const type = types.reduce((best, one) => (rankOf([one]) > rankOf([best]) ? one : best), '');
  if (rankOf([type]) === 0) return undefined;
  const entries = ['headline', 'datePublished', 'dateModified', 'inLanguage'].map((key) => [
    key,
    valueAfter(`"${key}"`),
  ]);
  const author = valueAfter(
    '"author"\\s{0,20}:\\s{0,20}[[{\\s]{0,60}(?:"(?!name")[^"]{1,60}"\\s{0,20}:\\s{0,20}"[^"]{0,300}",?\\s{0,60}){0,4}"name"',
  );
  return { '@type': type, ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)), author };
}

/** Removes common faults of generated scripts: comments, CDATA, line ends in strings, commas before a bracket. */
function repair(text: string): string {
  return text
    .replace(/<!--|-->|\/\*|\*\/|\/\/<!\[CDATA\[|\/\/\]\]>|<!\[CDATA\[|\]\]>/g, ' ')
    .replace(/[\x00-\x1f]/g, ' ')
    .replace(/,(?= {0,40}[}\]])/g, ' ')
    .trim()
    .replace(/;$/, '');
}
