import { expect, test } from 'vitest';
import { seededRandom } from '../../test/seeded-random.ts';
import { TextWriter } from '../../test/text-writer.ts';
import type { Label, Range } from '../model/range.ts';
import { Parser } from '../parse/parser.ts';
import { threadTextRenderer } from './visible-text.ts';
import { walkPage } from './walk.ts';

const parser = new Parser();

function range(start: number, end: number, label: Label): Range {
  return { start, end, label, score: 1, template: '', reason: '' };
}

const LABELS: readonly Label[] = ['template', 'slot', 'content', 'unsure'];
const BRACKETS = { template: 1, unsure: 2, slot: 4 };
const MODES = [
  { keep: ['content', 'slot', 'unsure'] as const, mark: false, json: true },
  { keep: ['content', 'slot', 'unsure'] as const, mark: false, json: false },
  { keep: ['template', 'slot'] as const, mark: false, json: false },
  { keep: LABELS, mark: true, json: false },
];

/** Expects the text that the twin writes, in every mode; returns that of the first mode. */
function compare(source: Buffer, ranges: readonly Range[], modes = MODES): string {
  const tree = parser.parse(source);
  const texts = modes.map(({ keep, mark, json }) => {
    const writer = new TextWriter(tree, { keep, mark, json });
    walkPage(tree, ranges, writer);
    const expected = writer.finish().toString('latin1');
    const brackets = mark ? BRACKETS : undefined;
    const text = threadTextRenderer().render(tree, ranges, { keep, brackets, json });
    if (Buffer.from(text).toString('latin1') !== expected) {
      expect.fail(
        `another text: ${JSON.stringify(source.toString('latin1', 0, 1000))} ${JSON.stringify(ranges)}`,
      );
    }
    return Buffer.from(text).toString();
  });
  return texts[0];
}

const PIECES = [
  ...['<p>', '</p>', '<div>', '</div>', '<b>', '</b>', '<i>', '</i>', '<a href=x>', '</a>', '<br>', '<hr>'],
  ...['<table>', '<tr>', '<td>', '</table>', '<ul>', '<li>', '</ul>', '<img>', '<button>', '</button>'],
  ...[
    '<pre>',
    '</pre>',
    '<pre>\n',
    '<pre>\r\n',
    '<textarea>',
    '</textarea>',
    '<xmp>',
    '</xmp>',
    '<svg>',
    '</svg>',
  ],
  ...[
    '<sup>',
    '</sup>',
    '<sub>',
    '</sub>',
    '<sup>2</sup>',
    '<sub>n+1</sub>',
    '<sup>2,3</sup>',
    '7',
    '-',
    '−',
  ],
  ...[
    '<q>',
    '</q>',
    '<rt>',
    '</rt>',
    '<select>',
    '</select>',
    '<time>',
    '</time>',
    '</a><a href=y>',
    '</time><time>',
  ],
  ...['<p hidden>', '<i hidden="">', '<b style="color: red; display: none">', '<i style=visibility:hidden>'],
  ...[
    '<b class="a sr-only">',
    '<p class="visually-hidden">',
    '<b class=screen-reader-text>',
    '<b class=hidden>',
  ],
  ...['<a href=#x>¶</a>', '<a href=#x> # </a>', '<a>&para;</a>', '<a>§</a>', '<a>🔗</a>', '<h2>', '</h2>'],
  ...['<script>x</script>', '<title>t</title>', '<!-- c -->', '<x-y>', '</x-y>', '<noscript>', '</noscript>'],
  ...[
    ' ',
    '  ',
    '\n',
    '\t',
    '\r\n',
    '\f',
    '\v',
    '\0',
    '\x01',
    '\x7f',
    '\u0080',
    '\u0085',
    '\u00a0',
    '\u00a9',
    '\u00ad',
    '&shy;',
  ],
  ...[
    'a',
    'word',
    ' two words ',
    'a sentence that is longer than sixteen bytes',
    '"',
    '\\',
    '&',
    ';',
    '<',
    '>',
  ],
  ...[
    '&amp;',
    '&nbsp;',
    '&quot;',
    '&copy',
    '&copy;',
    '&#8217;',
    '&#x1F600;',
    '&#0;',
    '&#10;',
    '&Tab;',
    '&bsol;',
  ],
  ...['&notit;', '&unknown;', '&nGg;', '&CounterClockwiseContourIntegral;', `&${'long'.repeat(8)}`, '&#133;'],
  ...['é', '漢字', '😀', '\u2028'],
];

function randomPage(random: () => number): Buffer {
  const pieces = Array.from(
    { length: 1 + 60 * random() },
    () => PIECES[Math.floor(PIECES.length * random())],
  );
  return Buffer.from(pieces.join(''));
}

/** Ranges that begin and end anywhere, inside characters too, some of them empty, with gaps between some. */
function randomRanges(size: number, random: () => number): Range[] {
  const cuts = Array.from({ length: 10 * random() }, () => Math.floor((size + 1) * random())).sort(
    (a, b) => a - b,
  );
  const ranges = [];
  for (let k = 0; k + 1 < cuts.length; k++) {
    const label = LABELS[Math.floor(4 * random())];
    if (random() < 0.8) ranges.push(range(cuts[k], cuts[k + 1], label));
  }
  return ranges;
}

test('any page gives the text that its plain twin writes', () => {
  const random = seededRandom(1);
  let written = 0;
  for (let round = 0; round < 4000; round++) {
    const source = randomPage(random);
    written += compare(source, randomRanges(source.length, random)).length;
  }
  expect(written).toBeGreaterThan(70_000);
});

test('a page cut after any byte gives the same, also in the middle of a character', () => {
  const source = Buffer.from(
    '<p>é\u00a0"x"</p> <pre>\n é\u0085\u00a9 </pre>&eacute;<td>漢</td>\u00a9<pre>\u00a9',
  );
  for (let end = 0; end <= source.length; end++) {
    const cut = source.subarray(0, end);
    for (let at = 0; at <= end; at++) {
      const text = compare(cut, [range(0, at, 'template'), range(at, end, 'unsure')]);
      expect(text.length).toBeLessThanOrEqual(2 * end);
    }
  }
});

test('more references than the table holds are decoded', () => {
  const references = Array.from({ length: 5000 }, (_, k) => `&#${0x4e00 + k};`);
  const text = compare(Buffer.from(`<p>${references.join(' ')}</p>`), []);
  expect(text).toBe(references.map((_, k) => String.fromCharCode(0x4e00 + k)).join(' '));
  compare(Buffer.from(`<p>${references.reverse().join('')}</p>`), []);
});

test('references too long for the table are decoded', () => {
  const long = `&${'x'.repeat(400_000)};`;
  expect(compare(Buffer.from(`<p>a ${long} b &#${'0'.repeat(100)}65; ${long}</p>`), [])).toBe(
    `a ${long} b A ${long}`,
  );
});

test('ranges may be many', () => {
  const source = Buffer.alloc(40_000, 'x');
  const single = Array.from({ length: 20_000 }, (_, k) => range(2 * k, 2 * k + 1, 'template'));
  expect(compare(source, single)).toBe(Array(20_000).fill('x').join(' '));
});

test('a range that overlaps the one before it starts where that one ends', () => {
  const tree = parser.parse(Buffer.from('abcdef'));
  const ranges = [range(1, 3, 'template'), range(0, 2, 'content'), range(2, 5, 'content')];
  const text = threadTextRenderer().render(tree, ranges, { keep: ['content'], json: false });
  expect(Buffer.from(text).toString()).toBe('a def');
});

test('the largest possible text fits', () => {
  // every byte separated from the one before and escaped
  compare(Buffer.alloc(1 << 18, '<pre>\n"\\'), []);
  compare(Buffer.alloc(4 << 20, '"\u00a0'), [], MODES.slice(0, 1));
  const largest = Buffer.concat([Buffer.from('<pre>'), Buffer.alloc((4 << 20) - 5, '"\n')]);
  expect(compare(largest, [], MODES.slice(0, 1)).length).toBeGreaterThan((8 << 20) - 20);
});
