/**
 * Compares Chaff and its rivals from `.warc.gz` to JSON lines, each in its own process on one thread:
 *
 *     npm run build && scripts/rivals.sh install node python
 *     npx tsx bench/end-to-end.bench.ts [--rounds 5] [--cli dist/cli/bin.js] [--slow] [--only strip] [--write] [archives …]
 *
 * Each contender reads the same sites once and four times (bench/site-copies.ts; by default the four largest
 * archives of $CHAFF_DATA/sites) and an archive of one page. A time is the CPU time of the process and of all
 * its descendants, the median of the rounds. The marginal time of a copy is (time(4×) − time(1×)) / 3, and
 * the fixed time is time(1×) minus it. Contenders take turns, so that disturbances of the machine affect all
 * of them. `--slow` adds trafilatura, `--only` selects contenders whose names match a regular expression.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipMember } from '../src/research/generated-sites/write-archive.ts';
import { readRunFile } from '../src/store/run-file.ts';
import { markdownTable, median } from './doc-part.ts';
import { count, figure, machine, megabytes, publishPart } from './performance-doc.ts';
import { findArchives } from './real-sites.ts';
import { copySites } from './site-copies.ts';

interface Contender {
  name: string;
  /** Returns the command line for these archives. */
  command: (archives: string[]) => string[];
}

const COPIES = 4;
const SITES = 4;
const PYTHON = here('.rivals/venv/bin/python');
/** Exit codes of success: without problems, and with problems of the input reported. */
const GOOD_EXITS = [0, 3];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    cli: { type: 'string', default: here('../dist/cli/bin.js') },
    slow: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
const scratch = mkdtempSync(join(tmpdir(), 'chaff-bench-'));
try {
  await bench();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function bench(): Promise<void> {
  const once = await chooseArchives();
  const inputs = { tiny: [tinyArchive()], once, copies: copySites(once, COPIES, scratch) };
  const { pages, sites, htmlBytes } = countPages(once);
  const contenders = findContenders().filter(({ name }) => new RegExp(values.only).test(name));
  const times = contenders.map(() => ({
    tiny: [] as number[],
    once: [] as number[],
    copies: [] as number[],
  }));
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const [k, { name, command }] of contenders.entries()) {
      for (const size of ['tiny', 'once', 'copies'] as const) {
        times[k][size].push(cpuSeconds(command(inputs[size])));
      }
      const last = Object.values(times[k]).map((seconds) => `${seconds.at(-1)?.toFixed(2)} s`);
      process.stderr.write(`round ${round}, ${name}: ${last.join(', ')}\n`);
    }
  }
  const rows = contenders.map(({ name }, k) => {
    const [tiny, one, four] = [times[k].tiny, times[k].once, times[k].copies].map(median);
    const marginal = (four - one) / (COPIES - 1);
    const megabytesPerSecond = htmlBytes / 1e6 / marginal;
    return [name, ...[megabytesPerSecond, pages / marginal, one - marginal, tiny, one, four].map(figure)];
  });
  const head = ['', 'MB/s, marginal', 'pages/s, marginal', 'fixed s', 'one page, s', '1× s', `${COPIES}× s`];
  publishPart(
    'end-to-end',
    `${count(pages)} pages of ${sites} real sites, ${megabytes(htmlBytes)} of HTML, once and ${COPIES} times; ` +
      `CPU time, medians of ${values.rounds} rounds; ${machine()}.\n\n${markdownTable(head, rows)}`,
    { write: values.write },
  );
}

async function chooseArchives(): Promise<string[]> {
  const archives = await findArchives(positionals);
  if (positionals.length > 0) return archives;
  return archives.sort((a, b) => statSync(b).size - statSync(a).size).slice(0, SITES);
}

function findContenders(): Contender[] {
  const ours = (...args: string[]): Contender => ({
    name: `\`chaff ${args.join(' ')}\``,
    command: (archives) => {
      const output = args[0] === 'report' ? ['-o', join(scratch, 'report.chaff'), '--overwrite'] : [];
      // `page` has no workers: it always runs on one thread
      const workers = args[0] === 'page' ? [] : ['--workers', '0'];
      return [process.execPath, values.cli, ...args, ...workers, ...output, '-q', ...archives];
    },
  });
  const contenders = [
    ours('strip'),
    ours('strip', '--detector', 'dom'),
    ours('strip', '--format', 'markdown'),
    ours('report'),
    ours('page'),
  ];
  const inPython = (name: string): Contender => ({
    name: `${name} + fastwarc (Python, C++)`,
    command: (archives) => [PYTHON, here('archive-to-text.py'), name, ...archives],
  });
  if (existsSync(PYTHON)) {
    contenders.push(inPython('resiliparse'));
    if (values.slow) contenders.push(inPython('trafilatura'));
  } else console.error('not installed: resiliparse; scripts/rivals.sh install python');
  if (existsSync(here('node_modules/mdream'))) {
    contenders.push({
      name: 'mdream, minimal preset (Node, Rust)',
      command: (archives) => [process.execPath, here('archive-to-markdown.mjs'), ...archives],
    });
  } else console.error('not installed: mdream; npm ci --prefix bench');
  return contenders;
}

/**
 * Returns user and system time of the process and of its descendants, which bash sums up; its output goes to
 * a file.
 */
function cpuSeconds([program, ...args]: string[]): number {
  const script = 'TIMEFORMAT="%U %S"; out=$1; shift; time "$@" >"$out" 2>"$out.err"';
  const output = join(scratch, 'output.jsonl');
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', output, program, ...args], {
    encoding: 'utf8',
  });
  if (status === null || !GOOD_EXITS.includes(status)) {
    const said = execFileSync('tail', ['-n', '5', `${output}.err`], { encoding: 'utf8' });
    throw new Error(`${[program, ...args].join(' ').slice(0, 200)} ended with ${status}: ${said}`);
  }
  const [user, system] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? [];
  return user + system;
}

/** Counts the pages of the archives by a report. */
function countPages(archives: string[]) {
  const folder = join(scratch, 'counted.chaff');
  cpuSeconds([process.execPath, values.cli, 'report', '-q', '-o', folder, ...archives]);
  return readRunFile(folder).counts;
}

/** Writes an archive of one page, for the minimum cost of a run. */
function tinyArchive(): string {
  const html = '<!DOCTYPE html><title>One page</title><p>The only paragraph of the only page.</p>';
  const response = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${html.length}\r\n\r\n${html}`;
  const head = [
    'WARC/1.1',
    'WARC-Type: response',
    'WARC-Target-URI: https://one.example/',
    'WARC-Date: 2024-01-01T00:00:00Z',
    'WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>',
    'Content-Type: application/http; msgtype=response',
    `Content-Length: ${response.length}`,
  ];
  const file = join(scratch, 'one-page.warc.gz');
  writeFileSync(file, gzipMember(Buffer.from(`${head.join('\r\n')}\r\n\r\n${response}\r\n\r\n`)));
  return file;
}

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
