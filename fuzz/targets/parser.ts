/** Tests random HTML: the tree is valid, and all ways to build it agree. */
import { isDeepStrictEqual } from 'node:util';
import { noneDetector } from '../../src/detect/none-detector.ts';
import { pageDetector } from '../../src/detect/page/page-detector.ts';
import { holdTree, PageArena } from '../../src/parse/page-arena.ts';
import { Parser } from '../../src/parse/parser.ts';
import type { Tree } from '../../src/parse/tree.ts';
import { findUnsound } from '../../test/find-unsound.ts';
import { columnsOf } from '../../test/held-tree.ts';
import { compareWithParse5 } from '../../test/parse5-oracle.ts';
import { mutate, pick, repeated } from '../mutate.ts';
import { promise, type Random, type Target } from '../target.ts';
import { rangesTile } from './ranges-tile.ts';

const split = (names: string) => names.split(' ');
const GROUPS = [
  split('p div ul li dl dt dd h1 h2 section hr pre listing address form fieldset details summary center'),
  split('a b i font nobr em strong span big code small u tt p div'),
  split('table tbody thead tfoot tr td th caption colgroup col p b a form input select'),
  split('select option optgroup input textarea button label hr table tr'),
  split(
    'svg math g desc foreignobject title mi mo mtext annotation-xml mglyph malignmark path font p br table',
  ),
  split('html head body frameset frame noframes base link meta title'),
  split('template table tr td col p script style'),
  split('script style xmp iframe noembed noscript plaintext textarea title noframes'),
  split('img br wbr area embed param source track image keygen object applet marquee ruby rb rt rp x-y'),
];
const ALL = GROUPS.flat();
const TEXTS = [
  'x',
  ' ',
  '\n',
  '\t',
  'y z',
  'é',
  '世',
  '\u{1F600}',
  '&amp;',
  '&#0;',
  '&nosemi',
  '\0',
  '<',
  '</',
  '<!',
  '>',
  '"',
  "'",
  '=',
  '/',
];
const OTHERS = [
  '<!--c-->',
  '<!--',
  '-->',
  '--!>',
  '<!doctype html>',
  '<!doctype html public "-//W3C//DTD HTML 3.2//EN">',
  '<?xml x?>',
  '<![CDATA[x]]>',
  ']]>',
  '</script',
  '<script><!--<script>',
  '</ p>',
  '\r\n',
  '\f',
];
const ATTRIBUTES = [
  'a=1',
  'href="x y"',
  "id='é'",
  'type=hidden',
  'color',
  'encoding=text/html',
  '=',
  'a="<p>',
  '/',
  'a\0b=c',
  'A=2 a=3',
];

const PAGE = {
  file: 'a',
  offset: 0,
  url: 'http://a.example/',
  time: '',
  status: 200,
  mime: 'text/html',
  recordId: '',
  payloadDigest: '',
  site: 'a.example',
  charset: 'UTF-8',
};
const judge = pageDetector();
const arena = new PageArena();
const parser = new Parser();
const usedParser = new Parser();
let compared = 0;
let same = 0;

/** The target `parser`. */
export const parserTarget: Target = {
  name: 'parser',
  extension: 'html',

  generate(random) {
    const names = random(3) ? pick(random, GROUPS) : ALL;
    const tokens = Array.from({ length: 1 + random(random(4) ? 15 : 80) }, () => token(random, names));
    const soup = Buffer.from(tokens.join(''));
    return random(4)
      ? soup
      : mutate(soup, random, { tokens: [...OTHERS, '<table>', '<b><p>', '<a href=x>'] });
  },

  check(bytes) {
    const source = Uint8Array.from(bytes);
    arena.reset();
    const tree = holdTree(parser.parse(source), arena);
    const fault = findUnsound(tree);
    promise('columns are valid', fault === '', () => fault);

    // half a page leaves elements open
    usedParser.parse(source.subarray(0, source.length >> 1));
    const [columns, again] = [columnsOf(tree), columnsOf(usedParser.parse(source))];
    promise('the previous page does not affect the parser', isDeepStrictEqual(columns, again), () =>
      difference(columns, again),
    );

    for (const detector of [noneDetector(), judge]) {
      const page = { ...PAGE, length: source.length };
      const ranges = detector.label({ page, tree }, detector.learn('a.example', []) as never);
      promise(`ranges of ${detector.name} tile the page`, rangesTile(ranges, source.length), () =>
        JSON.stringify(ranges),
      );
    }
    if (source.length % 16 === 0) sampleParse5(tree);
  },

  share: () => ({ name: 'outline of parse5', part: same, whole: compared }),
};

/** Compares a tree with parse5; where content is moved out of tables, the trees differ on purpose. */
function sampleParse5(tree: Tree): void {
  if (tree.fosteredCount > 0) return;
  compared++;
  if (compareWithParse5(tree).sameOutline) same++;
}

function token(random: Random, names: readonly string[]): string {
  const kind = random(14);
  if (kind < 5) return `<${name(random, names)}>`;
  if (kind < 6) return `<${name(random, names)} ${pick(random, ATTRIBUTES)}${random(3) ? '' : ' /'}>`;
  if (kind < 10) return `</${name(random, names)}>`;
  if (kind < 13) return pick(random, TEXTS);
  if (random(40) === 0) return repeated(random, `<${name(random, names)}>`, 8192).toString();
  return pick(random, OTHERS);
}

function name(random: Random, names: readonly string[]): string {
  const chosen = pick(random, names);
  if (random(30)) return chosen;
  return pick(random, [chosen.toUpperCase(), `${chosen}\0`, `${chosen}é`, `${chosen}x`]);
}

function difference(tree: Record<string, unknown>, other: Record<string, unknown>): string {
  for (const [column, values] of Object.entries(tree)) {
    if (!isDeepStrictEqual(values, other[column])) return `column ${column} differs`;
  }
  return 'they differ';
}
