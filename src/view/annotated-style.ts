/** Style sheets of annotated pages and of their index, for light, dark and print. */

const COLOURS = `
:root{color-scheme:light dark;--paper:#fdfdfc;--ink:#1c1d21;--soft:#62656e;--line:#dcdde1;--card:#f4f4f2;
--t:#f6e3bd;--t-edge:#c98a17;--u:#e3dcf5;--u-edge:#7a5fc0;--s:#d9ecdf;--s-edge:#2f8558;--c-edge:#9a9da5;--link:#20559c}
@media (prefers-color-scheme:dark){:root{--paper:#17181b;--ink:#e7e7e4;--soft:#9fa2ab;--line:#34363c;--card:#212327;
--t:#3f3013;--t-edge:#dba23c;--u:#352b53;--u-edge:#a18be0;--s:#1d3a2a;--s-edge:#6cc295;--c-edge:#6d7079;--link:#8db8f2}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
a{color:var(--link)}
.top{border-bottom:1px solid var(--line);background:var(--card);padding:1.25rem max(1.25rem,calc(50vw - 32rem)) 1rem}
.top h1{font-size:1.25rem;line-height:1.3;margin:.1rem 0 .25rem;font-weight:650;overflow-wrap:anywhere}
.where{margin:0;color:var(--soft);font-size:.85rem;overflow-wrap:anywhere}
.back{font-size:.85rem}
`;

/** Style sheet of an annotated page. */
export const ANNOTATED_STYLE = `${COLOURS}
.strip{display:block;width:100%;height:14px;margin:.85rem 0 .75rem;background:color-mix(in srgb,var(--c-edge) 35%,transparent);border-radius:3px}
.s-template{fill:var(--t-edge)}.s-unsure{fill:var(--u-edge)}.s-slot{fill:var(--s-edge)}
.legend{display:flex;flex-wrap:wrap;gap:.35rem 1.4rem;align-items:center;font-size:.9rem}
.key b{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin-right:.45em;background:var(--paper);border:1px solid var(--c-edge);vertical-align:-.05em}
.k-template b{background:var(--t);border-color:var(--t-edge)}.k-unsure b{background:var(--u);border-color:var(--u-edge)}.k-slot b{background:var(--s);border-color:var(--s-edge)}
.roles b{all:unset;font-weight:600}
.key small{color:var(--soft);font-size:.85em}
#hide{position:absolute;opacity:0;pointer-events:none}
.switch{margin-left:auto;cursor:pointer;user-select:none;display:inline-flex;align-items:center;gap:.5em}
.switch i{width:2.1em;height:1.15em;border-radius:1em;background:var(--c-edge);position:relative;transition:background .15s}
.switch i::after{content:"";position:absolute;inset:.15em auto .15em .15em;width:.85em;border-radius:50%;background:#fff;transition:transform .15s}
#hide:checked~.top .switch i{background:var(--t-edge)}
#hide:checked~.top .switch i::after{transform:translateX(.95em)}
#hide:focus-visible~.top .switch{outline:2px solid var(--link);outline-offset:3px;border-radius:4px}
#hide:checked~main .t{display:none}
main{padding:1.5rem max(1.25rem,calc(50vw - 32rem)) 5rem;overflow-wrap:anywhere}
main :is(h1,h2,h3,h4,h5,h6){line-height:1.3;margin:1.1em 0 .4em}
main h1{font-size:1.6rem}main h2{font-size:1.3rem}main h3{font-size:1.12rem}main :is(h4,h5,h6){font-size:1rem}
main :is(p,ul,ol,dl,blockquote,pre,figure){margin:.6em 0}
main :is(ul,ol){padding-left:1.6em}
main blockquote{margin-left:0;padding-left:1em;border-left:3px solid var(--line)}
main :is(nav,header,footer,aside,fieldset,.box){border:1px dashed var(--line);border-radius:4px;padding:.35rem .7rem;margin:.5rem 0;min-width:0}
main table{border-collapse:collapse;margin:.5em 0;max-width:100%}
main :is(td,th){border:1px solid var(--line);padding:.2rem .5rem;text-align:left;vertical-align:top}
main pre{white-space:pre-wrap;background:var(--card);padding:.6rem .8rem;border-radius:4px;font-size:.88em}
main :is(code,kbd,samp,pre){font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace}
main hr{border:0;border-top:1px solid var(--line)}
.a{color:var(--link);text-decoration:underline;text-decoration-color:color-mix(in srgb,currentColor 35%,transparent);text-underline-offset:.15em}
.image,.control{display:inline-block;border:1px solid var(--line);border-radius:3px;padding:0 .45em;font-size:.85em;color:var(--soft);min-width:2em}
.image::before{content:"▧"}
.m{border-radius:2px;outline:0 solid transparent}
.t{background:var(--t);box-shadow:inset 2px 0 var(--t-edge)}.u{background:var(--u);box-shadow:inset 2px 0 var(--u-edge)}.s{background:var(--s);box-shadow:inset 2px 0 var(--s-edge)}
[data-role]::before{content:attr(data-role);display:inline-block;margin-right:.4em;padding:0 .4em;border-radius:3px;background:var(--c-edge);color:var(--paper);font:600 .68rem/1.5 system-ui,sans-serif;vertical-align:.15em}
.c{box-shadow:inset 2px 0 var(--c-edge)}
span.m{padding:0 .25em;box-decoration-break:clone;-webkit-box-decoration-break:clone}
:is(div,p,section,article,h1,h2,h3,h4,h5,h6,dl).m{padding:.15rem .7rem}
:is(ul,ol).m{padding-top:.15rem;padding-bottom:.15rem}
.m:is(:hover,:focus-visible){outline:2px solid var(--t-edge);outline-offset:0}.u:is(:hover,:focus-visible){outline-color:var(--u-edge)}.s:is(:hover,:focus-visible){outline-color:var(--s-edge)}
.m:is(:hover,:focus-visible)::after{content:attr(data-why);position:fixed;left:50%;bottom:1rem;transform:translateX(-50%);z-index:9;max-width:min(92vw,48rem);padding:.45rem .9rem;border-radius:6px;background:#1c1d21;color:#fff;font:400 .9rem/1.4 system-ui,sans-serif;text-decoration:none;white-space:normal;box-shadow:0 2px 14px #0006;pointer-events:none}
@media (prefers-color-scheme:dark){.m:is(:hover,:focus-visible)::after{background:#e7e7e4;color:#17181b}}
@media (max-width:34rem){.switch{margin-left:0}}
@media print{.switch{display:none}.m{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`;

/** Style sheet of the index of annotated pages. */
export const INDEX_STYLE = `${COLOURS}
main{padding:1.25rem max(1.25rem,calc(50vw - 32rem)) 4rem}
h2{font-size:1.05rem;margin:1.6rem 0 .4rem}
h2 small{font-weight:400;color:var(--soft)}
table{width:100%;border-collapse:collapse;font-size:.92rem}
th{text-align:left;font-weight:600;color:var(--soft);font-size:.8rem;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line)}
td{padding:.38rem .6rem .38rem 0;border-bottom:1px solid var(--line);vertical-align:baseline}
td:first-child{overflow-wrap:anywhere}
td small{display:block;color:var(--soft)}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.bar{display:inline-block;width:5rem;height:.55rem;background:color-mix(in srgb,var(--c-edge) 30%,transparent);border-radius:2px;margin-right:.5rem;overflow:hidden}
.bar i{display:block;height:100%;background:var(--t-edge)}
@media (max-width:34rem){.bar,.when{display:none}}
`;
