import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashTwin } from '../../test/byte-hash-twin.ts';
import { hashName, mixHigh, mixLow, nameHigh, nameLow } from './hashes.ts';
import { TAG_END } from './kernel-layout.ts';
import { END_TAG, HREF_AT, KNOWN_TAG, SELF_CLOSING, SUMS_AT } from './known-tags.ts';
import { scanKernel } from './scan-kernel.ts';
import { TAG } from './tag-names.ts';

const encoder = new TextEncoder();

/** What a tag comes to: tag with flags, sums, href, the offset past it. */
type Summary = number[];

/** The same, byte by byte: an attribute is what the standard's tokenizer calls one. */
function summaryOf(html: string): Summary | undefined {
  const match = /^<(\/?)([a-z][^\t\n\f\r >/]*)/i.exec(html);
  const name = match?.[2].toLowerCase() as keyof typeof TAG;
  if (match === null || TAG[name] === undefined) return undefined;
  const sums = [0, 0, 0, 0];
  let href = [-1, 0];
  let p = match[0].length;
  for (;;) {
    while (/[\t\n\f\r /]/.test(html[p] ?? '')) p++;
    if (p >= html.length) return undefined;
    if (html[p] === '>') break;
    const written = /^.[^\t\n\f\r >/=]*/s.exec(html.slice(p))?.[0] ?? '';
    p += written.length;
    const value = /^[\t\n\f\r ]*=[\t\n\f\r ]*("([^"]*)"|'([^']*)'|(?![\t\n\f\r "'])([^\t\n\f\r >]*))/.exec(
      html.slice(p),
    );
    if (value === null && /^[\t\n\f\r ]*=[\t\n\f\r ]*["']/.test(html.slice(p))) return undefined;
    let lanes = [0, 0];
    if (value !== null) {
      p += value[0].length;
      const content = value[2] ?? value[3] ?? value[4];
      const end = p - (value[4] === undefined ? 1 : 0);
      lanes = hashTwin(encoder.encode(content));
      if (written.toLowerCase() === 'href' && href[0] < 0) href = [end - content.length, end];
    }
    const hash = hashName(written.toLowerCase());
    const high = (nameHigh(hash, written.length) + lanes[1]) | 0;
    const low = mixLow(nameLow(hash) ^ lanes[0], high);
    sums[0] += low;
    sums[1] += mixHigh(low, high);
    sums[2] += nameLow(hash);
    sums[3] += nameHigh(hash, written.length);
  }
  const isSelfClosing = html[p - 1] === '/' && p > match[0].length;
  const flags = (isSelfClosing ? SELF_CLOSING : 0) | (match[1] === '/' ? END_TAG : 0);
  return [TAG[name] | flags, ...sums.map((sum) => sum | 0), ...href, p + 1];
}

function summaryByKernel(html: string): Summary | undefined {
  const source = encoder.encode(html);
  const kernel = scanKernel(source.length);
  kernel.take(source);
  const place = kernel.next(0, source.length);
  if (place <= 0) return undefined;
  const at = (offset: number) => kernel.words[(place + offset) >> 2];
  const sums = [0, 4, 8, 12].map((lane) => at(SUMS_AT + lane));
  return [at(KNOWN_TAG), ...sums, at(HREF_AT), at(HREF_AT + 4), kernel.words[TAG_END] + 1];
}

const name = fc.constantFrom(
  'a',
  'DIV',
  'td',
  'annotation-xml',
  'lineargradient',
  'x-y',
  'h1',
  'plaintext',
  'aa',
);
const part = fc.constantFrom(
  ...[' ', '\n', '\t\f\r', '/', '=', ' =', '= ', '"', "'", '>', 'a', 'B', 'class', '\0', '\v', '<', '&'],
  ...[
    'href',
    ' HREF=',
    'href="',
    '="x"',
    "='y z'",
    '=w',
    'k'.repeat(15),
    'k'.repeat(16),
    'v'.repeat(40),
    ' id="',
  ],
);
const tags = fc
  .tuple(
    fc.constantFrom('<', '</'),
    name,
    fc.array(part, { maxLength: 12 }),
    fc.constantFrom('>', '"', "'>", ''),
  )
  .map(([open, tagName, parts, end]) => `${open}${tagName}${parts.join('')}${end}`);

test('a tag comes to what it does byte by byte, met for the first time or again', () => {
  fc.assert(
    fc.property(tags, (html) => {
      const expected = summaryOf(html);
      expect(summaryByKernel(html)).toEqual(expected);
      expect(summaryByKernel(html)).toEqual(expected);
    }),
    { seed: 3, numRuns: 10_000 },
  );
});

test("every one of HTML's own names is found, in any case", () => {
  for (const [written, tag] of Object.entries(TAG)) {
    for (const tagName of [written, written.toUpperCase()]) {
      expect(summaryByKernel(`<${tagName} x${tag}>`)?.[0]).toBe(tag);
      expect(summaryByKernel(`</${tagName}>`)?.[0]).toBe(tag | END_TAG);
      expect(summaryByKernel(`<${tagName}x-y>`)).toBeUndefined();
    }
  }
});

test('the order of attributes does not matter, their values do', () => {
  const [first, second, other] = ['<b id=a class="c">', '<b class=c id=a>', '<b id=c class=a>'].map(
    summaryByKernel,
  );
  expect(second?.slice(0, 5)).toEqual(first?.slice(0, 5));
  expect(other?.slice(1, 3)).not.toEqual(first?.slice(1, 3));
  expect(other?.slice(3, 5)).toEqual(first?.slice(3, 5));
});
