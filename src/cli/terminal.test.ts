import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff } from '../../test/command-line.ts';
import { warcRecord } from '../../test/sample-archives.ts';
import { main } from './main.ts';
import { guardTerminals } from './terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-terminal-'));
const at = (name: string) => join(folder, name);
const inline = ['--workers', '0'];

/** Title, screen, colour (ours, too), C1, DEL, backspace, carriage return, direction. */
const HOSTILE =
  '\x1b]0;owned\x07 \x1b[2J \x1b[1mbold\x1b[22m \u009b31m \u009d0;owned\u009c \x7f \b\b \r over \u202egnp.exe\u2066';
/** What may not reach a terminal. */
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;
/** What colours and the progress line write. */
const OWN = /\x1b\[(?:1|2|22|33|39)m|\r\x1b\[K/g;

beforeAll(async () => {
  const page = (site: string, k: number, year: number) => ({
    url: `http://${site}.example/${HOSTILE}/${k}?${HOSTILE}`,
    time: `${year}-01-01T00:00:00Z`,
    html:
      `<title>${HOSTILE} ${k}</title><nav class="${HOSTILE}"><a href="/${HOSTILE}">${HOSTILE} menu of the site ${year}</a></nav>` +
      `<main><h1>${HOSTILE}</h1><p>${HOSTILE} ${`word${k}a word${k}b, `.repeat(20 + k)} ${year}</p></main>` +
      `<footer>${HOSTILE} the small print of every page, the same on all of them</footer>`,
  });
  const rows = ['one', 'two'].flatMap((site) =>
    [2019, 2021].flatMap((year) => Array.from({ length: 6 }, (_, k) => page(site, k, year))),
  );
  const faulty = { ...page('one', 99, 2021), html: ' ' };
  writeFileSync(
    at('hostile.jsonl'),
    [...[...rows, faulty].map((row) => JSON.stringify(row)), `{"url": "${HOSTILE}`].join('\n'),
  );
  const twin = page('one', 1, 2021);
  writeFileSync(
    at('hostile.warc'),
    Buffer.concat(rows.map(({ html }, k) => Buffer.from(warcRecord({ url: `http://a.example/${k}`, html })))),
  );
  writeFileSync(at('gold.jsonl'), JSON.stringify({ url: twin.url, text: HOSTILE }));
  writeFileSync(at(`${HOSTILE.replace(/[/;]/g, '')}.html`), twin.html);
  const made = [
    ['report', at('hostile.jsonl'), '-o', at('report'), ...inline],
    ['history', at('hostile.jsonl'), '-o', at('history'), '--site', 'path:1', ...inline],
    ['fragments', at('hostile.jsonl'), '-o', at('fragments'), ...inline],
    ['learn', at('hostile.jsonl'), '-o', at('learnt.model'), ...inline],
  ];
  for (const args of made) expect((await chaff(args)).code).not.toBe(1);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const archive = at('hostile.jsonl');
const formats = (command: string, names: string[], ...flags: string[]) =>
  names.map((name) => [command, archive, '--format', name, '-v', ...flags]);
const documents = ['jsonl', 'text', 'markdown', 'html'];

const COMMANDS: string[][] = [
  ...formats('strip', [...documents, 'warc'], ...inline),
  ...formats('strip', ['html', 'text'], '--model', at('learnt.model')),
  ...formats('page', documents),
  ['strip', at('hostile.warc'), '--format', 'html', '-v', ...inline],
  ['strip', archive, '--templates', '-v', ...inline],
  ['strip', archive, '--mark', '--format', 'text', ...inline],
  ['page', at(`${HOSTILE.replace(/[/;]/g, '')}.html`), '--format', 'html'],
  ['label', archive, '-v', ...inline],
  ['learn', archive, '-o', at('other.model'), '-v', ...inline],
  ['report', archive, '-o', at('again'), '--site', 'path:1', '-v', '--timings', ...inline],
  ['annotate', archive, '-o', at('annotated'), '-v', ...inline],
  ['train', archive, '-o', at('page.json'), '--min-pages', '2', '-v', ...inline],
  ...formats('fragments', ['table', 'csv', 'jsonl'], ...inline),
  ...formats('groups', ['table', 'csv', 'jsonl'], '--site', 'path:1', ...inline),
  ...formats('changes', ['table', 'csv', 'jsonl'], ...inline),
  ...formats('dedup', ['table', 'csv', 'jsonl'], ...inline),
  ['history', archive, '-o', at('history2'), '--site', 'path:1', '-v', ...inline],
  ['index', archive, '-v'],
  ['index', at('hostile.warc'), '-v'],
  ['eval', archive, '--gold', at('gold.jsonl'), '-v'],
  ['eval', archive, '--gold', at('gold.jsonl'), '--format', 'json', '-v'],
  ...['table', 'csv', 'jsonl'].flatMap((format) => [
    ['sql', at('report'), 'select url, title, site, file from pages', '--format', format],
    ['sql', at('report'), 'select text as "a\x1b[2Jb" from templates', '--format', format],
    ['sql', at('report'), 'select * from problems', '--format', format],
    ['sql', at('report'), 'select text from text', '--format', format],
    ['sql', at('fragments'), 'select * from fragment_members', '--format', format],
  ]),
  ['sql', at('report'), `select nothing as "${HOSTILE}" from nowhere`],
  ['sql', at(HOSTILE), 'select 1'],
  ['report', at(HOSTILE), '-o', at('none')],
  ['strip', archive, `--${HOSTILE}`],
  [HOSTILE],
  ['page', '--model', archive, at('hostile.warc')],
];

/** For the runner's own terminal. */
const nameOf = (args: string[]) =>
  args
    .join(' ')
    .replaceAll(`${folder}/`, '')
    .replace(/[^ -~]+/g, '?');

test.each(COMMANDS.map((args) => ({ name: nameOf(args), args })))(
  'no control character of an archive reaches a terminal: $name',
  async ({ args }) => {
    const { stdout, stderr } = await onTerminal(args);
    expect(stdout.length + stderr.length).toBeGreaterThan(0);
    expect(stdout).not.toMatch(CONTROLS);
    expect(stderr.replace(OWN, '')).not.toMatch(CONTROLS);
  },
);

test('our own colours and the progress line stay, and those of an archive do not', async () => {
  const path = at('\x1b[1mnone\x1b[22m.warc');
  const { stderr } = await onTerminal(['report', path, archive, '-o', at('own'), '-v', ...inline]);
  expect(stderr).toMatch(/\x1b\[33m[a-z-]+\x1b\[39m /);
  expect(stderr).toContain('\r\x1b[K');
  expect(stderr).not.toContain('\x1b[1mnone');
});

test('lines, tabs and text in any script stay as they are, also where a character is cut in two', async () => {
  const text = 'a\tb\nعربي ‏mark‎ 漢字 😀 e\u0301\n';
  expect(await printed([text])).toBe(text);
  const bytes = Buffer.from(text);
  expect(await printed([...bytes].map((byte) => Buffer.from([byte])))).toBe(text);
  expect(await printed(['a\r\nb'])).toBe('a\nb');
});

test('files and pipes get the bytes as they are', async () => {
  const args = ['strip', archive, '--format', 'html', ...inline];
  const piped = await chaff(args);
  expect(piped.stdout).toContain('\x1b[2J');
  expect((await onTerminal([...args, '-o', at('pages')])).stdout).toBe('');
  const files = readdirSync(at('pages'), { recursive: true, encoding: 'utf8' });
  const first = files.find((name) => name.endsWith('.html'))!;
  expect(readFileSync(join(at('pages'), first), 'utf8')).toContain('\x1b[2J');
});

/** What a terminal gets of chunks that a command writes. */
async function printed(chunks: (string | Uint8Array)[]): Promise<string> {
  const stdout = new Terminal();
  const { stdout: guard } = guardTerminals({ stdin: new PassThrough(), stdout, stderr: new Terminal() });
  for (const chunk of chunks) guard.write(chunk);
  return stdout.text;
}

async function onTerminal(args: string[]): Promise<{ stdout: string; stderr: string }> {
  const [stdout, stderr] = [new Terminal(), new Terminal()];
  await main(args, { stdin: new PassThrough().end(), stdout, stderr });
  return { stdout: stdout.text, stderr: stderr.text };
}

class Terminal extends Writable {
  readonly isTTY = true;
  #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
