/**
 * A page with one of everything. V8 compiles a function for the cases it has met; a case met later costs it the
 * compiled code, and the same is compiled again, for the scanner a dozen times in a report. A parser that goes
 * on to a few pages therefore parses this one first, and has met them all.
 */

const HTML = `\ufeff<!-- a --><?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "a">
<HTML lang=en><!-- b --><Head><meta charset="utf-8"/><base href='/'><link rel=stylesheet href="a.css" />
<TITLE>a &amp; b</TITLE><style>p > a { }</style><script>if (a < b) c("</b>"); <!-- <script>d</script> --></script>
<script src="a" defer></SCRIPT><noscript><link rel=a></noscript><bogus></head><!-- c -->
<body class="a b" ID = 'c' onload=a data-a><!-- d --><p>a <b>b <i>c</b> d</i><br/>e</p><P align=center>f
<div class=""><ul><li>a<li><a href="b">b</a><li><A HREF=c>c<a href='d' title="e">d</a></ul></span>
<ol><li>a</li></ol><dl><dt>a<dd>b<dt>c</dl><h1>a<h2>b</h2></h1></h3><hr><img src="a" alt=""><image src=b>
<input type=hidden><input type="text" value=a><center><font size=2>a</font></center><table border=0>
<caption>a</caption><colgroup><col><col></colgroup><thead><tr><th>a</th></tr></thead><tbody><tr><td>a<td>b
<table><tr><td>c</td></tr></table></td></tr>d<b>e</b><tr><td><form action="a"><form><input name=b>
<select name=c><option>a<option selected>b<optgroup label=g><option>c</optgroup></select><textarea>
d</textarea><button>e<button>f</button></form></td></tr></tr><td>g</table><input type=hidden></tbody>
<table><form><tr><td>a</form></table><tfoot><span>a</span><em>b</em><strong>c</strong><u>d</u><code>e</code>
<nobr>f<nobr>g</nobr><pre>
 h </pre></bogus><a-b c=d>e</a-b>< 3 > a & b &copy; <></><!a><!-- > --!><!--> --><a <b>c</a>
<svg viewBox="0 0 1 1"><title>a</title><path d="b"/><g><foreignObject><p>c</p></foreignObject></g>
<![CDATA[d]]><font color=e></svg><math><mi>a</mi><annotation-xml></annotation-xml></math><iframe src=a>b</iframe>
<object data=a><param name=b>c</object><blockquote>d<p>e</blockquote><a name="f">g <b>h<p>i</a>j</b></p>
<label for=k>l</label><article><section><nav><header><footer>a</footer></header></nav></section></article>
<template><td>b</td></template><ruby>a<rt>b</rt></ruby><map><area href="c" shape=rect></map><i><b></i></b>
<p>é ü 日本語 &nbsp; \t \f a\r\nb   c</p><video controls><source src=a></video><fieldset><legend>b</legend>
</fieldset><address>c</address><del>d</del><b><div></b>e</div></p><br></br><marquee>f</marquee><xmp><b></xmp>
<table><tr><td><p>a<table></table></td></tr></table><select><option>a</select><body id=a><html id=b></ul></li>
<b><b><b><b>a</b></b></b></b><font><font>b<p>c</font>d</body><!-- e --> f <p>g</body></html><!-- h --> <p>i`;

/** As UTF-8. */
export function firstPage(): Uint8Array {
  return new TextEncoder().encode(HTML);
}
