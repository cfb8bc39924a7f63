/**
 * Serves the pages of one site of an archive with a dictionary made from it:
 *
 *   npx tsx examples/dictionary-server/serve.ts [ARCHIVE] [--dictionary FILE] [--port 8123]
 *
 * Without an archive a generated site is served. Without --dictionary one is made from the archive; make it with
 * `chaff fragments ARCHIVE --dictionary FILE` to keep it.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openArchive, runFragments, writeDictionaries } from '../../src/index.ts';
import { writeSampleArchive } from '../../src/research/generated-sites/write-archive.ts';
import { pathOfUrl } from './page-path.ts';
import { createPageServer, listen, STATUS_PATH } from './page-server.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dictionary: { type: 'string' }, port: { type: 'string', default: '8123' } },
});
const folder = mkdtempSync(join(tmpdir(), 'dictionary-server-'));
try {
  const archive = positionals[0] ?? (await generatedArchive(folder));
  const pagesOf = new Map<string, Map<string, Uint8Array>>();
  for await (const { url, site, source } of openArchive(archive)) {
    const path = pathOfUrl(url);
    if (path === undefined) continue;
    const pages = pagesOf.get(site) ?? new Map<string, Uint8Array>();
    pagesOf.set(site, pages.set(path, source.slice()));
  }
  const [largest] = [...pagesOf].sort(([, a], [, b]) => b.size - a.size);
  if (largest === undefined) throw new Error(`${archive} holds no pages`);
  const [site, pages] = largest;
  const dictionary = readFileSync(values.dictionary ?? (await makeDictionary(archive, site, folder)));
  const port = await listen(createPageServer({ pages, dictionary }), Number(values.port));
  process.stdout.write(
    `${pages.size} pages of ${JSON.stringify(site)} with a dictionary of ${dictionary.length} bytes\n`,
  );
  process.stdout.write(`http://127.0.0.1:${port}${STATUS_PATH}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

async function generatedArchive(into: string): Promise<string> {
  const { warc } = await writeSampleArchive(into, { sites: 1, pagesPerSite: 60, languages: ['en'] });
  return warc;
}

async function makeDictionary(archive: string, site: string, into: string): Promise<string> {
  let made = '';
  await runFragments([archive], {
    useResult: async (result) => {
      const { sites } = await writeDictionaries(result, { file: join(into, 'site.dict'), measurePages: 0 });
      made = sites.find((found) => found.site === site)?.file ?? '';
    },
  });
  if (made === '') throw new Error(`the pages of ${site} share nothing`);
  return made;
}
