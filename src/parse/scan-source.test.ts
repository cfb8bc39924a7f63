/** Compares the results of the scanner with slow definitions in plain TypeScript. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashTwin } from '../../test/byte-hash-twin.ts';
import { hashName, mixHigh, mixLow, nameHigh, nameLow } from './hashes.ts';
import { Parser } from './parser.ts';
import { TAG, tagName } from './tag-names.ts';
import { COMMENT, TEXT, type Tree } from './tree.ts';

const encoder = new TextEncoder();
const parser = new Parser();
const parse = (html: string): Tree => parser.parse(encoder.encode(html));
const nodesOf = (tree: Tree): number[] => Array.from({ length: tree.nodeCount }, (_, node) => node);

/** End of a script's content, by the states of the standard's tokenizer. */
function scriptEnd(content: string): number {
  const token = /<!--|-->|<\/?script(?=[\t\n\f\r />])/gi;
  let state: 'script' | 'comment' | 'nested' = 'script';
  for (let match = token.exec(content); match !== null; match = token.exec(content)) {
    const found = match[0].toLowerCase();
    if (found === '<!--') {
      if (state === 'script') state = 'comment';
      // the dashes may also belong to the end of the comment
      token.lastIndex = match.index + 2;
    } else if (found === '-->') state = 'script';
    else if (found === '<script' && state === 'comment') state = 'nested';
    else if (found === '</script') {
      if (state !== 'nested') return match.index;
      state = 'comment';
    }
  }
  return content.length;
}

const pieces = (...own: string[]) =>
  fc
    .array(
      fc.constantFrom(...own, 'x', ' ', '\n', '<', '</', '!', '-', '--', '>', 'y'.repeat(15), 'z'.repeat(33)),
      { maxLength: 25 },
    )
    .map((parts) => parts.join(''));

/** End of the content of the first element with a name, which must begin with a letter. */
function contentEnd(tree: Tree, name: string): number {
  const element = nodesOf(tree).find((node) => tagName(tree, node) === name)!;
  expect(tree.kind[element + 1]).toBe(TEXT);
  return tree.end[element + 1] - tree.openEnd[element];
}

test('a script ends as the standard defines, with comments and scripts inside skipped', () => {
  const own = ['<!--', '-->', '<script>', '</script>', '</SCRIPT ', '<script', '</scripts>', '</script/'];
  fc.assert(
    fc.property(pieces(...own, '<!-->'), (soup) => {
      const content = `x${soup}`;
      expect(contentEnd(parse(`<script>${content}`), 'script')).toBe(scriptEnd(content));
    }),
    { seed: 4, numRuns: 5000 },
  );
});

test.each(['style', 'title', 'textarea', 'noframes', 'xmp', 'iframe', 'noembed'] as const)(
  'the content of %s ends only at its own end tag',
  (name) => {
    const own = [`</${name}>`, `</${name.toUpperCase()} a>`, `</${name}`, `<!-- </${name}/`, `<${name}>`];
    fc.assert(
      fc.property(pieces(...own), (soup) => {
        const content = `x${soup}`;
        const end = content.search(new RegExp(`</${name}[\\t\\n\\f\\r />]`, 'i'));
        const expected = end < 0 ? content.length : end;
        expect(contentEnd(parse(`<body><${name}>${content}`), name)).toBe(expected);
      }),
      { seed: 4 },
    );
  },
);

test('a comment ends as the standard defines', () => {
  fc.assert(
    fc.property(pieces('-->', '--!>', '->', '!>', '<!--'), (content) => {
      const tree = parse(`<!--${content}`);
      const short = /^-?>/.exec(content)?.[0].length;
      const end = /--!?>/.exec(content);
      const past = short ?? (end === null ? content.length : end.index + end[0].length);
      expect(tree.kind[1]).toBe(COMMENT);
      expect(tree.end[1]).toBe(4 + past);
    }),
    { seed: 4, numRuns: 5000 },
  );
});

/** Copies a text byte by byte by the parser's rules; returns it with the end of the text in the source. */
function collapsed(source: Uint8Array): { text: number[]; end: number } {
  const text: number[] = [];
  let at = 0;
  for (; at < source.length; at++) {
    const byte = source[at];
    if (byte === 0x3c && at + 1 < source.length) {
      const next = String.fromCharCode(source[at + 1]);
      if (/[a-z!?]/i.test(next) || (next === '/' && at + 2 < source.length)) break;
    }
    if ([0x09, 0x0a, 0x0c, 0x0d, 0x20].includes(byte)) {
      if (text.length > 0 && text.at(-1) !== 0x20) text.push(0x20);
    } else if (byte !== 0) text.push(byte);
  }
  if (text.at(-1) === 0x20) text.pop();
  return { text, end: at };
}

test('text is copied as by the slow definition: white space collapsed, zeros dropped, up to the next markup', () => {
  const parts = [' ', '  ', '\n', '\t', '\r\n', '\v', '\0', '\x01', 'a', 'é', '日本', '<', '< ', 'word'];
  const soup = fc
    .array(fc.constantFrom(...parts, 'x'.repeat(17), ' y'.repeat(20)), { maxLength: 30 })
    .map((list) => list.join(''));
  fc.assert(
    fc.property(soup, soup, fc.constantFrom('', '<b>', '</b>', '<!-- -->', '<?', '<', '</'), (a, b, tag) => {
      const source = encoder.encode(`a${a}${tag}${b}`);
      const expected = collapsed(source);
      const tree = parser.parse(source);
      const node = nodesOf(tree).find((id) => tree.kind[id] === TEXT)!;
      const [start, end] = [tree.textStart[node], tree.textStart[node + 1]];
      expect([...tree.text.subarray(start, end)]).toEqual(expected.text);
      expect(tree.end[node]).toBe(expected.end);
      expect([tree.contentLow[node], tree.contentHigh[node]]).toEqual(
        hashTwin(Uint8Array.from(expected.text)),
      );
    }),
    { seed: 1, numRuns: 2000 },
  );
});

/**
 * Reads a start tag by the slow definition: content hash and shape hash of an empty element, href, and the
 * offset after the tag.
 */
function summaryOf(html: string): number[] | undefined {
  const match = /^<([a-z][^\t\n\f\r >/]*)/i.exec(html)!;
  const name = match[1].toLowerCase();
  const nameSize = encoder.encode(name).length;
  const sums = [0, 1, 0, 1].map((lane) =>
    lane ? nameHigh(hashName(name), nameSize) : nameLow(hashName(name)),
  );
  let href = [-1, -1];
  let at = match[0].length;
  for (;;) {
    while (/[\t\n\f\r /]/.test(html[at] ?? '')) at++;
    if (at >= html.length) return undefined;
    if (html[at] === '>') break;
    const written = /^.[^\t\n\f\r >/=]*/s.exec(html.slice(at))?.[0] ?? '';
    at += written.length;
    const value = /^[\t\n\f\r ]*=[\t\n\f\r ]*("([^"]*)"|'([^']*)'|(?![\t\n\f\r "'])([^\t\n\f\r >]*))/.exec(
      html.slice(at),
    );
    if (value === null && /^[\t\n\f\r ]*=[\t\n\f\r ]*["']/.test(html.slice(at))) return undefined;
    let lanes = [0, 0];
    if (value !== null) {
      at += value[0].length;
      const content = value[2] ?? value[3] ?? value[4];
      const end = at - (value[4] === undefined ? 1 : 0);
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
  const hashes = [0, 2].flatMap((lane) => {
    const high = (sums[lane + 1] + EMPTY_HIGH) | 0;
    const low = mixLow(sums[lane] ^ EMPTY_LOW, high);
    return [low, mixHigh(low, high)];
  });
  return [...hashes, ...(name === 'a' ? href : [-1, -1]), at + 1];
}

/** Lanes before the first child of an element. */
const EMPTY_LOW = 0x3c6ef372;
const EMPTY_HIGH = 0x1b873593;

/** The same values from the parser; nodes for document, html, head and body precede the element. */
function summaryByParser(html: string): number[] | undefined {
  const tree = parse(`<body>${html}`);
  if (tree.nodeCount < 5) return undefined;
  const hashes = [tree.contentLow[4], tree.contentHigh[4], tree.shapeLow[4], tree.shapeHigh[4]];
  const href = tree.linkCount > 0 ? [tree.linkStart[0] - 6, tree.linkEnd[0] - 6] : [-1, -1];
  return [...hashes, ...href, tree.openEnd[4] - 6];
}

test('a start tag gives the values of the slow definition, on first sight and from the cache', () => {
  const name = fc.constantFrom('a', 'DIV', 'span', 'annotation-xml', 'lineargradient', 'x-y', 'h1', 'aa');
  const part = fc.constantFrom(
    ...[' ', '\n', '\t\f\r', '/', '=', ' =', '= ', '"', "'", '>', 'a', 'B', 'class', '\0', '\v', '<', '&'],
    ...['href', ' HREF=', 'href="', '="x"', "='y z'", '=w', 'k'.repeat(15), 'k'.repeat(16), 'v'.repeat(40)],
  );
  const tags = fc
    .tuple(name, fc.array(part, { maxLength: 12 }), fc.constantFrom('>', '"', "'>", ''))
    .map(([tag, parts, end]) => `<${tag} ${parts.join('')}${end}`);
  fc.assert(
    fc.property(tags, (html) => {
      const expected = summaryOf(html);
      // content would follow the tag
      const only = expected === undefined ? html : html.slice(0, expected[6]);
      expect(summaryByParser(only)).toEqual(expected);
      expect(summaryByParser(only)).toEqual(expected);
    }),
    { seed: 3, numRuns: 10_000 },
  );
});

test('every HTML name has the id of the table, in any case', () => {
  for (const [written, tag] of Object.entries(TAG)) {
    for (const name of [written, written.toUpperCase()]) {
      // inside svg no name has rules of its own, except those that end the svg
      const tree = parse(`<svg><${name} x${tag}>`);
      const found = nodesOf(tree).filter((node) => tree.start[node] === 5);
      expect(found.map((node) => tree.name[node])).toEqual(
        written === 'body' || written === 'head' ? [] : [tag],
      );
      expect(tagName(parse(`<svg><${name}x-y>`), 5)).toBe(`${written}x-y`);
    }
  }
});

test('hashes ignore the order of attributes but not their values', () => {
  const [first, second, other] = ['<b id=a class="c">', '<b class=c id=a>', '<b id=c class=a>'].map(
    (html) => summaryByParser(html)!,
  );
  expect(second.slice(0, 4)).toEqual(first.slice(0, 4));
  expect(other.slice(0, 2)).not.toEqual(first.slice(0, 2));
  expect(other.slice(2, 4)).toEqual(first.slice(2, 4));
});
