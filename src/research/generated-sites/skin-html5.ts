/** Around 2015: HTML5 sections, Bootstrap-like grids, ARIA and microdata. */
import { type Skin, type SkinStyle, themeRules } from './skin.ts';

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
            : `<li class="dropdown${item.active ? ' active' : ''}">\n<a href="${item.href}" class="dropdown-toggle" data-toggle="dropdown" aria-haspopup="true">${item.text} <span class="caret"></span></a>\n<ul class="dropdown-menu">\n${item.children.map((link) => `<li><a href="${link.href}">${link.text}</a></li>\n`).join('')}</ul>\n</li>\n`,
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
      `<ul class="list-unstyled">\n${links.map((link) => `<li><a href="${link.href}">${link.text}</a></li>\n`).join('')}</ul>\n`,
    cloud: (links) =>
      `<div class="tag-cloud">${links.map((link) => `<a class="label label-default" href="${link.href}">${link.text}</a>`).join('\n')}</div>\n`,
    form: (action, fields, button) =>
      `<form action="${action}" method="post" class="form-horizontal">\n${fields
        .map(
          (field) =>
            `<div class="form-group"><label for="${field.name}">${field.label}</label>${field.long ? `<textarea class="form-control" id="${field.name}" name="${field.name}" rows="5" required></textarea>` : `<input type="text" class="form-control" id="${field.name}" name="${field.name}" required>`}</div>\n`,
        )
        .join('')}<button type="submit" class="btn btn-primary">${button}</button>\n</form>\n`,
    small: (text) => `<p class="text-muted small">${text}</p>\n`,
    shareBar: (label, links) =>
      `<div class="share-bar"><span class="share-label">${label}</span>\n<ul class="list-inline">\n${links.map((link) => `<li><a class="btn btn-social js-share" href="${link.href}"><i class="fa fa-share"></i> ${link.text}</a></li>\n`).join('')}</ul></div>\n`,
    footerOpen: '<footer class="site-footer" role="contentinfo">\n<div class="container">\n',
    footerColumn: (title, links) =>
      `<section class="footer-col">\n<h4>${title}</h4>\n<ul class="list-unstyled">\n${links.map((link) => `<li><a href="${link.href}">${link.text}</a></li>\n`).join('')}</ul>\n</section>\n`,
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
      return `<${tag}>\n${items.map((item) => `<li>${item}</li>\n`).join('')}</${tag}>\n`;
    },
    table: (head, rows, caption) =>
      `<div class="table-responsive"><table class="table table-striped">\n<caption>${caption}</caption>\n<thead><tr>${head.map((text) => `<th>${text}</th>`).join('')}</tr></thead>\n<tbody>\n${rows.map((row) => `<tr>${row.map((text) => `<td>${text}</td>`).join('')}</tr>\n`).join('')}</tbody>\n</table></div>\n`,
    quote: (text, source) => `<blockquote><p>${text}</p><footer>${source}</footer></blockquote>\n`,
    code: (text) => `<pre><code class="language-js">${text}</code></pre>\n`,
    figure: (src, caption, width) =>
      `<figure class="thumbnail" style="max-width:${width}px"><img class="img-responsive lazy" src="${src}" alt="${caption}" width="${width}"><figcaption class="caption">${caption}</figcaption></figure>\n`,
    tagLine: (links) =>
      `<p class="post-tags">${links.map((link) => `<a href="${link.href}" rel="tag" class="label">${link.text}</a>`).join(' ')}</p>\n`,
    excerpt: (link, meta, text, image) =>
      `<div class="media">\n<a class="media-left" href="${link.href}"><img class="media-object lazy" data-src="${image}" alt="" width="120"></a>\n<div class="media-body"><h3 class="media-heading"><a href="${link.href}">${link.text}</a></h3>\n<p class="meta">${meta}</p>\n<p>${text}</p></div>\n</div>\n`,
    comment: (id, meta, paragraphs) =>
      `<article class="comment" id="comment-${id}" itemprop="comment">\n<header class="comment-header">${meta}</header>\n${paragraphs.map((text) => `<p>${text}</p>\n`).join('')}</article>\n`,
    price: (amount) => `<p class="price" itemprop="price">${amount}</p>\n`,
    button: (label, id) =>
      `<button class="btn btn-lg btn-success js-cart" data-product="${id}">${label}</button>\n`,
    post: (id, author, meta, body, signature) => ({
      before: `<article id="post-${id}" class="panel post">\n<aside class="post-author"><ul class="list-unstyled">${author.map((text) => `<li>${text}</li>`).join('')}</ul></aside>\n<header class="post-head">${meta}</header>\n<div class="post-text">${body}</div>\n${signature === '' ? '' : `<footer class="signature">${signature}</footer>\n`}`,
      after: '</article>\n',
    }),
    postTools: (id, labels) =>
      `<ul class="list-inline post-tools">${labels.map((label, at) => `<li><a class="btn btn-xs" data-post="${id}" href="/forum/action/${at}/${id}">${label}</a></li>`).join('')}</ul>\n`,
    pager: (pages, here) =>
      `<ul class="pagination">${pages.map((link, at) => (at === here ? `<li class="active"><span>${link.text}</span></li>` : `<li><a href="${link.href}">${link.text}</a></li>`)).join('')}</ul>\n`,
    teaser: (link, text) =>
      `<div class="media teaser"><h4><a href="${link.href}">${link.text}</a></h4><p>${text}</p></div>\n`,
  };
}
