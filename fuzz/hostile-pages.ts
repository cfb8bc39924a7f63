/**
 * Pages made to be slow: shapes that repeat one part, texts that make patterns backtrack in every place that is read,
 * wrappers around many small elements, and mixtures. The same random numbers give the same page.
 */
import { pick } from './mutate.ts';
import type { Random } from './target.ts';

/** A page or a part of one: `part` is repeated, then `close` as often. */
export interface Shape {
  before?: string;
  part: string | ((k: number) => string);
  close?: string;
  after?: string;
}

const words = (text: string) => text.trim().split(/\s+/);

/** Elements that are opened and closed around something, by what reads them. */
const NESTED =
  words(`div span p ul ol li dl dt dd blockquote table tr td th caption section article nav header footer aside
  main h1 h2 h6 a b i em strong s del code kbd pre sup sub q cite small font center form fieldset label button select option
  details summary figure figcaption ruby rb rt rp math mrow mi msup msqrt mfrac mtext semantics annotation svg g foreignObject
  title template object video noscript nobr address time abbr bdo bdi iframe frameset x-y`);

/** Parts that are repeated as they are. */
const PARTS =
  words(`<p> <br> <hr> <img> <input> <wbr> <td> <tr> <li> <dt> <dd> <option> <a> <b> <i> <sup> </p> </b> </div> <!-->
  <!----> <!--x--> <!doctype> <![CDATA[x]]> <?x?> < <> << </ </x <x <x/ <x= <!- <!-- --> & &amp &amp; &#38; &#x26; &lt;p&gt; &nbsp;
  &#1114111; &zwnj; &notit; * ** _ __ ~~ \` \`\`\` # - + > | $ $$ \\\\ [ ] [[ ]( ![ ![]( <b>* 1. 1) = --- *** $a$ $1 @ / // :
  ; , . ! ? ( ) " ' {{ }} · • » — – … 。 、 « é ß 漢 字。 ก สวัสดี \u0301 \u200b \u200d \u202e \u2066 \ufeff \u0000 \u{1f600}
  \u{1f468}\u200d a A 1 0 a1 x- x_ -x _x a&b`);

/** Parts with a structure, as `before§part§after`, or a part alone; `#` in a part is its number. */
const STRUCTURES = String.raw`
<img src="/blank§1§">
<img src="/pixel§-1x1§.gi">
<img src=/x§_pixel§.gif>
<img src="§/§">
<img srcset="§ §">
<img srcset="§a.jpg 1x, §">
<img srcset="§a 1w,§">
<img data-srcset="x§\n§ y">
<img src=#.jpg alt="a cat">
<img class=emoji alt=":D" src=x>
<img class="emoji" alt="§!§">
<img class=tex alt="§\frac{§">
<img class=tex alt="x^2" src=x>
<img src="data:image/gif;base64,§R0lG§">
<a href="/§x§">y</a>
<a href=/#>link #</a> 
<a href=/same>the same link</a> 
<a href=#x>x</a>
<a href="§/..§">y</a>
<a href="http://§a.§example/">y</a>
<a href="http://[§:§]/">y</a>
<a href=/#><b>x</b></a>
<a name=#></a>
<a href=javascript:#>x</a>
<p>word § § word</p>
<p>§\n§</p>
<p>word§ \n§word
<p>§word §</p>
<p>word #</p>
<p>The same paragraph again and again.</p>
<p>A sentence with number # in it.</p>
<p><b>x</b>
<p>x<br><br>
<p>§<br>§
<p>§&nbsp;§x
<p>§x<br> §
<h1>§a | §</h1>
<h1>§word §</h1>
<h2>Heading #</h2>
<h2>§<a href=#>¶</a>§</h2>
<h#>x</h#>
<title>§ | §x</title>
<title>§ - a§</title>
<title>§ : §</title>
<title>x</title>
<meta name=author content="§ and §">
<meta name=author content="§by §">
<meta name=author content="a #">
<meta name=description content="§ \n§">
<meta name=date content="§2020-§">
<meta property="og:title" content="§a – §">
<meta property=article:published_time content="§1§">
<meta name=n# content=#>
<link rel=canonical href="§/a/..§">
<base href="§/x§">
<html lang="§en-§">
<p class=byline>By §A, §</p>
<p class=author>§Von §</p>
<span class="byline">By Ada Byron #</span>
<a rel=author href=/author/#>Ada #</a>
<a href=/author/ada>Ada Byron</a>, 
<span itemprop=author>§and §</span>
<div itemscope itemtype=http://schema.org/Article><span itemprop=headline>x</span>
<span itemprop=datePublished content=2020-01-0#>
<time datetime=2020-01-01>x</time>
<time datetime="§2020-§">x</time>
<time class=updated>1 May 20#</time>
<p>§1 §
<p>§1/§
<p>§1 May §
<p>§2020-01-01 §
<p>§May §
<p>§12:3§
<p>Posted on § § by
<p>Author: §A§
<p>§作者：§
<p>§记者 §
<p>§Copyright © 20§
<script type=application/ld+json>{"@type":"Article","author":[§{"name":"a"},§]}</script>
<script type=application/ld+json>§[§</script>
<script type=application/ld+json>§{"a":§</script>
<script type=application/ld+json>{"@type":"Article","headline":"§\"§"}</script>
<script type=application/ld+json>{"@type":"Article",§"author" : [{"a" : "b",§</script>
<script type=application/ld+json>{"@type":"Article",§,  §}</script>
<script type=application/ld+json>{"@type":"Article","headline":"#"}</script>
<script type=application/ld+json>{"@graph":[§{"@id":"#","@type":"Article"},§]}</script>
<script type=application/ld+json>{"@type":[§"Article","§"]}</script>
<script>§"datePublished":"20§</script>
<script>§'datepublished' : §</script>
<script>§"publishedAt" §</script>
<script>§<!--§</script>
<script>§</scrip§
<script>x</script>
<script type=math/tex>x_#</script>
<script type=math/tex>§{§</script>
<style>§a{color:red}§</style>
<style>§.c#{display:none}§</style>
<style>§a,§{display:none}</style>
<style>§a §{display:none}</style>
<style>§a>§b{width:1px}</style>
<style>§/*§</style>
<style>§@media x{§</style>
<style>§@import "x";§</style>
<style>§{§</style>
<style>a{§width:calc(§}</style>
<style>a{§color:red;§}</style>
<style>a{width:§1§px}</style>
<style>§[x="§</style>
<style>§:not(§</style>
<style>§a{}</style><style>§</style>
<p style="§width:1px;§">x
<p style="§(§">x
<p style="display:none">x
<p style="width:#px;float:left">x
<p class="§a §">x
<p class="§a-§">x
<p class=c#>x
<p id=i#>x
<p §a#=1 §>x
<p §a=1 §>x
<p §=§>x
<p a="§<p>§">x
<p title="§&amp;§">x
<p §a §/>x
<p §"§>x
<table>§<tr><td>x§</table>
<table>§<td>x</td>§</table>
<table>§<tr><th>a<th>b<tr><td>1<td>2§</table>
<table><tr><td>x</table>
<table>§<tr>x<b>y§</table>
<table><td colspan=1000 rowspan=65534>x</table>
<table>§<tr><td rowspan=9999 colspan=99>x§</table>
<table>§<col span=1000>§<tr><td>x</table>
<table>§<table>§
<table><tr>§<td><table><tr>§
<table><tr><td>§<ul><li>x</ul>§</table>
<table><tr><td>x<td>y<tr><td>§a|§</table>
<table>§<caption>x</caption>§</table>
<ul>§<li>x§</ul>
<ol>§<li value=#>x§</ol>
<ul><li>x</ul>
<ol start=9><li>x</ol>
<ul>§<ul><li>x§</ul>
<ul>§<li><input type=checkbox>x§</ul>
<ul>§<li><a href=/#>Item #</a>§</ul>
<dl>§<dt>a<dd>b§</dl>
<dl>§<dl><dt>x<dd>§
<blockquote>§<p>x§</blockquote>
<pre>§\n§</pre>
<pre>§x\n§</pre>
<pre>§ §</pre>
<pre>§<span>x</span>\n§</pre>
<pre>x</pre>
<pre>§<sup>1</sup>§</pre>
<pre><code class="§language-§">x</code></pre>
<pre class="§brush: §">x</pre>
<code>x</code>
<code>§~§</code>
<code>x</code><code>y</code> 
<kbd>x</kbd>
<p><code>§a<a href=/x>b</a>§</code>
<sup>1</sup>
x<sup>2</sup>
<p>§x<sup>§
<p>§<sup>a<sub>§
<p>§<sup>x</sup> §
<sup>§a §</sup>
<sup><a href=#n>[#]</a></sup>
<b>x</b>
<b> x</b>
<b>x </b> <i> y</i>
<b><i>x</b></i>
<b>x<b>
<b>§<p>x§</b>
<a href=/x>§<p>x§</a>
<i>§<br>§</i>
<b>§ <b>§
<b></b>
<p>§<i></i> §
<q>x</q>
<math><mi>x</mi></math>
<math>§<msup><mi>x</mi><mn>2</mn></msup>§</math>
<math>§<math>§
<math>§<mrow>§
<math>§<mi>x§
<math><mtext>§$§</mtext></math>
<math alttext="§x §"><mi>x</math>
<math><semantics><mi>x</mi><annotation encoding=application/x-tex>x_#</annotation></semantics></math>
<math><semantics>§<annotation encoding=x>§
<span class=katex><math><mi>x</mi></math></span>
<div class="§x §"><math>x</math>
<ruby>漢<rt>kan</rt></ruby>
<ruby>§漢<rp>(<rt>x§
<ruby>§<ruby>x§
<svg><title>x</title></svg>
<svg>§<g>§
<svg>§<title>x§
<svg>§<foreignObject><p>§
<iframe src=#></iframe>
<iframe srcdoc="§<p>§"></iframe>
<frameset>§<frame src=#>§
<frameset>§<frameset>§
<noframes>§<p>§
<form><input name=a#></form>
<form>§<input>§</form>
<form>§<div></form>§
<select>§<option>x§</select>
<select><option>x</select>
<textarea>§x\n§</textarea>
<button>x</button>
<label>x<input></label>
<details><summary>x</summary>y</details>
<details>§<details><summary>x§
<figure><img src=x><figcaption>x</figcaption></figure>
<noscript>§<img src=x>§</noscript>
<noscript><img src=x></noscript>
<video><source src=x></video>
<object>§<object>§
<template>§<p>x§</template>
<bdo dir=rtl>x</bdo>
<p dir=rtl>שלום
<p>§e\u0301§
<p>§\u202ex\u202c§
<p>§\u200b§
<p>§漢字。§
<p>§สวัสดี§
<p>§Ａ§
<!--§-§-->
<!--§->§
<!--§<!§-->
<!--[if IE]>x<![endif]-->
<p>§x <!-- y --> §
<p>§x<script>1</script>y§
<div class=comment><p>A comment of number #.</p></div>
<div class="comments">§<div class=comment id=c#>x</div>§
<div class=post><a href=/u/#>user#</a><p>Text of post number #, long enough.</p></div>
<nav>§<a href=/#>x</a>§</nav>
<div class=cookie-consent>We use cookies. <button>OK</button></div>
<div class="modal dialog">x</div>
<div role=dialog>x</div>
<footer>§© 2020 x §</footer>
<aside><h3>Related</h3><a href=/#>Title of #</a></aside>
<x#>
<x#></x#>
<div><div><p>x</div>
</p></div>
<p>§\\\\§
<p>§[x](y)§
<p>§<b>*</b>§
<p>§&lt;b&gt;§
<p>§$x$ §
<p>§#\n§
<p>§word §
<p>§ \n§
<p>§$5, §
<b><div></b>x</div>
<p><font size=#>x
<a><b><i>x
<select></select><x-y>
<select><option>
<a href="x><b title='y>
<a href="§x§
<script>§<!--<script>§
<script>§<!---->§
<!--§>§
<!--§x§
`;

/** All shapes by name; the name is the shape as it is written above. */
export const SHAPES: ReadonlyMap<string, Shape> = new Map([
  ...NESTED.flatMap((name): [string, Shape][] => [
    [`nested ${name}`, { part: `<${name}>x`, close: `</${name}>` }],
    [`unclosed ${name}`, { part: `<${name}>` }],
    [`many ${name}`, { part: `<${name}>x</${name}> ` }],
  ]),
  ['crosswise b i', { part: '<b><i>x', close: '</b></i>' }],
  ['crosswise b p', { part: '<b><p>', close: '</b>x' }],
  ['stray end tags in depth', { before: `<q><div>${'<span>'.repeat(1000)}`, part: '</q>' }],
  ['stray end tags in svg', { before: `<svg>${'<g>'.repeat(1000)}`, part: '</q>' }],
  ['tables in depth', { before: '<span>'.repeat(450), part: '<table></table>' }],
  ...PARTS.map((part): [string, Shape] => [`text of ${JSON.stringify(part)}`, { before: '<p>word ', part }]),
  ...STRUCTURES.trim()
    .split('\n')
    .map((line): [string, Shape] => [line, shapeOf(line)]),
]);
const SHAPE_LIST = [...SHAPES.values()];

function shapeOf(line: string): Shape {
  const text = line.replaceAll('\\n', '\n').replace(/\\u([\da-f]{4})/g, (_, hex: string) => codeOf(hex));
  const pieces = text.split('§');
  const [before, part, after] = pieces.length === 3 ? pieces : ['', pieces.join(''), ''];
  return { before, part: part.includes('#') ? (k) => part.replaceAll('#', String(k)) : part, after };
}

function codeOf(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}

/** Writes a shape with as many parts as make about this number of characters. */
export function writeShape({ before = '', part, close = '', after = '' }: Shape, size: number): string {
  const room = size - before.length - after.length;
  if (typeof part === 'string') {
    const times = Math.max(1, Math.floor(room / (part.length + close.length)));
    return before + part.repeat(times) + close.repeat(times) + after;
  }
  const parts: string[] = [];
  for (let k = 0, length = 0; length < room; k++) {
    parts.push(part(k));
    length += parts[k].length;
  }
  return before + parts.join('') + after;
}

const PROSE =
  '<p>The harbour was quiet in the morning, and the boats had not yet left for the sea. Nobody knew why the old men ' +
  'waited at the pier, but they had waited there for years, and the gulls with them.</p>';

/** Puts hostile content into a page that has a headline and prose, so that the content may be kept. */
export function pageAround(content: string): string {
  return `<!doctype html><html><head><title>The harbour | Example News</title></head><body><nav><a href=/>Home</a> <a href=/news>News</a></nav><article><h1>The harbour</h1><p class=byline>By Ada Byron, 5 May 2019</p>${PROSE}${PROSE}${content}${PROSE}</article><footer>© Example News</footer></body></html>`;
}

/** Places where a text is put, at `§`. */
const PLACES =
  words(`<p>§</p> <h1>§</h1> <h2>§</h2> <title>§</title> <li>§ <td>§ <pre>§</pre> <code>§</code> <b>§</b> <sup>§</sup>
  <a/href=/x>§</a> <a/href="§">x</a> <a/href="/author/§">Ada</a> <img/src="§"> <img/srcset="§"> <img/src=x/alt="§"> <p/class="§">x
  <p/id="§">x <p/style="§">x <time>§</time> <time/datetime="§">x</time> <p/class=byline>§</p> <p/class=author>§</p>
  <p/class=date>§</p> <p/itemprop=author>§</p> <p/itemprop=datePublished/content="§">x <meta/name=author/content="§">
  <meta/name=description/content="§"> <meta/name=date/content="§"> <meta/name=keywords/content="§"> <meta/property=og:title/content="§">
  <meta/property=og:url/content="§"> <meta/property=og:site_name/content="§"> <meta/property=og:image/content="§">
  <meta/http-equiv=refresh/content="§"> <meta/http-equiv=content-type/content="§"> <meta/charset="§"> <meta/name=robots/content="§">
  <meta/name=twitter:label1/content="§"> <meta/property=article:published_time/content="§"> <link/rel=canonical/href="§"> <link/rel="§"/href=x>
  <base/href="§"> <html/lang="§"> <script/type=application/ld+json>{"@type":"Article","headline":"§"}</script>
  <script/type=application/ld+json>{"@type":"Article","datePublished":"§","author":"§"}</script> <script/type=application/ld+json>§</script>
  <script>§</script> <script/type=math/tex>§</script> <style>§</style> <style>a{§}</style> <!--§--> <math><mtext>§</mtext></math>
  <math/alttext="§">x</math> <math><mi>§ <img/class=tex/alt="§"> <pre><code/class="§">x</code></pre> <pre/class="§">x</pre>
  <input/value="§"> <textarea>§</textarea> <option>§ <button>§</button> <caption>§ <table/width="§"><tr><td/colspan="§">x</table>
  <footer>§</footer> <nav>§</nav> <div/class=comment>§</div> <a/rel=author>§</a> <ol/start="§"><li/value="§">x</ol> <iframe/src="§"></iframe>
  <figcaption>§</figcaption> <dt>§<dd>§ <ruby>§<rt>§ <svg><title>§ <noscript>§</noscript> <font/size="§"/color="§">x §`).map(
    (place) => place.replaceAll(/\/(?=[a-z-]+=)/g, ' '),
  );

/** Elements around many small ones: they are nested deeply, or have a long attribute. */
const ATTRIBUTES = words('class id href style title src alt data-x itemprop rel lang width content datetime');

/** Where the texts of `hostilePage` come from. */
export interface HostileTexts {
  /** Beginnings and parts that make a pattern of the program backtrack (test/regex-pumps.ts). */
  pumps: readonly { prefix: string; part: string }[];
}

/** Makes a page of about this number of bytes. */
export function hostilePage(random: Random, size: number, { pumps }: HostileTexts): string {
  const kind = random(8);
  if (kind < 2) return framed(random, writeShape(pick(random, SHAPE_LIST), size));
  if (kind < 4) return framed(random, textInPlaces(random, size, pumps));
  if (kind < 6) return framed(random, wrapped(random, size));
  // several shapes after each other, or their parts shuffled
  const shapes = Array.from({ length: 2 + random(6) }, () => pick(random, SHAPE_LIST));
  if (kind === 6) {
    const share = size / shapes.length;
    return framed(
      random,
      shapes
        .map((shape) => (random(4) ? writeShape(shape, share) : textInPlaces(random, share, pumps)))
        .join(''),
    );
  }
  const parts: string[] = [];
  for (let length = 0; length < size; ) {
    const piece = writeShape(pick(random, shapes), 2 ** random(9));
    parts.push(piece);
    length += piece.length;
  }
  return framed(random, parts.join(''));
}

function framed(random: Random, content: string): string {
  return random(4) ? pageAround(content) : content;
}

/** One text in many places, or in one. */
function textInPlaces(random: Random, size: number, pumps: HostileTexts['pumps']): string {
  const { prefix, part } = pick(random, pumps);
  const shape = { before: prefix, part, after: pick(random, ['', '!', '\n', 'a', ' ', '"']) };
  const place = pick(random, PLACES);
  const count = pick(random, [1, 1, 1, 3, 30, 300]);
  const text = writeShape(shape, size / count / (place.split('§').length - 1));
  return place.replaceAll('§', () => text).repeat(count);
}

/** Many small parts in elements that are nested or have long attributes. */
function wrapped(random: Random, size: number): string {
  let before = '';
  let after = '';
  const names = Array.from({ length: 1 + random(3) }, () => pick(random, NESTED));
  const depth = pick(random, [1, 2, 10, 100, 400]);
  const long = random(2) ? size / 3 : 0;
  const text = random(3) ? 'x' : pick(random, ['x ', '/', ' ', ';', '&amp;', 'a:b;', '-', '漢']);
  for (let level = 0; level < depth; level++) {
    const name = names[level % names.length];
    const attribute =
      long > 0 ? ` ${pick(random, ATTRIBUTES)}="${text.repeat(long / depth / Buffer.byteLength(text))}"` : '';
    before += `<${name}${attribute}>`;
    after = `</${name}>${after}`;
  }
  const inner = Math.max(100, size - before.length - after.length);
  const content = random(2) ? writeShape(pick(random, SHAPE_LIST), inner) : wrappedParts(random, inner);
  return before + content + (random(2) ? after : '');
}

function wrappedParts(random: Random, size: number): string {
  const name = pick(random, NESTED);
  const part = pick(random, [
    `<${name}>x</${name}>`,
    `<${name}>`,
    `x<${name}/>`,
    `<${name}> </${name}>`,
    `<${name}>x`,
  ]);
  return part.repeat(size / part.length);
}
