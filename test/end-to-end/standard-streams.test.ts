/** The built command with real descriptors: full, closed, cut off and blocked ones. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { writeSampleArchive } from '../../src/research/generated-sites/write-archive.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = mkdtempSync(join(tmpdir(), 'chaff-streams-'));
const at = (name: string) => join(folder, name);
let archive = '';
let scratch = '';

beforeAll(async () => {
  archive = (await writeSampleArchive(folder, { sites: 1, pagesPerSite: 60, languages: ['en'] })).warc;
  bash(`chaff report ${archive} -q -o ${at('report.chaff')}`);
});
beforeEach(() => {
  scratch = mkdtempSync(join(folder, 'tmp-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a line of bash in which `chaff` is the built command. */
function bash(line: string) {
  const script = `chaff() { '${process.execPath}' '${join(root, 'dist/cli/bin.js')}' "$@"; }\n${line}`;
  return spawnSync('bash', ['-c', script], {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, TMPDIR: scratch },
  });
}

test.each([
  'strip $IN -q',
  'label $IN -q',
  'page $IN -q',
  'index $IN -q',
  'groups $IN -q',
  'fragments $IN -q',
  'strip $IN -q --templates',
  'sql report.chaff "select * from pages"',
  '--help',
  '--version',
  'help strip',
])('chaff %s says that its output is full, fails and leaves nothing', (command) => {
  const { status, stderr } = bash(`chaff ${command.replace('$IN', archive)} > /dev/full`);
  expect(stderr).toBe(
    'chaff: cannot write standard output: no space left on device; the output is incomplete, so run the command again\n',
  );
  expect([status, readdirSync(scratch)]).toEqual([1, []]);
});

test('a file that may not grow to the whole output is a failure', () => {
  const query = 'select range, repeat(range::varchar, 20) from range(20000)';
  const limit = `(trap '' XFSZ; ulimit -f 64; chaff sql report.chaff "${query}" > cut.jsonl)`;
  for (const line of [limit, limit.replace("trap '' XFSZ; ", '')]) {
    const { status, stderr } = bash(line);
    expect([status, stderr]).toEqual([1, expect.stringContaining('standard output: file too large')]);
    expect(statSync(at('cut.jsonl')).size).toBe(64 * 1024);
  }
});

test('output to a descriptor that is not open for writing is a failure', () => {
  const { status, stderr } = bash('chaff --version 1< /dev/null');
  expect([status, stderr]).toEqual([1, expect.stringContaining('bad file descriptor')]);
});

test.each(['strip', 'label'])(
  'chaff %s ends quietly, and not as done, when its reader has enough',
  (command) => {
    const { stdout, stderr } = bash(
      `chaff ${command} ${archive} ${archive} -q | head -c 100 | wc -c; echo \${PIPESTATUS[0]}`,
    );
    expect([stdout, stderr]).toEqual(['100\n141\n', '']);
    expect(readdirSync(scratch)).toEqual([]);
  },
);

test('the same bytes come out of a pipe, a file and a slow reader', () => {
  bash(`chaff strip ${archive} -q > whole.jsonl`);
  bash(`chaff strip ${archive} -q | cat > piped.jsonl`);
  bash(`chaff strip ${archive} -q | (sleep 1; cat) > slow.jsonl`);
  bash(`cat ${archive} | chaff strip - -q | sed 's/"file":"-"/"file":"?"/' > in.jsonl`);
  const whole = readFileSync(at('whole.jsonl'));
  expect(whole.length).toBeGreaterThan(1 << 16);
  expect(readFileSync(at('piped.jsonl')).equals(whole)).toBe(true);
  expect(readFileSync(at('slow.jsonl')).equals(whole)).toBe(true);
  expect(readFileSync(at('in.jsonl'), 'utf8').split('\n')).toHaveLength(String(whole).split('\n').length);
});

test('input that is not asked for is left to others', () => {
  const { stdout } = bash(`printf '1\\n2\\n' | (chaff index ${archive} -q > index.cdxj; cat)`);
  expect(stdout).toBe('1\n2\n');
});

test('input that is not asked for is not waited for', async () => {
  const args = [join(root, 'dist/cli/bin.js'), 'index', archive, '-q', '-o', at('index.cdxj')];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  expect(await once(child, 'exit')).toEqual([0, null]);
  child.stdin.end();
});

test('notes that cannot be written change nothing', () => {
  const { status, stdout } = bash(`chaff strip ${archive} -v 2> /dev/full`);
  expect([status, stdout]).toEqual([0, bash(`chaff strip ${archive} -q`).stdout]);
});

test('a command that is stuck in the system ends soon after the second signal', async () => {
  // nobody reads the pipe, so that opening it never returns
  async function endStuck(workers: number): Promise<void> {
    const own = mkdtempSync(join(scratch, 'stuck-'));
    execFileSync('mkfifo', [join(own, 'fifo')]);
    const args = ['strip', archive, '-o', join(own, 'fifo'), '--workers', String(workers)];
    const child = spawn(process.execPath, [join(root, 'dist/cli/bin.js'), ...args], {
      env: { ...process.env, TMPDIR: own },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    await isStuck(child.pid!);
    child.kill('SIGINT');
    await expect.poll(() => stderr, { timeout: 60_000 }).toContain('once more to stop at once');
    const sentMs = performance.now();
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([null, 'SIGINT']);
    expect(performance.now() - sentMs).toBeLessThan(10_000); // a third of a second, unless the machine is busy
    expect(readdirSync(own)).toEqual(['fifo']);
  }
  await Promise.all([0, 1, 2].map(endStuck));
}, 180_000);

/** Waits until no thread of a process has had anything to do for a second: a busy machine leaves them waiting in state R. */
async function isStuck(pid: number): Promise<void> {
  const threads = `/proc/${pid}/task`;
  const isIdle = (thread: string) => {
    try {
      return readFileSync(join(threads, thread, 'stat'), 'utf8').includes(') S ');
    } catch {
      return false; // it has just ended
    }
  };
  for (let idle = 0; idle < 50; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    idle = !existsSync(threads) || readdirSync(threads).every(isIdle) ? idle + 1 : 0;
  }
}

test('a limit on the address space is reported before anything starts', () => {
  const { status, stderr } = bash('ulimit -v 3000000; chaff --version');
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^chaff: the address space is limited to 3\.1 GB .*\n$/),
  ]);
});
