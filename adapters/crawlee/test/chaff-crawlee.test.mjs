/** The adapter in real crawlers of Crawlee, on a site of this machine: `scripts/crawlee-adapter.sh`. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { CheerioCrawler, createCheerioRouter } from '@crawlee/cheerio';
import { Configuration, Dataset, HttpCrawler } from '@crawlee/http';
import { chaffRouter } from '../chaff-crawlee.mjs';

const PAGES = 12;
const MENU = 'Products Prices Contact Imprint of the menu that is on every page';
let base = '';

const server = createServer((request, response) => {
  const number = Number(/^\/page\/(\d+)$/.exec(request.url)?.[1] ?? (request.url === '/' ? 0 : Number.NaN));
  if (request.url === '/moved') return void response.writeHead(302, { location: '/page/3' }).end();
  if (request.url === '/empty') return void response.setHeader('content-type', 'text/html').end(' ');
  if (request.url === '/data.json')
    return void response.setHeader('content-type', 'application/json').end('{}');
  if (Number.isNaN(number)) return void response.writeHead(404).end();
  response.setHeader('content-type', 'text/html; charset=utf-8').end(pageOf(number));
});

/** The words of a page are its own; its menu and footer are those of the site. */
function pageOf(number) {
  const sentence = (k) =>
    `Sentence ${k} of article ${number} reports thing ${number * 31 + k * 7} in café number ${k + number}.`;
  const paragraphs = Array.from({ length: 6 }, (_, k) => `<p>${sentence(k)} ${sentence(k + 10)}</p>`).join(
    '',
  );
  const links = Array.from(
    { length: PAGES },
    (_, k) => `<li><a href="/page/${k}">Article ${k}</a></li>`,
  ).join('');
  return `<!doctype html><html lang="en"><head><title>Article ${number}</title></head><body>
    <nav><p>${MENU}</p><ul>${links}</ul></nav><main><h1>Article ${number}</h1>${paragraphs}</main>
    <footer><p>Copyright of the owners, all rights reserved, see the imprint</p></footer></body></html>`;
}

before(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());

/** Runs a crawler with nothing on disk, and gives the rows of its dataset. */
async function crawl(Crawler, options, urls) {
  const config = new Configuration({ persistStorage: false, purgeOnStart: true, logLevel: 'OFF' });
  const limits = { maxRequestRetries: 0, maxConcurrency: 2, useSessionPool: false };
  const crawler = new Crawler({ ...limits, ...options }, config);
  const { requestsFinished, requestsFailed } = await crawler.run(urls.map((path) => base + path));
  const dataset = await Dataset.open(undefined, { config });
  const { items } = await dataset.getData();
  await dataset.drop();
  return { items, requestsFinished, requestsFailed };
}

const pathOf = ({ url }) => new URL(url).pathname;

test('CheerioCrawler: the handler pushes a row for each page and follows links', async () => {
  const chaff = chaffRouter();
  const { items, requestsFailed } = await crawl(CheerioCrawler, { requestHandler: chaff.handler }, [
    '/page/0',
  ]);
  assert.equal(requestsFailed, 0);
  assert.deepEqual(items.map(pathOf).sort(), Array.from({ length: PAGES }, (_, k) => `/page/${k}`).sort());
  for (const row of items) {
    const number = pathOf(row).slice('/page/'.length);
    assert.deepEqual(Object.keys(row), ['url', 'title', 'text', 'markdown', 'metadata']);
    assert.equal(row.title, `Article ${number}`);
    assert.match(row.text, new RegExp(`Sentence 0 of article ${number} reports`));
    assert.match(row.text, /in café number/);
    assert.match(row.markdown, new RegExp(`Sentence 5 of article ${number} reports`));
    assert.equal(row.text.includes('Imprint of the menu'), false);
  }
  assert.deepEqual([...chaff.sites.keys()], ['127.0.0.1']);
});

test('the site of a host learns from every page of the crawl', async () => {
  const chaff = chaffRouter({ site: { sample: 50 } });
  const paths = Array.from({ length: PAGES }, (_, k) => `/page/${k}`);
  await crawl(HttpCrawler, { requestHandler: (context) => chaff.extractInto(context) }, paths);
  assert.equal(chaff.sites.get('127.0.0.1').learn().pagesLearnt, PAGES);
});

test('a router of Crawlee takes it in a handler, with keys of the caller and chosen columns', async () => {
  const chaff = chaffRouter({ columns: ['url', 'text'] });
  const router = createCheerioRouter();
  router.addDefaultHandler(async (context) => {
    await chaff.extractInto(context, { heading: context.$('h1').text(), url: 'not this' });
  });
  const { items } = await crawl(CheerioCrawler, { requestHandler: router }, ['/page/7']);
  assert.deepEqual(Object.keys(items[0]), ['url', 'text', 'heading']);
  assert.equal(items[0].heading, 'Article 7');
  assert.equal(items[0].url, `${base}/page/7`);
});

test('the address of a row is the one after redirects', async () => {
  const chaff = chaffRouter();
  const { items } = await crawl(HttpCrawler, { requestHandler: chaff.extractInto }, ['/moved']);
  assert.deepEqual(items.map(pathOf), ['/page/3']);
});

test('a page that gives no text is left out with a warning, and the crawl goes on', async () => {
  const problems = [];
  const warnings = [];
  const chaff = chaffRouter({ site: { onProblem: (problem) => problems.push(problem.code) } });
  const requestHandler = async (context) => {
    const log = { debug() {}, warning: (message, { url }) => warnings.push([message, pathOf({ url })]) };
    const { request, body, contentType, pushData } = context;
    const row = await chaff.extractInto({ request, body, contentType, pushData, log });
    assert.equal(row === undefined, !request.url.includes('/page/'));
  };
  const options = { requestHandler, additionalMimeTypes: ['application/json'], maxConcurrency: 1 };
  const { items, requestsFinished } = await crawl(HttpCrawler, options, ['/empty', '/data.json', '/page/1']);
  assert.equal(requestsFinished, 3);
  assert.deepEqual(items.map(pathOf), ['/page/1']);
  assert.deepEqual(
    warnings.map(([, path]) => path),
    ['/empty', '/data.json'],
  );
  assert.match(warnings[0][0], /empty/);
  assert.match(warnings[1][0], /not HTML/);
});

test('a context with a browser page gives the page as the browser has it', async () => {
  const rows = [];
  const context = {
    request: { url: 'https://a.example/start', loadedUrl: 'https://a.example/page' },
    page: { content: async () => pageOf(5), url: () => 'https://a.example/page' },
    pushData: async (row) => rows.push(row),
  };
  await chaffRouter().extractInto(context);
  assert.equal(rows[0].url, 'https://a.example/page');
  assert.match(rows[0].text, /article 5/);
});

test('the host not seen for the longest time is forgotten', async () => {
  const chaff = chaffRouter({ maxSites: 2 });
  for (const host of ['a', 'b', 'a', 'c']) {
    const request = { url: `https://${host}.example/` };
    await chaff.extractInto({ request, body: Buffer.from(pageOf(1)), pushData: async () => {} });
  }
  assert.deepEqual([...chaff.sites.keys()], ['a.example', 'c.example']);
});

test('options are checked by name and value', () => {
  assert.throws(() => chaffRouter({ column: [] }), /not "column"/);
  assert.throws(() => chaffRouter({ columns: ['words'] }), /not "words"/);
  assert.throws(() => chaffRouter({ maxSites: 0 }), /maxSites .* not 0/);
  assert.throws(() => chaffRouter({ site: { sample: 0 } }), /sample/);
  assert.throws(() => chaffRouter({ site: { site: 'path:1' } }), /host/);
});
