import { expect, test } from 'vitest';
import { seededRandom } from '../../test/seeded-random.ts';
import type { Label, Range } from '../model/range.ts';
import { Parser } from '../parse/parser.ts';
import { TextKernel } from './text-kernel.ts';
import { renderPlainJsonText } from './visible-text.ts';

const kernel = new TextKernel();
const parser = new Parser();
let leftToTwin = 0;

function range(start: number, end: number, label: Label): Range {
  return { start, end, label, score: 1, template: '', reason: '' };
}

/** Expects the text that text-writer.ts writes, or none where that is left to it; gives it. */
function compare(source: Buffer, ranges: readonly Range[], isForKernel: boolean | 'perhaps' = true): string {
  const tree = parser.parse(source);
  const expected = Buffer.from(renderPlainJsonText(tree, ranges)).toString('latin1');
  const text = kernel.render(tree, ranges);
  if (isForKernel !== 'perhaps') expect(text !== undefined).toBe(isForKernel);
  if (text === undefined) leftToTwin++;
  if (text !== undefined && Buffer.from(text).toString('latin1') !== expected) {
    expect.fail(
      `another text: ${JSON.stringify(source.toString('latin1', 0, 1000))} ${JSON.stringify(ranges)}`,
    );
  }
  return expected;
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
    const label = (['template', 'content', 'unsure'] as const)[Math.floor(3 * random())];
    if (random() < 0.8) ranges.push(range(cuts[k], cuts[k + 1], label));
  }
  return ranges;
}

test('any page gives the text that is written without the kernel', () => {
  const random = seededRandom(1);
  let written = 0;
  for (let round = 0; round < 6000; round++) {
    const source = randomPage(random);
    written += compare(source, randomRanges(source.length, random), 'perhaps').length;
  }
  // what follows a long reference can make it too long
  expect(leftToTwin).toBeLessThan(300);
  expect(written).toBeGreaterThan(100_000);
});

test('a page cut after any byte gives the same, also in the middle of a character', () => {
  const source = Buffer.from('<p>é\u00a0"x"</p> <pre>\n é\u0085\u00a9 </pre>&eacute;<td>漢</td>\u00a9');
  for (let end = 0; end <= source.length; end++) {
    const cut = source.subarray(0, end);
    for (let at = 0; at <= end; at++) compare(cut, [range(0, at, 'template'), range(at, end, 'unsure')]);
  }
});

test('more references than are remembered are decoded all the same', () => {
  const references = Array.from({ length: 5000 }, (_, k) => `&#${0x4e00 + k};`);
  const text = compare(Buffer.from(`<p>${references.join(' ')}</p>`), []);
  expect(Buffer.from(text, 'latin1').toString()).toBe(
    references.map((_, k) => String.fromCharCode(0x4e00 + k)).join(' '),
  );
  compare(Buffer.from(`<p>${references.reverse().join('')}</p>`), []);
});

test('a reference too long to be remembered is left to the twin', () => {
  compare(Buffer.from(`<p>a &${'x'.repeat(40)}; b</p>`), [], false);
  compare(Buffer.from(`<p>a {{&${'x'.repeat(40)};}} b</p>`), [range(3, 60, 'template')]);
});

test('large pages, many ranges and ranges in disorder are left to the twin', () => {
  const most = 4 << 20;
  compare(Buffer.alloc(most, 'word '), []);
  compare(Buffer.alloc(most + 1, 'word '), [], false);
  compare(Buffer.from('<b>x'.repeat((1 << 17) + 10)), [], false);
  const source = Buffer.alloc(40_000, 'x');
  const single = Array.from({ length: 20_000 }, (_, k) => range(2 * k, 2 * k + 1, 'template'));
  compare(source, single.slice(0, 8000));
  compare(source, single, false);
  compare(source, [range(10, 20, 'template'), range(15, 30, 'unsure')], false);
  compare(source, [range(10, 20, 'template'), range(0, 10, 'unsure')], false);
});

test('the largest text there can be fits', () => {
  // every byte parted from the one before and escaped
  compare(Buffer.alloc(1 << 18, '<pre>\n"\\'), []);
  compare(Buffer.alloc(4 << 20, '"\u00a0'), []);
  compare(Buffer.concat([Buffer.from('<pre>'), Buffer.alloc((4 << 20) - 5, '"\n')]), []);
});
