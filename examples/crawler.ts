/** A crawler that strips each page as it is fetched: `npx tsx examples/crawler.ts https://example.org/` */
import { site } from 'chaff';

const queue = [process.argv[2]];
const seen = new Set(queue);
const host = site();
for (let url = queue.shift(); url !== undefined && seen.size < 1000; url = queue.shift()) {
  const page = { url, html: await (await fetch(url)).text(), depth: url.split('/').length - 3 };
  host.add(page);
  console.log(JSON.stringify(host.strip(page)));
  for (const [, href] of page.html.matchAll(/<a [^>]{0,200}?href="([^"#]{1,500})"/g)) {
    const link = new URL(href, url).href;
    if (new URL(link).host === new URL(url).host && !seen.has(link)) queue.push(link);
    seen.add(link);
  }
}
