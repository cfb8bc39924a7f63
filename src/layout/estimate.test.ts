import { expect, test } from 'vitest';
import { Parser } from '../parse/parser.ts';
import { tagName } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';
import type { Boxes } from './boxes.ts';
import { LayoutEstimator } from './estimate.ts';

const parser = new Parser();
const estimator = new LayoutEstimator();
const encoder = new TextEncoder();
const words = (count: number): string => 'word '.repeat(count);

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
  width: number;
  height: number;
}

/** The boxes of a page's elements by tag name, in document order. */
function layout(html: string): { of: (name: string, nth?: number) => Box; boxes: Boxes; tree: Tree } {
  const tree = parser.parse(encoder.encode(html));
  const boxes = estimator.estimate(tree);
  const of = (name: string, nth = 0): Box => {
    const nodes = Array.from({ length: tree.nodeCount }, (_, node) => node);
    const node = nodes.filter((id) => tagName(tree, id) === name)[nth];
    const [left, top] = [boxes.left[node], boxes.top[node]];
    const [width, height] = [boxes.width[node], boxes.height[node]];
    return { left, top, width, height, right: left + width, bottom: top + height };
  };
  return { of, boxes, tree };
}

test('blocks stand below each other, as wide as the window', () => {
  const { of } = layout('<!doctype html><body><div>one</div><div>two</div>');
  expect(of('div').width).toBe(1264);
  expect(of('div', 1).top).toBeCloseTo(of('div').bottom);
});

test('a longer text takes more lines', () => {
  const { of } = layout(`<p>${words(10)}</p><p>${words(1000)}</p>`);
  expect(of('p').height).toBeLessThan(25);
  expect(of('p', 1).height).toBeGreaterThan(10 * of('p').height);
});

test('East Asian text is twice as wide', () => {
  const { of } = layout(`<span>${'x'.repeat(20)}</span><br><span>${'語'.repeat(20)}</span>`);
  expect(of('span', 1).width).toBeCloseTo(2 * of('span').width);
});

test('cells of a row stand side by side, as high as the row', () => {
  const { of } = layout(`<table width=900><tr><td width=200>menu<td>${words(500)}</table>`);
  expect(of('td', 1).left).toBeGreaterThan(of('td').right);
  expect(of('td', 1).width).toBeGreaterThan(600);
  expect(of('td').height).toBe(of('td', 1).height);
});

test('a cell over two columns is as wide as both', () => {
  const { of } = layout('<table width=600><tr><td colspan=2>a<tr><td width=200>b<td>c</table>');
  expect(of('td').width).toBeCloseTo(of('td', 1).width + of('td', 2).width + 2);
});

test('scripts, hidden inputs and closed details have no area', () => {
  const { of } = layout('<script>1</script><input type=hidden><details><summary>s</summary><p>p</details>');
  for (const name of ['script', 'input', 'p', 'head']) expect(of(name).width * of(name).height).toBe(0);
  expect(of('summary').height).toBeGreaterThan(0);
});

test('pictures are as large as their attributes say', () => {
  const { of } = layout('<img width=300 height=200>');
  expect([of('img').width, of('img').height]).toEqual([300, 200]);
});

test('headings are larger than text', () => {
  const { of } = layout('<h1>x</h1><p>x</p>');
  expect(of('h1').height).toBeCloseTo(2 * of('p').height);
});

test.each([
  ['an empty page', ''],
  ['one text', 'text'],
  ['no body', '<head><title>x</title></head>'],
  ['a frameset', '<frameset cols="20%,80%"><frame src=a><frame src=b><noframes>x</noframes></frameset>'],
  ['rows without a table', '<div style="display:table-row"><td>x</td></div>'],
])('%s has finite boxes', (_, html) => {
  const { boxes } = layout(html);
  for (let node = 0; node < boxes.nodeCount; node++) {
    for (const column of [boxes.left, boxes.top, boxes.width, boxes.height]) {
      expect(Number.isFinite(column[node])).toBe(true);
    }
    expect(boxes.width[node] * boxes.height[node]).toBeGreaterThanOrEqual(0);
  }
  expect(Number.isFinite(boxes.pageHeight)).toBe(true);
});

test('a page of 100,000 nodes is laid out', () => {
  const { boxes } = layout('<div><p>a<table><tr><td>b</table></div>'.repeat(15_000));
  expect(boxes.nodeCount).toBeGreaterThan(100_000);
  expect(boxes.pageHeight).toBeGreaterThan(100_000);
});

test('the same page gives the same boxes, whatever came before', () => {
  const html = `<table><tr><td>a<td>${words(40)}</table><p align=right>x`;
  const first = [...layout(html).boxes.left.subarray(0, 12)];
  layout(`<center><ul><li style="float:left">${words(100)}</ul></center>`);
  expect([...layout(html).boxes.left.subarray(0, 12)]).toEqual(first);
});

test('a style attribute sets the width; auto margins centre', () => {
  const { of } = layout('<body style="margin:0"><div style="width:800px;margin:0 auto;padding:10px">x</div>');
  expect([of('div').left, of('div').width]).toEqual([230, 820]);
});

test('columns that float stand side by side, and what clears them below', () => {
  const { of } =
    layout(`<style>.left{float:left;width:25%} main{float:right;width:70%} footer{clear:both}</style>
    <nav class="left">${words(60)}</nav><main>${words(900)}</main><footer>x</footer>`);
  expect(of('main').left).toBeGreaterThan(of('nav').right);
  expect(of('main').top).toBe(of('nav').top);
  expect(of('footer').top).toBeGreaterThanOrEqual(of('main').bottom);
});

test('text runs beside a float, and below it over the whole width', () => {
  const alone = layout(`<p>${words(40)}</p>`).of('p').height;
  const { of } = layout(`<img align=left width=600 height=100><p>${words(40)}</p><p>${words(400)}</p>`);
  expect(of('p').height).toBeGreaterThan(alone);
  expect(of('p', 1).height).toBeLessThan(8 * alone);
});

test('what clears after its content holds its floats', () => {
  const css = '.row:after{content:"";clear:both} nav{float:left;height:90px}';
  expect(layout(`<style>${css}</style><div class=row><nav>x</nav></div>`).of('div').height).toBe(90);
});

test('boxes of a flex row share its width', () => {
  const { of } = layout(
    '<style>section{display:flex;width:1000px} p{flex:1} aside{width:200px}</style><section><p>a</p><aside>b</aside></section>',
  );
  expect(of('p').width).toBeCloseTo(800);
  expect(of('aside').left).toBeCloseTo(of('p').right);
  expect(of('aside').height).toBe(of('section').height);
});

test('a row that wraps goes on below', () => {
  const { of } = layout(
    '<ul style="display:flex;flex-wrap:wrap;width:500px;padding:0"><li style="width:300px">a<li style="width:300px">b</ul>',
  );
  expect(of('li', 1).top).toBeGreaterThanOrEqual(of('li').bottom);
});

test('children fill the columns of a grid in turn', () => {
  const { of } = layout(
    '<div style="display:grid;grid-template-columns:200px 1fr 1fr;width:1000px"><p>a</p><p>b</p><p>c</p><p>d</p></div>',
  );
  expect([of('p').width, of('p', 1).width]).toEqual([200, 400]);
  expect(of('p', 3).left).toBe(of('p').left);
  expect(of('p', 3).top).toBeGreaterThan(of('p').top);
});

test('an absolute box takes no room and stands where it says', () => {
  const { of } = layout(
    '<body style="margin:0"><div style="position:absolute;left:100px;top:50px;width:80px">x</div><p style="margin:0">y</p>',
  );
  expect([of('div').left, of('div').top, of('div').width]).toEqual([100, 50, 80]);
  expect(of('p').top).toBe(0);
});

test('what is hidden, invisible or left of the page has no area', () => {
  const { of } =
    layout(`<style>.x{display:none} i{visibility:hidden} b{position:absolute;left:-9999px}</style>
    <p class=x>x</p><i>y</i><b>z</b><s>shown</s>`);
  for (const name of ['p', 'i', 'b']) expect(of(name).width * of(name).height).toBe(0);
  expect(of('s').width).toBeGreaterThan(0);
});

test.each(['body{display:none}', 'html{visibility:hidden}', '*{display:none!important}'])(
  'a page that hides everything (%s) is laid out as if it did not',
  (css) => {
    const { of } = layout(`<style>${css}</style><body><p>${words(20)}</p>`);
    expect(of('p').width * of('p').height).toBeGreaterThan(0);
  },
);

test('the weightier selector wins, whatever the order; important ones and style attributes win over it', () => {
  const css = '#a{width:100px} p{width:200px} .b{width:300px!important}';
  const { of } = layout(
    `<style>${css}</style><p id=a>x</p><p class=b style="width:1px">y</p><p style="width:9px">z</p>`,
  );
  expect([of('p').width, of('p', 1).width, of('p', 2).width]).toEqual([100, 300, 9]);
});

test('a selector of several steps matches only below what it names', () => {
  const css = '.menu > li a{display:block;width:50px}';
  const { of } = layout(
    `<style>${css}</style><ul class=menu><li><b><a>x</a></b></ul><ul class=other><li><a>y y y y y y y y</a></ul>`,
  );
  expect(of('a').width).toBe(50);
  expect(of('a', 1).width).not.toBe(50);
});

test('a sheet of thousands of rules for thousands of elements comes to an end', () => {
  const rules = Array.from({ length: 12_000 }, (_, k) => `.a div{width:${k}px}`).join('');
  const { boxes } = layout(`<style>${rules}</style><p class=a>${'<div>x</div>'.repeat(30_000)}`);
  expect(boxes.nodeCount).toBeGreaterThan(60_000);
});

test('lines of preformatted text end where those of the source do', () => {
  const { of } = layout('<pre><b>def</b> <i>f</i>:\n\n<u>x</u>\n</pre>');
  expect(of('i').top).toBe(of('b').top);
  expect(of('u').left).toBe(of('b').left);
  expect(of('u').top).toBeGreaterThan(of('b').bottom);
});

test('letters that grow with every element end at a size, and the page is laid out', () => {
  const { of } = layout(`${'<big>'.repeat(1600)}</em><p>x --><b>y</i></big>z<u>w</em><span>v</span><p>last`);
  expect(of('p').height).toBeLessThan(1e9);
  expect(of('p', 1).height).toBeLessThan(1e9);
});
