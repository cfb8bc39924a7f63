/**
 * The figures of the report as SQL queries over a finished folder; users can run them with `chaff sql`.
 * docs/reference/queries.md lists them, and a test runs each and compares that list with this one.
 */

/** A query with its name and meaning. */
export interface StudyQuery {
  name: string;
  /** Meaning of the result, one sentence. */
  about: string;
  /** Returns the SQL for one detector; lists by site have this many rows per site. @default 100 */
  sql: (detector: string, mostOfASite?: number) => string;
  /** Table of `study/` that the query needs, besides those of every folder. */
  needs?: 'categories' | 'settings';
}

/** SQL for distinct pages: all captures of a URL key are one page. */
const latestOfEachPage = (site: string): string =>
  `QUALIFY row_number() OVER (PARTITION BY ${site}, url_key ORDER BY time DESC, page DESC) = 1`;

/**
 * SQL for the shares of a site as in the paper, those of its average page: long pages weigh no more than short
 * ones, and pages without text or links do not count for those. A page counts once, by its latest capture.
 */
const SITE_SHARES = `SELECT site, count(*) AS pages, avg(text_text_share) FILTER (text_bytes > 0) AS text_based,
    avg(dom_html_share) AS dom_html, avg(dom_text_share) FILTER (text_bytes > 0) AS dom_text,
    avg(dom_link_share) FILTER (links > 0) AS dom_links
  FROM (FROM pages ${latestOfEachPage('site')}) GROUP BY site`;

/** Kinds of shares in the paper, by their columns. */
export const SHARE_COLUMNS = ['text_based', 'dom_html', 'dom_text', 'dom_links'] as const;

/** SQL for means over sites, and means in which a site has the weight of its pages. */
const MEANS = [
  ...SHARE_COLUMNS.map((name) => `avg(${name}) AS ${name}`),
  ...SHARE_COLUMNS.map(
    (name) => `sum(${name} * pages) / sum(pages) FILTER (${name} IS NOT NULL) AS ${name}_by_size`,
  ),
].join(', ');

/**
 * SQL for templates by their content: a template of several sites is one, as in the paper. A page counts by its
 * latest capture.
 */
const distinctTemplates = (detector: string): string =>
  `SELECT template, count(*) AS sites, sum(latest_occurrences) AS occurrences, max(size_bytes) AS size_bytes,
     sum(latest_bytes) AS total_bytes
   FROM templates WHERE detector = '${detector}' AND latest_occurrences > 0 GROUP BY template`;

/** SQL for templates by occurrences, most first; ties are ordered independently of the run. */
const ranked = (detector: string): string =>
  `SELECT row_number() OVER most AS rank, occurrences, template,
     sum(occurrences) OVER most / sum(occurrences) OVER () AS share_so_far
   FROM (${distinctTemplates(detector)})
   WINDOW most AS (ORDER BY occurrences DESC, template ROWS UNBOUNDED PRECEDING)`;

/**
 * Minimum characters of a shared template; shorter texts, such as a date line or `Next page`, are on several sites
 * by chance.
 */
const MIN_SHARED_BYTES = 32;

/** Default number of rows per site. */
const MAX_ROWS_PER_SITE = 100;

/** SQL for the first rows of each site; a limit over all rows would leave none for the last sites. */
const mostOfEach = (site: string, order: string, most: number): string =>
  `QUALIFY row_number() OVER (PARTITION BY ${site} ORDER BY ${order}) <= ${most}`;

/**
 * SQL for the times of the first and last capture of each schema, which distinguish schemas of a site with many
 * captures.
 */
export const schemasSeen = (detector: string): string =>
  `SELECT site, schema AS number, coalesce(min(nullif(time, '')), '') AS first_seen, max(time) AS last_seen
   FROM page_schemas JOIN pages USING (page) WHERE detector = '${detector}' GROUP BY site, schema`;

/** All queries about templates by name. */
export const STUDY_QUERIES = {
  settings: {
    name: 'settings',
    about:
      'Figure 1: settings W.F.D.P of the text detector compared, means over sites: windows to count in learning (nodes for `dom`), and the share of an average page’s text inside templates.',
    needs: 'settings',
    sql: () => `SELECT settings, avg(windows) AS windows, avg(text_share) AS text_share, count(*) AS sites
FROM (SELECT site, settings, avg(windows) AS windows, avg(text_share) AS text_share FROM settings GROUP BY site, settings)
GROUP BY settings ORDER BY windows DESC, settings`,
  },
  categoryShares: {
    name: 'category-shares',
    about:
      'Figure 2: shares inside templates by category: the mean over its sites, and the mean by size, in which a site weighs as much as it has pages. A site may have several categories.',
    needs: 'categories',
    sql: () => `WITH shares AS (${SITE_SHARES})
FROM (
  SELECT category, count(*) AS sites, sum(pages)::BIGINT AS pages, ${MEANS} FROM shares JOIN categories USING (site) GROUP BY category
  UNION ALL
  SELECT 'OVERALL', count(*), sum(pages)::BIGINT, ${MEANS} FROM shares SEMI JOIN categories USING (site))
ORDER BY category = 'OVERALL', category`,
  },
  categoriesWithoutPages: {
    name: 'categories-without-pages',
    about: 'Sites that have a category but no page in the archive; check their names.',
    needs: 'categories',
    sql: () => 'SELECT site, category FROM categories ANTI JOIN pages USING (site) ORDER BY site, category',
  },
  siteShares: {
    name: 'site-shares',
    about: 'The appendix: shares inside templates by site, smallest site first.',
    sql: () => `SELECT * FROM (${SITE_SHARES}) ORDER BY pages, site`,
  },
  siteSharesWithCategories: {
    name: 'site-shares-with-categories',
    about: 'The same with the categories of each site.',
    needs: 'categories',
    sql: () => `WITH named AS (SELECT site, string_agg(category, '/' ORDER BY category) AS categories FROM categories GROUP BY site)
SELECT shares.*, coalesce(categories, '') AS categories FROM (${SITE_SHARES}) shares LEFT JOIN named USING (site)
ORDER BY pages, site`,
  },
  siteMeans: {
    name: 'site-means',
    about:
      'The means of the appendix, over sites and by size, and the mean absolute difference of the two detectors in the text of a site. The paper gives the difference of the means.',
    sql: () => `SELECT count(*) AS sites, sum(pages)::BIGINT AS pages, ${MEANS},
  avg(abs(text_based - dom_text)) AS apart FROM (${SITE_SHARES})`,
  },
  templateCounts: {
    name: 'template-counts',
    about:
      'The number of templates, of their occurrences, and of templates of 32 bytes and more on more than one site.',
    sql: (detector) => `SELECT count(*) AS templates, coalesce(sum(occurrences), 0) AS occurrences,
  count(*) FILTER (sites > 1 AND size_bytes >= ${MIN_SHARED_BYTES}) AS on_several_sites
FROM (${distinctTemplates(detector)})`,
  },
  rankFrequency: {
    name: 'rank-frequency',
    about: 'Figure 3: how often each template occurs, by rank, and the share of all occurrences up to there.',
    sql: (detector) => `SELECT rank, occurrences, share_so_far FROM (${ranked(detector)}) ORDER BY rank`,
  },
  powerLaw: {
    name: 'power-law',
    about:
      'The line through Figure 3: least squares in log–log space over ranks a tenth of a decade apart, so that the long tail does not decide alone.',
    sql: (detector) => `WITH ranked AS (${ranked(detector)}),
  spread AS (SELECT DISTINCT round(pow(10, step / 10)) AS rank FROM range(80) AS steps(step))
SELECT -regr_slope(ln(occurrences), ln(rank)) AS exponent, exp(regr_intercept(ln(occurrences), ln(rank))) AS first,
  regr_r2(ln(occurrences), ln(rank)) AS r2, count(*) AS points
FROM ranked JOIN spread USING (rank)`,
  },
  cache: {
    name: 'cache',
    about:
      'What a cache of n templates would save: the share of template occurrences in it, and the share of template bytes that are not sent again.',
    sql: (detector) => `WITH worth AS (
  SELECT row_number() OVER most AS entries, sum(occurrences) OVER most / sum(occurrences) OVER () AS occurrences,
    sum(total_bytes - size_bytes) OVER most / sum(total_bytes) OVER () AS bytes_saved
  FROM (${distinctTemplates(detector)})
  WINDOW most AS (ORDER BY total_bytes - size_bytes DESC, template ROWS UNBOUNDED PRECEDING))
SELECT * FROM worth WHERE entries IN (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000)
  OR entries = (SELECT max(entries) FROM worth) ORDER BY entries`,
  },
  sharedBySites: {
    name: 'shared-by-sites',
    about:
      'Templates of 32 bytes and more that occur on more than one site, with the likely cause. A template with most of the text of short pages (under 600 bytes) is a redirect notice, if they have at most two links and under 300 bytes, or an error page or notice. One with a small part of the text, on at least three pages of each site, comes from shared software. Text without letters is decoration, such as a row of dashes; a template without text is markup.',
    sql: (detector) => `WITH on_sites AS (
  SELECT template, count(*) AS sites, sum(latest_occurrences) AS occurrences, max(size_bytes) AS size_bytes,
    min(pages) AS least_pages, array_to_string(list(site ORDER BY pages DESC, site)[1:5], ', ') AS on_sites,
    any_value(text ORDER BY site) AS text
  FROM templates WHERE detector = '${detector}' AND latest_occurrences > 0 GROUP BY template
  HAVING count(*) > 1 AND max(size_bytes) >= ${MIN_SHARED_BYTES}),
holders AS (
  SELECT template, median(p.text_bytes) AS text_bytes, median(p.links) AS links
  FROM (SELECT DISTINCT page, template FROM ranges WHERE detector = '${detector}') JOIN pages p USING (page)
    SEMI JOIN on_sites USING (template)
  GROUP BY template)
SELECT template, sites, occurrences, size_bytes, on_sites,
  CASE WHEN trim(text) = '' THEN 'markup'
    WHEN NOT regexp_matches(text, '\\p{L}') THEN 'decoration'
    WHEN text_bytes < 300 AND strlen(text) > text_bytes / 2 AND links <= 2 THEN 'redirect notice'
    WHEN text_bytes < 600 AND strlen(text) > text_bytes / 2 THEN 'error page or notice'
    WHEN least_pages >= 3 AND strlen(text) < text_bytes / 4 THEN 'shared software'
    ELSE 'text in common' END AS likely_cause, text
FROM on_sites JOIN holders USING (template) ORDER BY sites DESC, occurrences DESC, template`,
  },
  aggregation: {
    name: 'aggregation',
    about:
      'Figure 4: the share of a site’s template bytes that its first n whole templates cover, and how many template hashes they are made of; means over sites.',
    sql: (detector) => `WITH counts AS (SELECT n FROM range(1, 51) AS numbers(n)),
  so_far AS (
    SELECT n, site, max(covered_share) AS covered, max(hashes_so_far) AS hashes
    FROM counts JOIN aggregates ON aggregate <= n WHERE detector = '${detector}' GROUP BY n, site)
SELECT n AS aggregated, avg(covered) AS covered_share, avg(hashes) AS hashes, count(*) AS sites
FROM so_far GROUP BY n ORDER BY n`,
  },
  sitePictures: {
    name: 'site-pictures',
    about:
      'Figures 5 to 9: every page with its bytes inside templates, by detector, and inside templates that at least half of the pages of its site have. Of large sites the report draws a sample.',
    sql: () => `WITH counted AS (SELECT site, count(DISTINCT url_key) AS urls FROM pages GROUP BY site),
inside AS (
  SELECT page, r.detector, "end" - "start" AS bytes, 2 * t.pages >= urls AS widespread
  FROM ranges r JOIN pages p USING (page) JOIN counted USING (site)
    JOIN templates t ON t.site = p.site AND t.detector = r.detector AND t.template = r.template
  WHERE label IN ('template', 'slot'))
SELECT site, detector, url, time, html_bytes, coalesce(sum(bytes), 0) AS template_bytes,
  coalesce(sum(bytes) FILTER (widespread), 0) AS widespread_bytes
FROM pages CROSS JOIN (SELECT DISTINCT detector FROM ranges) LEFT JOIN inside USING (page, detector)
GROUP BY page, site, detector, url, time, html_bytes
ORDER BY site, detector, html_bytes, url, time`,
  },
  schemas: {
    name: 'schemas',
    about:
      'The schemas of each site: groups of pages that have the same templates in the same order. `of_site` is their number on the site.',
    sql: (detector, most = MAX_ROWS_PER_SITE) => `WITH seen AS (${schemasSeen(detector)})
SELECT s.site, schema, s.pages, share, pattern, len(templates) AS templates, first_seen, last_seen, url AS typical_url,
  title, count(*) OVER (PARTITION BY s.site) AS of_site
FROM schemas s JOIN pages ON page = typical_page JOIN seen ON seen.site = s.site AND seen.number = schema
WHERE detector = '${detector}' AND NOT outlier
${mostOfEach('s.site', 'schema', most)}
ORDER BY s.site, schema`,
  },
  outliers: {
    name: 'outliers',
    about:
      'Pages unlike the rest of their site: of a schema that hardly any other page has, or without a template; the latest such capture of each. `of_site` is their number on the site.',
    sql: (detector, most = MAX_ROWS_PER_SITE) => `WITH unlike AS (
  SELECT pages.site, url, time, title, html_bytes
  FROM pages LEFT JOIN (FROM page_schemas WHERE detector = '${detector}') p USING (page)
    LEFT JOIN (FROM schemas WHERE detector = '${detector}') s ON s.site = pages.site AND s.schema = p.schema
  WHERE coalesce(outlier, true)
  ${latestOfEachPage('pages.site')})
SELECT *, count(*) OVER (PARTITION BY site) AS of_site FROM unlike
${mostOfEach('site', 'url', most)}
ORDER BY site, url`,
  },
  schemaChanges: {
    name: 'schema-changes',
    about:
      'Pages that changed from one schema to another between captures. Left out: changes that most pages of a schema made, because then the schema itself changed, for example by a new menu; and changes of a page that was alone in its schema, unless the new schema existed before. `of_site` is the number of such changes on the site.',
    sql: (detector, most = MAX_ROWS_PER_SITE) => `WITH captures AS (
  SELECT site, url, time, snapshot, schema, lag(schema) OVER history AS before, lag(time) OVER history AS time_before,
    min(time) OVER (PARTITION BY site, schema) AS schema_since
  FROM pages JOIN page_schemas USING (page) WHERE detector = '${detector}'
  WINDOW history AS (PARTITION BY site, url_key ORDER BY time, page)),
ways AS (
  SELECT site, snapshot, before, schema, sum(count(*)) OVER (PARTITION BY site, snapshot, before) AS leaving
  FROM captures WHERE before IS NOT NULL GROUP BY site, snapshot, before, schema
  QUALIFY row_number() OVER (PARTITION BY site, snapshot, before ORDER BY count(*) DESC, schema) = 1)
SELECT site, url, time_before, c.before AS schema_before, time, c.schema,
  count(*) OVER (PARTITION BY site) AS of_site
FROM captures c JOIN ways w USING (site, snapshot, before)
WHERE c.before <> c.schema AND (c.schema <> w.schema OR (leaving = 1 AND schema_since <= time_before))
${mostOfEach('site', 'url, time', most)}
ORDER BY site, url, time`,
  },
  keyPages: {
    name: 'key-pages',
    about:
      'The main areas of a site: targets of the links in its templates, by the number of pages with the link. `of_site` is the number of targets.',
    sql: (detector, most = MAX_ROWS_PER_SITE) => `WITH pointed AS (
  SELECT site, target, max(pages) AS linked_from, count(*) OVER (PARTITION BY site) AS of_site
  FROM (SELECT site, pages, unnest(targets) AS target FROM templates WHERE detector = '${detector}' AND links >= 3)
  GROUP BY site, target
  ${mostOfEach('site', 'linked_from DESC, target', most)}),
titles AS (
  SELECT site, regexp_replace(url, '^https?://(www\\.)?', '') AS address, arg_max(title, time) AS title
  FROM pages GROUP BY ALL)
SELECT pointed.site, target, linked_from, coalesce(title, '') AS title, title IS NOT NULL AS in_archive, of_site
FROM pointed LEFT JOIN titles
  ON titles.site = pointed.site AND address = regexp_replace(target, '^https?://(www\\.)?', '')
ORDER BY pointed.site, linked_from DESC, target`,
  },
  ownContent: {
    name: 'own-content',
    about:
      'Pages by the bytes of their own content, in their latest capture. `of_site` is the number of pages of the site.',
    sql: (detector, most = MAX_ROWS_PER_SITE) => `WITH latest AS (
  SELECT site, url, time, title, text_bytes - ${detector}_text_bytes AS own_bytes, text_bytes FROM pages
  ${latestOfEachPage('site')})
SELECT *, count(*) OVER (PARTITION BY site) AS of_site FROM latest
${mostOfEach('site', 'own_bytes DESC, url', most)}
ORDER BY site, own_bytes DESC, url`,
  },
} as const satisfies Record<string, StudyQuery>;
