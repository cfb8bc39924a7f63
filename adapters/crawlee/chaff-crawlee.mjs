/**
 * Chaff in a handler of Crawlee: the text of each page goes to the dataset, judged by the pages of its host that came
 * before. Works with the contexts of HttpCrawler, CheerioCrawler, JSDOMCrawler, LinkeDOMCrawler, PlaywrightCrawler and
 * PuppeteerCrawler, and imports none of them.
 */
import { site, siteOf } from 'chaff';

/** Hosts that are remembered. One host keeps at most twice 200 pages of up to 1 MiB. */
const DEFAULT_MAX_SITES = 100;
const DEFAULT_COLUMNS = ['url', 'title', 'text', 'markdown', 'metadata'];
const COLUMNS = [...DEFAULT_COLUMNS, 'html', 'regions', 'charset'];

/**
 * @typedef {object} ChaffOptions
 * @property {string[]} [columns] What each row has, of url, title, text, markdown, metadata, html, regions and charset.
 *   By default the first five.
 * @property {number} [maxSites] Hosts that are remembered; the one not seen for the longest time is forgotten first. By
 *   default 100.
 * @property {import('chaff').SiteOptions} [site] Options of `site()`, such as `sample` and `dial`, for every host.
 */

/**
 * @param {ChaffOptions} [options]
 * @returns An object with `extractInto(context, keys?)`, for a handler of your own, and `handler`, a whole handler.
 */
export function chaffRouter(options = {}) {
  const {
    columns = DEFAULT_COLUMNS,
    maxSites = DEFAULT_MAX_SITES,
    site: siteOptions = {},
    ...unknown
  } = options;
  for (const name of Object.keys(unknown)) {
    throw new TypeError(`an option of chaffRouter must be columns, maxSites or site, not "${name}"`);
  }
  for (const name of columns) {
    if (!COLUMNS.includes(name))
      throw new RangeError(`columns must be of ${COLUMNS.join(', ')}, not "${name}"`);
  }
  if (!Number.isInteger(maxSites) || maxSites < 1) {
    throw new RangeError(`maxSites must be a whole number from 1, not ${maxSites}`);
  }
  if (siteOptions.site !== undefined && siteOptions.site !== 'host') {
    throw new RangeError(`site.site must be host, not "${siteOptions.site}"`);
  }
  site(siteOptions); // checks its options
  /** In the order of their last page. */
  const sites = new Map();

  function siteOfHost(host, log) {
    const onProblem = (problem) => {
      siteOptions.onProblem?.(problem);
      log?.debug(`chaff: ${problem.code}: ${problem.message}`, { url: problem.url });
    };
    const known = sites.get(host) ?? site({ ...siteOptions, onProblem });
    sites.delete(host);
    sites.set(host, known);
    if (sites.size > maxSites) sites.delete(sites.keys().next().value);
    return known;
  }

  /**
   * Adds the page of a context to its host and pushes its row to the dataset. `keys` are added to the row. Returns the row;
   * undefined, with a warning in the log, for a page that gives none: not HTML, empty, beyond the limits.
   */
  async function extractInto(context, keys = {}) {
    const { log } = context;
    const url = addressOf(context);
    const html = await htmlOf(context);
    const page = { url, html, time: new Date() };
    const host = html === undefined ? '' : siteOf(url);
    if (host === '') {
      log?.warning('chaff: left out, because it is not HTML of a web server', { url });
      return undefined;
    }
    const known = siteOfHost(host, log);
    known.add(page);
    const extraction = known.strip(page);
    if (!extraction) {
      log?.warning('chaff: left out, because it is empty, damaged or beyond the limits', { url });
      return undefined;
    }
    const row = Object.fromEntries(columns.map((name) => [name, extraction[name]]));
    for (const [name, value] of Object.entries(keys)) if (!Object.hasOwn(row, name)) row[name] = value;
    await context.pushData(row);
    return row;
  }

  return {
    extractInto,
    /** Pushes the row of a page and enqueues its links, in crawlers whose context can. */
    async handler(context) {
      await extractInto(context);
      await context.enqueueLinks?.();
    },
    /** A `Site` of chaff for each host, to save and to learn a model from. */
    sites,
  };
}

/** The address after all redirects. */
function addressOf({ request, page }) {
  return request.loadedUrl ?? page?.url?.() ?? request.url;
}

/** The page as served, or as the browser has it by now; undefined for what is not HTML. */
async function htmlOf({ page, body, contentType }) {
  if (typeof page?.content === 'function') return page.content();
  const type = contentType?.type ?? 'text/html';
  return /html/i.test(type) && (typeof body === 'string' || body instanceof Uint8Array) ? body : undefined;
}
