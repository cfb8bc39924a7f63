/** Generated inputs under the names that examples of the help and of the guides use, and a shell to run the examples in. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { openArchive } from '../src/index.ts';
import { writeSampleArchive } from '../src/research/generated-sites/write-archive.ts';
import { chaff } from './command-line.ts';
import { warcRecord, zipOf } from './sample-archives.ts';
import { serveFiles } from './static-server.ts';

const bin = join(dirname(fileURLToPath(import.meta.url)), '../dist/cli/bin.js');

export interface ExampleArchives {
  /** The URL of a server on this machine with one page. */
  url: string;
  close(): Promise<void>;
}

/** Writes the inputs into a folder that exists. */
export async function writeExampleArchives(folder: string): Promise<ExampleArchives> {
  for (const name of ['crawl', 'crawl.labels', 'sites', 'gold', 'site'])
    mkdirSync(join(folder, name), { recursive: true });
  const small = { sites: 2, pagesPerSite: 24, languages: ['en'] } as const;
  const { warc } = await writeSampleArchive(folder, { ...small, name: 'crawl' });
  await writeSampleArchive(folder, { ...small, seed: 2, name: 'tomorrow' });
  const history = await writeSampleArchive(folder, {
    sites: 1,
    pagesPerSite: 12,
    generations: 2,
    languages: ['en'],
    name: 'history',
  });
  for (const path of [warc, history.warc]) await addNews(path);
  copyFileSync(warc, join(folder, 'crawl/one.warc.gz'));
  await writeSampleArchive(join(folder, 'sites'), { ...small, sites: 5, name: 'five' });
  writeFileSync(
    join(folder, 'site.wacz'),
    zipOf([{ name: 'archive/data.warc.gz', bytes: readFileSync(warc) }]),
  );

  const pages: { url: string; html: string; site: string }[] = [];
  for await (const { url, source, site } of openArchive(warc)) {
    pages.push({ url, html: Buffer.from(source).toString(), site });
  }
  const sites = [...new Set(pages.map(({ site }) => site))];
  writeFileSync(
    join(folder, 'sites.csv'),
    `site,category\n${sites.map((site, k) => `${site},c${k}\n`).join('')}`,
  );
  writeFileSync(
    join(folder, 'pages.jsonl'),
    pages.map(({ url, html }) => `${JSON.stringify({ url, html })}\n`).join(''),
  );
  writeFileSync(join(folder, 'article.html'), pages[3].html);
  for (const [k, { html }] of pages.slice(0, 4).entries())
    writeFileSync(join(folder, `site/${k}.html`), html);
  const clean = await chaff(['strip', warc, '--workers', '0', '-q']);
  for (const name of ['news', 'old']) {
    copyFileSync(warc, join(folder, `gold/${name}.warc.gz`));
    writeFileSync(join(folder, `gold/${name}.jsonl`), clean.stdout);
  }
  for (const name of ['ana', 'ben']) writeFileSync(join(folder, `crawl.labels/${name}.jsonl`), clean.stdout);
  const server = await serveFiles({ '/': pages[3].html });
  writeFileSync(join(folder, 'urls.txt'), `${server.url}/\n`);
  return server;
}

/** Adds a page below `/news/`, which examples select, to the site of the archive's first page. */
async function addNews(warc: string): Promise<void> {
  for await (const { url, source } of openArchive(warc)) {
    const html = Buffer.from(source).toString();
    appendFileSync(warc, gzipSync(warcRecord({ url: new URL('/news/today', url).href, html })));
    return;
  }
}

/** Runs a line of bash in which `chaff` is the built command. Not synchronously: the server is in this process. */
export async function runLine(line: string, cwd: string) {
  const script = `set -o pipefail\nchaff() { '${process.execPath}' '${bin}' "$@"; }\n${line}`;
  const shell = spawn('bash', ['-c', script], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  shell.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  shell.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const [code] = await once(shell, 'close');
  return { line, code, ...output };
}
