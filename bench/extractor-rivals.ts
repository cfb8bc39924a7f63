/**
 * The extractors a user would otherwise take, each behind one call: a page in, its content as plain text out.
 * Those that give HTML are turned into text by our own renderer, so that nobody loses words because two
 * paragraphs were glued together. Options are the defaults unless a comment says why not. One that is not
 * installed is named and left out.
 */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Parser } from '../src/parse/parser.ts';
import { renderText } from '../src/view/visible-text.ts';
import type { GoldPage } from './gold-pages.ts';
import { optionalPackage, silenceConsole } from './rival-packages.ts';

export interface Extracted {
  text: string;
  /** CPU time of the extractor's own work. */
  cpuMs: number;
  error?: string;
}

export interface Rival {
  /** Also the name of its folder in the cache. */
  name: string;
  version: string;
  /** Starts it; for a program of its own this is a process. */
  start(): Promise<{ extract(page: GoldPage): Promise<Extracted>; stop(): void }>;
}

export interface Rivals {
  rivals: Rival[];
  missing: string[];
}

/** Names in python-extractors.py, and the package each belongs to. */
const IN_PYTHON = [
  ['trafilatura', 'trafilatura'],
  ['trafilatura-recall', 'trafilatura'],
  ['resiliparse', 'resiliparse'],
  ['justext', 'justext'],
  ['justext-stop-words', 'justext'],
] as const;
const SCRIPT = fileURLToPath(new URL('./python-extractors.py', import.meta.url));
const VENV_PYTHON = fileURLToPath(new URL('./.venv/bin/python', import.meta.url));

/** `python` is that of the virtual environment. */
export async function findRivals({ python = VENV_PYTHON }: { python?: string } = {}): Promise<Rivals> {
  const missing: string[] = [];
  const linkedom = await optionalPackage<Linkedom>('linkedom', missing);
  const readability = await optionalPackage<ReadabilityModule>('@mozilla/readability', missing);
  const defuddle = await optionalPackage<DefuddleModule>('defuddle/node', missing);
  const rivals: Rival[] = [];
  if (linkedom && readability) {
    rivals.push(
      inProcess('readability', versionOf('@mozilla/readability'), (html) => {
        const { document } = linkedom.parseHTML(html);
        return new readability.Readability(document).parse()?.content ?? '';
      }),
    );
  }
  if (linkedom && defuddle) {
    rivals.push(
      inProcess('defuddle', versionOf('defuddle'), async (html, url) => {
        const { document } = linkedom.parseHTML(html);
        // by default it would ask services on the network when it finds nothing
        return (await defuddle.Defuddle(document, url, { useAsync: false })).content;
      }),
    );
  }
  const versions = pythonVersions(python);
  if (!versions) missing.push('the extractors in Python (scripts/python-rivals.sh)');
  else rivals.push(...IN_PYTHON.map(([name, packageName]) => inPython(name, versions[packageName], python)));
  return { rivals, missing };
}

/** A library that runs here and gives HTML. */
function inProcess(
  name: string,
  version: string,
  work: (html: string, url: string) => string | Promise<string>,
): Rival {
  const parser = new Parser();
  return {
    name,
    version,
    async start() {
      return {
        async extract({ html, page }) {
          const before = process.cpuUsage();
          let content = '';
          let error: string | undefined;
          const restore = silenceConsole();
          try {
            content = await work(html, page.url);
          } catch (thrown) {
            error = String(thrown).slice(0, 200);
          } finally {
            restore();
          }
          const { user, system } = process.cpuUsage(before);
          const cpuMs = (user + system) / 1000;
          const text = renderText(parser.parse(Buffer.from(content)), []);
          return error === undefined ? { text, cpuMs } : { text, cpuMs, error };
        },
        stop() {},
      };
    },
  };
}

function inPython(name: string, version: string, python: string): Rival {
  return {
    name,
    version,
    async start() {
      const child = spawn(python, [SCRIPT, name], { stdio: ['pipe', 'pipe', 'pipe'] });
      const answers = answersOf(child);
      await answers.next();
      return {
        async extract({ html, page, row }) {
          child.stdin.write(`${JSON.stringify({ html, url: page.url, lang: row.lang })}\n`);
          const { value, done } = await answers.next();
          if (done) throw new Error(`${name} ended at ${page.url}`);
          return { text: '', ...(JSON.parse(value) as Omit<Extracted, 'text'>) };
        },
        stop() {
          child.stdin.end();
        },
      };
    },
  };
}

/** Lines that the process writes; what it complains of is let go. */
function answersOf(child: ChildProcessWithoutNullStreams): AsyncIterator<string, undefined> {
  child.stderr.resume();
  return createInterface({ input: child.stdout })[Symbol.asyncIterator]() as AsyncIterator<string, undefined>;
}

function pythonVersions(python: string): Record<string, string> | undefined {
  if (!existsSync(python)) return undefined;
  const { status, stdout } = spawnSync(python, [SCRIPT, '--versions'], { encoding: 'utf8' });
  return status === 0 ? (JSON.parse(stdout) as Record<string, string>) : undefined;
}

function versionOf(name: string): string {
  const require = createRequire(import.meta.url);
  // a package need not export its package.json: found from its main file upwards
  const main = require.resolve(name);
  const folder = main.slice(0, main.lastIndexOf(`/node_modules/${name}/`) + `/node_modules/${name}/`.length);
  return (JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as { version: string }).version;
}

interface Linkedom {
  parseHTML(html: string): { document: unknown };
}
interface ReadabilityModule {
  Readability: new (document: unknown) => { parse(): { content?: string | null } | null };
}
interface DefuddleModule {
  Defuddle(document: unknown, url: string, options: object): Promise<{ content: string }>;
}
