/**
 * Skins for generated sites in the styles of 2015 (HTML5 sections, Bootstrap-like grids, ARIA and microdata) and of 2022
 * (utility classes); skin.ts says what a skin is.
 */
import { each, type Skin, type SkinStyle, themeRules } from './skin.ts';

/** Skin in the style of 2015: HTML5 sections, Bootstrap-like grids, ARIA and microdata. */
export function html5Skin(style: SkinStyle): Skin {
  const { dark, light, prefix, siteName, lang } = style;
  const main = ['col-md-8', 'col-sm-8 col-lg-9', 'content__main'][style.variant % 3];
  const side = ['col-md-4', 'col-sm-4 col-lg-3', 'content__side'][style.variant % 3];
  return {
    doctype: '<!DOCTYPE html>\n',
    htmlOpen: `<html lang="${lang}" class="no-js">\n<head>\n`,
    headTags: (charset) =>
      `<meta charset="${charset}">\n<meta http-equiv="X-UA-Compatible" content="IE=edge">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta property="og:site_name" content="${siteName}">\n<meta name="twitter:card" content="summary">\n<link rel="apple-touch-icon" href="/${prefix}/touch-icon.png">\n<link rel="stylesheet" href="/${prefix}/css/bootstrap.min.css">\n<link rel="stylesheet" href="/${prefix}/css/main.css?v=2.${style.variant}">\n<!--[if lt IE 9]><script src="/${prefix}/js/html5shiv.min.js"></script><![endif]-->\n<style>\nbody{font:15px/1.6 "Helvetica Neue",Arial,sans-serif;margin:0;color:#333}\n.container{max-width:1140px;margin:0 auto;padding:0 15px}\n.row{overflow:hidden}\n.${main.split(' ')[0]}{float:left;width:66%;box-sizing:border-box;padding-right:30px}\n.${side.split(' ')[0]}{float:left;width:34%;box-sizing:border-box}\n.navbar{background:${dark}}.navbar ul{list-style:none;margin:0;padding:8px 15px}.navbar li{display:inline-block;margin-right:18px}.navbar a{color:#fff}\n.navbar ul.dropdown-menu,.navbar-toggle{display:none}.breadcrumb,.list-inline{list-style:none;padding:0}.breadcrumb li,.list-inline li{display:inline-block;margin-right:12px}.list-unstyled{list-style:none;padding:0}.site-footer{background:${light};padding:20px;overflow:hidden}\n.footer-col{float:left;width:18%}.cookie-bar{background:#222;color:#eee;padding:8px 15px}\n.media-object{float:left;margin-right:12px}.media{overflow:hidden}\n${themeRules(['.navbar', '.site-header', '.panel', '.media', '.comment', '.pagination', '.site-footer', '.btn'], style, 30)}</style>\n<script>document.documentElement.className = document.documentElement.className.replace('no-js', 'js');</script>\n<script>(function(i,s,o,g,r){i['AnalyticsObject']=r;i[r]=i[r]||function(){(i[r].q=i[r].q||[]).push(arguments)};i[r].l=1;var a=s.createElement(o),m=s.getElementsByTagName(o)[0];a.async=1;a.src=g;m.parentNode.insertBefore(a,m)})(window,document,'script','/stats/analytics.js','ga');ga('create','UA-${810000 + style.variant}-2','auto');ga('send','pageview');</script>\n`,
    headClose: '</head>\n',
    bodyOpen: `<body class="${prefix}-theme">\n`,
    bodyClose: '</body>\n</html>\n',
    topOpen: '<header class="site-header" role="banner">\n<div class="container">\n',
    topClose: '</div>\n</header>\n',
    columnsOpen: '<div class="container">\n<div class="row">\n',
    columnsClose: '</div>\n</div>\n',
    mainOpen: `<main class="${main}" id="main" role="main">\n`,
    mainClose: '</main>\n',
    sideOpen: `<aside class="${side} sidebar" role="complementary">\n`,
    sideClose: '</aside>\n',
    sideFirst: false,
    scripts: `<script src="/${prefix}/js/jquery-2.1.4.min.js"></script>\n<script src="/${prefix}/js/bootstrap.min.js"></script>\n<script src="/${prefix}/js/main.js?v=2.${style.variant}"></script>\n<script>\n$(function () {\n  $('[data-toggle="tooltip"]').tooltip();\n  $('.js-share').on('click', function (e) { e.preventDefault(); window.open(this.href, 'share', 'width=600,height=400'); });\n  $('.cookie-bar .btn').on('click', function () { $('.cookie-bar').hide(); document.cookie = 'cookies=1; path=/'; });\n});\n</script>\n`,
    notice: (text, accept, settings) =>
      `<div class="cookie-bar" role="alert">\n<p>${text}</p>\n<button type="button" class="btn btn-primary btn-sm">${accept}</button>\n<a class="btn btn-link btn-sm" href="/cookies/">${settings}</a>\n</div>\n`,
    logo: (tagline) =>
      `<div class="site-brand">\n<a class="brand" href="/"><img src="/${prefix}/img/logo.svg" alt="${siteName}" width="180" height="48"> <strong>${siteName}</strong></a>\n<p class="tagline">${tagline}</p>\n</div>\n`,
    today: (date) => `<time class="site-date">${date}</time>\n`,
    searchBox: (label) =>
      `<form class="form-inline site-search" role="search" action="/search" method="get">\n<div class="input-group"><input type="search" class="form-control" name="q" placeholder="${label}" aria-label="${label}"><span class="input-group-btn"><button class="btn btn-default" type="submit">${label}</button></span></div>\n</form>\n`,
    menu: (items) =>
      `<nav class="navbar navbar-default" role="navigation">\n<div class="container">\n<button type="button" class="navbar-toggle collapsed" data-toggle="collapse" data-target="#nav"><span class="icon-bar"></span><span class="icon-bar"></span><span class="icon-bar"></span></button>\n<ul class="nav navbar-nav" id="nav">\n${items
        .map((item) =>
          item.children.length === 0
            ? `<li${item.active ? ' class="active"' : ''}><a href="${item.href}">${item.text}</a></li>\n`
            : `<li class="dropdown${item.active ? ' active' : ''}">\n<a href="${item.href}" class="dropdown-toggle" data-toggle="dropdown" aria-haspopup="true">${item.text} <span class="caret"></span></a>\n<ul class="dropdown-menu">\n${each(item.children, (link) => `<li><a href="${link.href}">${link.text}</a></li>\n`)}</ul>\n</li>\n`,
        )
        .join('')}</ul>\n</div>\n</nav>\n`,
    ad: (unit, serial, caption) =>
      `<div class="ad-unit" aria-label="${caption}"><ins class="adsbygoogle" style="display:block" data-ad-client="ca-pub-${serial}" data-ad-slot="${unit}" data-ad-format="auto"></ins><script>(adsbygoogle = window.adsbygoogle || []).push({});</script></div>\n`,
    crumbsOpen: '<ol class="breadcrumb" itemscope itemtype="http://schema.org/BreadcrumbList">\n',
    crumb: (link) =>
      `<li itemprop="itemListElement"><a itemprop="item" href="${link.href}"><span itemprop="name">${link.text}</span></a></li>\n`,
    crumbHere: (text) => `<li class="active">${text}</li>\n`,
    crumbsClose: '</ol>\n',
    boxOpen: (role) => `<section class="panel panel-default panel-${role}">\n`,
    boxTitle: (title) => `<header class="panel-heading"><h3 class="panel-title">${title}</h3></header>\n`,
    boxBody: '<div class="panel-body">\n',
    boxClose: '</div>\n</section>\n',
    linkList: (links) =>
      `<ul class="list-unstyled">\n${each(links, (link) => `<li><a href="${link.href}">${link.text}</a></li>\n`)}</ul>\n`,
    cloud: (links) =>
      `<div class="tag-cloud">${links.map((link) => `<a class="label label-default" href="${link.href}">${link.text}</a>`).join('\n')}</div>\n`,
    form: (action, fields, button) =>
      `<form action="${action}" method="post" class="form-horizontal">\n${each(fields, (field) => `<div class="form-group"><label for="${field.name}">${field.label}</label>${field.long ? `<textarea class="form-control" id="${field.name}" name="${field.name}" rows="5" required></textarea>` : `<input type="text" class="form-control" id="${field.name}" name="${field.name}" required>`}</div>\n`)}<button type="submit" class="btn btn-primary">${button}</button>\n</form>\n`,
    small: (text) => `<p class="text-muted small">${text}</p>\n`,
    shareBar: (label, links) =>
      `<div class="share-bar"><span class="share-label">${label}</span>\n<ul class="list-inline">\n${each(links, (link) => `<li><a class="btn btn-social js-share" href="${link.href}"><i class="fa fa-share"></i> ${link.text}</a></li>\n`)}</ul></div>\n`,
    footerOpen: '<footer class="site-footer" role="contentinfo">\n<div class="container">\n',
    footerColumn: (title, links) =>
      `<section class="footer-col">\n<h4>${title}</h4>\n<ul class="list-unstyled">\n${each(links, (link) => `<li><a href="${link.href}">${link.text}</a></li>\n`)}</ul>\n</section>\n`,
    footerNote: (text) => `<p class="legal">${text}</p>\n`,
    counter: (text) => `<p class="stats">${text}</p>\n`,
    footerClose: '</div>\n</footer>\n',
    bodyPartOpen: (kind) => `<article class="${kind}" itemscope itemtype="http://schema.org/CreativeWork">\n`,
    bodyPartClose: '</article>\n',
    h1: (text) => `<header class="page-header"><h1 itemprop="headline">${text}</h1></header>\n`,
    h2: (text) => `<h2>${text}</h2>\n`,
    byline: (text) => `<p class="byline" itemprop="author">${text}</p>\n`,
    p: (text) => `<p>${text}</p>\n`,
    bullets: (items, ordered) => {
      const tag = ordered ? 'ol' : 'ul';
      return `<${tag}>\n${each(items, (item) => `<li>${item}</li>\n`)}</${tag}>\n`;
    },
    table: (head, rows, caption) =>
      `<div class="table-responsive"><table class="table table-striped">\n<caption>${caption}</caption>\n<thead><tr>${each(head, (text) => `<th>${text}</th>`)}</tr></thead>\n<tbody>\n${each(rows, (row) => `<tr>${row.map((text) => `<td>${text}</td>`).join('')}</tr>\n`)}</tbody>\n</table></div>\n`,
    quote: (text, source) => `<blockquote><p>${text}</p><footer>${source}</footer></blockquote>\n`,
    code: (text) => `<pre><code class="language-js">${text}</code></pre>\n`,
    figure: (src, caption, width) =>
      `<figure class="thumbnail" style="max-width:${width}px"><img class="img-responsive lazy" src="${src}" alt="${caption}" width="${width}"><figcaption class="caption">${caption}</figcaption></figure>\n`,
    tagLine: (links) =>
      `<p class="post-tags">${links.map((link) => `<a href="${link.href}" rel="tag" class="label">${link.text}</a>`).join(' ')}</p>\n`,
    excerpt: (link, meta, text, image) =>
      `<div class="media">\n<a class="media-left" href="${link.href}"><img class="media-object lazy" data-src="${image}" alt="" width="120"></a>\n<div class="media-body"><h3 class="media-heading"><a href="${link.href}">${link.text}</a></h3>\n<p class="meta">${meta}</p>\n<p>${text}</p></div>\n</div>\n`,
    comment: (id, meta, paragraphs) =>
      `<article class="comment" id="comment-${id}" itemprop="comment">\n<header class="comment-header">${meta}</header>\n${each(paragraphs, (text) => `<p>${text}</p>\n`)}</article>\n`,
    price: (amount) => `<p class="price" itemprop="price">${amount}</p>\n`,
    button: (label, id) =>
      `<button class="btn btn-lg btn-success js-cart" data-product="${id}">${label}</button>\n`,
    post: (id, author, meta, body, signature) => ({
      before: `<article id="post-${id}" class="panel post">\n<aside class="post-author"><ul class="list-unstyled">${each(author, (text) => `<li>${text}</li>`)}</ul></aside>\n<header class="post-head">${meta}</header>\n<div class="post-text">${body}</div>\n${signature === '' ? '' : `<footer class="signature">${signature}</footer>\n`}`,
      after: '</article>\n',
    }),
    postTools: (id, labels) =>
      `<ul class="list-inline post-tools">${each(labels, (label, at) => `<li><a class="btn btn-xs" data-post="${id}" href="/forum/action/${at}/${id}">${label}</a></li>`)}</ul>\n`,
    pager: (pages, here) =>
      `<ul class="pagination">${each(pages, (link, at) => (at === here ? `<li class="active"><span>${link.text}</span></li>` : `<li><a href="${link.href}">${link.text}</a></li>`))}</ul>\n`,
    teaser: (link, text) =>
      `<div class="media teaser"><h4><a href="${link.href}">${link.text}</a></h4><p>${text}</p></div>\n`,
  };
}

/**
 * Skin in the style of 2022: utility classes, data attributes, inline icons, a state object for the client.
 */
export function utilitySkin(style: SkinStyle): Skin {
  const { dark, light, prefix, siteName, lang } = style;
  const tone = ['slate', 'zinc', 'stone', 'neutral'][style.variant % 4];
  const hue = ['indigo', 'teal', 'rose', 'amber'][style.variant % 4];
  const link = `text-${hue}-700 hover:underline focus:ring-2 focus:ring-${hue}-500`;
  const icon = (path: string) =>
    `<svg class="h-5 w-5" width="20" height="20" viewBox="0 0 24 24" fill="none" stroke="currentColor" aria-hidden="true"><path stroke-linecap="round" d="${path}"></path></svg>`;
  return {
    doctype: '<!DOCTYPE html>\n',
    htmlOpen: `<html lang="${lang}" data-theme="light" class="scroll-smooth">\n<head>\n`,
    headTags: (charset) =>
      `<meta charset="${charset}">\n<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">\n<meta name="theme-color" content="${dark}">\n<meta property="og:site_name" content="${siteName}">\n<link rel="preload" href="/_${prefix}/fonts/inter-var.woff2" as="font" type="font/woff2" crossorigin>\n<link rel="stylesheet" href="/_${prefix}/static/css/app.${(style.variant * 7919 + 65536).toString(16)}.css">\n<link rel="manifest" href="/site.webmanifest">\n<link rel="icon" href="/favicon.svg" type="image/svg+xml">\n<style data-critical>\nbody{font:16px/1.65 Inter,system-ui,sans-serif;margin:0;color:#1e293b}.max-w-7xl{max-width:80rem;margin:0 auto;padding:0 1rem}.lg\\:grid{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,1fr);gap:2rem}\n.flex{display:flex;gap:1rem;align-items:center;flex-wrap:wrap}.menu{list-style:none;padding:.5rem 0;margin:0;display:flex;gap:1.5rem;flex-wrap:wrap}.menu ul{display:none}.foot{display:grid;grid-template-columns:repeat(4,1fr);background:${light};padding:1.5rem}\nul{padding-left:1.1rem}ol.flex{list-style:none;padding:0}.sr-only{position:absolute;left:-9999px}a{color:inherit}.font-bold{font-weight:700;text-decoration:none}img{max-width:100%}.card{border:1px solid #e2e8f0;border-radius:.5rem;padding:1rem;margin-bottom:1rem}\n${themeRules(['.card', '.prose', '.menu', '.foot', '.btn', '.badge', '[data-island]', '.stack'], style, 34)}</style>\n<script>window.__STATE__={"site":"${prefix}","locale":"${lang}","flags":{"darkMode":true,"newComments":true,"lazyImages":true,"paywall":false},"build":"${(style.variant * 104729 + 1048576).toString(36)}","endpoints":{"search":"/api/search","cart":"/api/cart","events":"/api/events","session":"/api/session"}};</script>\n<script type="module" src="/_${prefix}/static/js/runtime.js" defer></script>\n<script type="module" src="/_${prefix}/static/js/app.js" defer></script>\n`,
    headClose: '</head>\n',
    bodyOpen: `<body class="bg-white text-${tone}-800 antialiased">\n<div id="app" data-v-app>\n`,
    bodyClose: '</div>\n</body>\n</html>\n',
    topOpen: `<header class="border-b border-${tone}-200" data-island="header">\n<div class="max-w-7xl flex items-center justify-between py-4">\n`,
    topClose: '</div>\n</header>\n',
    columnsOpen: '<div class="max-w-7xl lg:grid lg:grid-cols-3 gap-8 py-8">\n',
    columnsClose: '</div>\n',
    mainOpen: '<main id="content" class="lg:col-span-2 min-w-0">\n',
    mainClose: '</main>\n',
    sideOpen: '<aside class="stack space-y-6 text-sm" data-island="rail">\n',
    sideClose: '</aside>\n',
    sideFirst: false,
    scripts: `<script>(()=>{const d=document;d.querySelectorAll('[data-open]').forEach(b=>b.addEventListener('click',()=>d.getElementById(b.dataset.open)?.toggleAttribute('hidden')));if('serviceWorker' in navigator)navigator.serviceWorker.register('/sw.js');const o=new IntersectionObserver(e=>e.forEach(i=>{if(i.isIntersecting){i.target.src=i.target.dataset.src;o.unobserve(i.target)}}));d.querySelectorAll('img[data-src]').forEach(i=>o.observe(i))})();</script>\n<script async src="/_${prefix}/static/js/consent.js" data-layer="${prefix}"></script>\n`,
    notice: (text, accept, settings) =>
      `<a class="sr-only focus:not-sr-only" href="#content">&#8595;</a>\n<div id="consent" class="card flex" role="dialog" aria-live="polite" data-island="consent">\n<p class="text-sm text-${tone}-600">${text}</p>\n<div class="flex gap-2"><button class="btn bg-${hue}-600 text-white rounded-md px-4 py-2" data-consent="all">${accept}</button><button class="btn rounded-md px-4 py-2 ring-1 ring-${tone}-300" data-consent="choose">${settings}</button></div>\n</div>\n`,
    logo: (tagline) =>
      `<a href="/" class="flex items-center gap-3 font-bold text-xl" aria-label="${siteName}">${icon('M4 6h16M4 12h16M4 18h7')}<span>${siteName}</span></a>\n<p class="hidden md:block text-sm text-${tone}-500">${tagline}</p>\n`,
    today: (date) => `<span class="text-xs text-${tone}-500" data-now>${date}</span>\n`,
    searchBox: (label) =>
      `<form action="/search" role="search" class="relative" data-island="search"><label class="sr-only" for="q">${label}</label><input id="q" name="q" type="search" placeholder="${label}" class="w-full rounded-full border-${tone}-300 pl-10 focus:border-${hue}-500"><button type="submit" class="absolute inset-y-0 left-0" aria-label="${label}">${icon('M21 21l-4.35-4.35M17 11a6 6 0 11-12 0 6 6 0 0112 0z')}</button></form>\n`,
    menu: (items) =>
      `<nav class="bg-${tone}-50" aria-label="${siteName}" data-island="nav">\n<ul class="menu max-w-7xl text-sm font-medium">\n${each(items, (item, at) => `<li class="relative group" data-index="${at}"><a href="${item.href}" class="inline-flex items-center px-3 py-2 rounded-md hover:bg-${tone}-100${item.active ? ` text-${hue}-700" aria-current="page` : ''}">${item.text}</a>${item.children.length === 0 ? '' : `\n<ul class="absolute hidden group-hover:block shadow-lg rounded-md bg-white py-2">\n${each(item.children, (child) => `<li><a class="block px-4 py-2 hover:bg-${tone}-50" href="${child.href}">${child.text}</a></li>\n`)}</ul>\n`}</li>\n`)}</ul>\n</nav>\n`,
    ad: (unit, serial, caption) =>
      `<div class="my-4 min-h-[90px] bg-${tone}-100" data-ad-unit="/${prefix}/${unit}" data-ad-targeting='{"pos":${unit % 7},"r":${serial}}' aria-label="${caption}"></div>\n`,
    crumbsOpen: `<nav aria-label="breadcrumb" class="text-sm text-${tone}-500"><ol class="flex gap-2">\n`,
    crumb: (to) =>
      `<li><a class="${link}" href="${to.href}">${to.text}</a><span class="mx-2" aria-hidden="true">/</span></li>\n`,
    crumbHere: (text) => `<li aria-current="page" class="truncate">${text}</li>\n`,
    crumbsClose: '</ol></nav>\n',
    boxOpen: (role) =>
      `<section class="card rounded-lg ring-1 ring-${tone}-200 p-4" data-component="${role}">\n`,
    boxTitle: (title) => `<h3 class="font-semibold text-${tone}-900 mb-3">${title}</h3>\n`,
    boxBody: '',
    boxClose: '</section>\n',
    linkList: (links) =>
      `<ul class="space-y-2" role="list">\n${each(links, (to) => `<li class="flex justify-between"><a class="${link}" href="${to.href}">${to.text}</a></li>\n`)}</ul>\n`,
    cloud: (links) =>
      `<div class="flex flex-wrap gap-2">${links.map((to) => `<a class="badge rounded-full bg-${tone}-100 px-3 py-1 text-xs" href="${to.href}">${to.text}</a>`).join('\n')}</div>\n`,
    form: (action, fields, button) =>
      `<form action="${action}" method="post" class="space-y-4" data-island="form">\n${each(fields, (field) => `<label class="block"><span class="text-${tone}-700">${field.label}</span>${field.long ? `<textarea name="${field.name}" rows="4" class="mt-1 block w-full rounded-md border-${tone}-300 shadow-sm"></textarea>` : `<input name="${field.name}" type="text" class="mt-1 block w-full rounded-md border-${tone}-300 shadow-sm">`}</label>\n`)}<button class="btn inline-flex rounded-md bg-${hue}-600 px-4 py-2 text-white hover:bg-${hue}-700">${button}</button>\n</form>\n`,
    small: (text) => `<p class="text-xs leading-5 text-${tone}-500">${text}</p>\n`,
    shareBar: (label, links) =>
      `<div class="flex items-center gap-4 border-y py-3" data-island="share"><span class="text-sm">${label}</span>\n${each(links, (to) => `<a class="inline-flex items-center gap-1 ${link}" rel="nofollow noopener" href="${to.href}">${icon('M8 12h8M12 8v8')}<span>${to.text}</span></a>\n`)}</div>\n`,
    footerOpen: `<footer class="foot border-t border-${tone}-200 text-sm" data-island="footer">\n`,
    footerColumn: (title, links) =>
      `<div class="space-y-3">\n<h2 class="font-semibold uppercase tracking-wider text-${tone}-400">${title}</h2>\n<ul role="list" class="space-y-2">\n${each(links, (to) => `<li><a class="text-${tone}-600 hover:text-${tone}-900" href="${to.href}">${to.text}</a></li>\n`)}</ul>\n</div>\n`,
    footerNote: (text) => `<p class="col-span-full mt-8 text-xs leading-5 text-${tone}-400">${text}</p>\n`,
    counter: (text) => `<p class="col-span-full text-xs" data-live>${text}</p>\n`,
    footerClose: '</footer>\n',
    bodyPartOpen: (kind) => `<article class="prose prose-${tone} max-w-none" data-type="${kind}">\n`,
    bodyPartClose: '</article>\n',
    h1: (text) => `<h1 class="text-3xl font-extrabold tracking-tight sm:text-4xl">${text}</h1>\n`,
    h2: (text) => `<h2 class="mt-8 text-xl font-bold">${text}</h2>\n`,
    byline: (text) => `<p class="mt-2 text-sm text-${tone}-500">${text}</p>\n`,
    p: (text) => `<p>${text}</p>\n`,
    bullets: (items, ordered) => {
      const tag = ordered ? 'ol' : 'ul';
      return `<${tag} class="my-4 pl-6">\n${each(items, (item) => `<li>${item}</li>\n`)}</${tag}>\n`;
    },
    table: (head, rows, caption) =>
      `<div class="overflow-x-auto"><table class="min-w-full divide-y divide-${tone}-200">\n<caption class="text-sm">${caption}</caption>\n<thead><tr>${each(head, (text) => `<th scope="col" class="px-3 py-2 text-left">${text}</th>`)}</tr></thead>\n<tbody>\n${each(rows, (row) => `<tr>${row.map((text) => `<td class="px-3 py-2">${text}</td>`).join('')}</tr>\n`)}</tbody>\n</table></div>\n`,
    quote: (text, source) =>
      `<figure class="my-6 border-l-4 pl-4"><blockquote><p>${text}</p></blockquote><figcaption class="text-sm">${source}</figcaption></figure>\n`,
    code: (text) =>
      `<pre class="rounded-lg bg-${tone}-900 p-4"><code class="language-ts" data-lines="${text.split('\n').length}">${text}</code></pre>\n`,
    figure: (src, caption, width) =>
      `<figure class="my-8"><picture><source type="image/webp" srcset="${src}.webp?w=${width} 1x, ${src}.webp?w=${2 * width} 2x"><img loading="lazy" decoding="async" class="rounded-lg" src="${src}" alt="${caption}" width="${width}"></picture><figcaption class="mt-2 text-sm text-${tone}-500">${caption}</figcaption></figure>\n`,
    tagLine: (links) =>
      `<div class="mt-6 flex gap-2">${each(links, (to) => `<a rel="tag" class="badge rounded-full px-3 py-1" href="${to.href}">${to.text}</a>`)}</div>\n`,
    excerpt: (to, meta, text, image) =>
      `<div class="card group grid gap-4 sm:grid-cols-4" data-href="${to.href}">\n<img loading="lazy" class="aspect-video rounded-md" data-src="${image}" alt="">\n<div class="sm:col-span-3"><h3 class="text-lg font-semibold"><a class="${link}" href="${to.href}">${to.text}</a></h3>\n<p class="text-xs text-${tone}-500">${meta}</p>\n<p class="mt-2">${text}</p></div>\n</div>\n`,
    comment: (id, meta, paragraphs) =>
      `<div class="card" id="comment-${id}" data-comment="${id}">\n<p class="text-sm font-medium">${meta}</p>\n${each(paragraphs, (text) => `<p class="mt-2">${text}</p>\n`)}</div>\n`,
    price: (amount) => `<p class="text-2xl font-bold text-${hue}-700" data-price>${amount}</p>\n`,
    button: (label, id) =>
      `<button class="btn rounded-md bg-${hue}-600 px-6 py-3 text-white" data-add-to-cart="${id}">${label}</button>\n`,
    post: (id, author, meta, body, signature) => ({
      before: `<div id="post-${id}" class="card grid sm:grid-cols-5 gap-4" data-post="${id}">\n<div class="text-sm">${each(author, (text) => `<div class="truncate">${text}</div>`)}</div>\n<div class="sm:col-span-4"><p class="text-xs text-${tone}-500">${meta}</p>\n<div class="prose">${body}</div>\n${signature === '' ? '' : `<p class="mt-4 border-t pt-2 text-xs">${signature}</p>\n`}</div>\n`,
      after: '</div>\n',
    }),
    postTools: (id, labels) =>
      `<div class="flex justify-end gap-2">${each(labels, (label, at) => `<button class="btn text-xs" data-action="${at}" data-post="${id}">${label}</button>`)}</div>\n`,
    pager: (pages, here) =>
      `<nav class="mt-8 flex justify-center gap-1" aria-label="pagination">${each(pages, (to, at) => (at === here ? `<span aria-current="page" class="px-3 py-2 bg-${tone}-100">${to.text}</span>` : `<a class="px-3 py-2 ${link}" href="${to.href}">${to.text}</a>`))}</nav>\n`,
    teaser: (to, text) =>
      `<div class="py-3 border-b"><a class="font-medium ${link}" href="${to.href}">${to.text}</a><p class="text-${tone}-600">${text}</p></div>\n`,
  };
}
