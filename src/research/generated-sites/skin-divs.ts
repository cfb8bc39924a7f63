/** Around 2010: XHTML, divs with ids, clearing floats, jQuery plug-ins. */
import { type Skin, type SkinStyle, themeRules } from './skin.ts';

export function divsSkin(style: SkinStyle): Skin {
  const { dark, light, prefix, siteName, lang } = style;
  const theme = `/wp-content/themes/${prefix}`;
  const wrap = ['wrapper', 'container', 'page-wrap'][style.variant % 3];
  const post = ['post', 'entry', 'node'][style.variant % 3];
  return {
    doctype:
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n',
    htmlOpen: `<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="${lang}" lang="${lang}">\n<head>\n`,
    headTags: (charset) =>
      `<meta http-equiv="Content-Type" content="text/html; charset=${charset}" />\n<meta name="generator" content="WordPress 3.${style.variant}" />\n<link rel="stylesheet" href="${theme}/style.css" type="text/css" media="screen" />\n<link rel="stylesheet" href="${theme}/print.css" type="text/css" media="print" />\n<link rel="alternate" type="application/rss+xml" title="${siteName} RSS" href="/feed/" />\n<link rel="pingback" href="/xmlrpc.php" />\n<!--[if lt IE 7]><link rel="stylesheet" href="${theme}/ie6.css" type="text/css" /><![endif]-->\n<style type="text/css">\nbody { font: 13px/1.5 Georgia, serif; margin: 0; background: ${light}; }\n#${wrap} { width: 960px; margin: 0 auto; background: #fff; padding: 0 10px; }\n#content { float: left; width: 640px; }\n#sidebar { float: right; width: 280px; font-size: 12px; }\n#footer { clear: both; border-top: 3px solid ${dark}; padding: 10px 0; overflow: hidden; font-size: 11px; }\n.footer-widget { float: left; width: 170px; margin-right: 15px; }\n#access ul { list-style: none; margin: 0; padding: 5px; background: ${dark}; }\n#access li { display: inline-block; position: relative; margin-right: 15px; }\n#access a { color: #fff; }\n#access ul ul { display: none; position: absolute; }\n#header { overflow: hidden; }\n#branding { float: left; } #today, #searchform { float: right; padding: 10px; }\n${themeRules(['#header', '#access', `.${post}`, '.widget', '.commentlist', '.navigation', '#footer'], style, 26)}</style>\n<script type="text/javascript" src="/wp-includes/js/jquery/jquery.js?ver=1.4.${style.variant}"></script>\n<script type="text/javascript" src="/wp-content/plugins/lightbox/lightbox.js"></script>\n<script type="text/javascript">\n//<![CDATA[\njQuery(document).ready(function($) {\n  $('#access li').hover(function() { $(this).find('ul').slideDown(100); }, function() { $(this).find('ul').hide(); });\n  $('a[rel=external]').attr('target', '_blank');\n  $('#s').focus(function() { if (this.value === this.defaultValue) this.value = ''; });\n});\n//]]>\n</script>\n`,
    headClose: '</head>\n',
    bodyOpen: `<body class="${prefix} two-column right-sidebar">\n<div id="${wrap}" class="hfeed">\n`,
    bodyClose: `</div><!-- #${wrap} -->\n</body>\n</html>\n`,
    topOpen: '<div id="header">\n',
    topClose: '<div class="clear"></div>\n</div><!-- #header -->\n',
    columnsOpen: '<div id="main" class="clearfix">\n',
    columnsClose: '</div><!-- #main -->\n',
    mainOpen: '<div id="content" role="main">\n',
    mainClose: '</div><!-- #content -->\n',
    sideOpen: '<div id="sidebar" class="widget-area">\n',
    sideClose: '</div><!-- #sidebar -->\n',
    sideFirst: style.variant % 4 === 3,
    scripts: `<script type="text/javascript">\nvar _gaq = _gaq || [];\n_gaq.push(['_setAccount', 'UA-${700000 + style.variant}-1']);\n_gaq.push(['_trackPageview']);\n(function() {\n  var ga = document.createElement('script'); ga.type = 'text/javascript'; ga.async = true;\n  ga.src = '/stats/ga.js';\n  var s = document.getElementsByTagName('script')[0]; s.parentNode.insertBefore(ga, s);\n})();\n</script>\n`,
    notice: () => '<a id="top"></a>\n',
    logo: (tagline) =>
      `<div id="branding">\n<h2 id="site-title"><a href="/" title="${siteName}" rel="home">${siteName}</a></h2>\n<div id="site-description">${tagline}</div>\n</div>\n`,
    today: (date) => `<div id="today">${date}</div>\n`,
    searchBox: (label) =>
      `<form role="search" method="get" id="searchform" action="/"><div><label class="screen-reader-text" for="s">${label}</label> <input type="text" value="" name="s" id="s" /> <input type="submit" id="searchsubmit" value="${label}" /></div></form>\n`,
    menu: (items) =>
      `<div id="access" role="navigation"><div class="menu-header"><ul id="menu-main" class="menu">\n${items
        .map(
          (item, at) =>
            `<li id="menu-item-${at + 21}" class="menu-item${item.active ? ' current-menu-item' : ''}"><a href="${item.href}">${item.text}</a>${item.children.length === 0 ? '' : `\n<ul class="sub-menu">\n${item.children.map((link) => `<li class="menu-item"><a href="${link.href}">${link.text}</a></li>\n`).join('')}</ul>\n`}</li>\n`,
        )
        .join('')}</ul></div></div><!-- #access -->\n`,
    ad: (unit, serial, caption) =>
      `<div class="ad-leaderboard"><small>${caption}</small><script type="text/javascript">google_ad_client = "pub-${serial}"; google_ad_slot = "${unit}"; google_ad_width = 728; google_ad_height = 90;</script><script type="text/javascript" src="/ads/show_ads.js"></script></div>\n`,
    crumbsOpen: '<div id="breadcrumbs">',
    crumb: (link) => `<a href="${link.href}">${link.text}</a> &raquo; `,
    crumbHere: (text) => `<span class="current">${text}</span>`,
    crumbsClose: '</div>\n',
    boxOpen: (role) => `<div id="${role}" class="widget widget_${role}">\n`,
    boxTitle: (title) => `<h3 class="widget-title">${title}</h3>\n`,
    boxBody: '',
    boxClose: '</div>\n',
    linkList: (links) =>
      `<ul>\n${links.map((link) => `<li class="cat-item"><a href="${link.href}" title="${link.text}">${link.text}</a></li>\n`).join('')}</ul>\n`,
    cloud: (links) =>
      `<div class="tagcloud">${links.map((link, at) => `<a href="${link.href}" class="tag-link-${at}" style="font-size: ${8 + (at % 5) * 3}pt;">${link.text}</a>`).join('\n')}</div>\n`,
    form: (action, fields, button) =>
      `<form action="${action}" method="post" class="${prefix}-form">\n${fields
        .map(
          (field) =>
            `<p><label for="f-${field.name}">${field.label}</label> ${field.long ? `<textarea id="f-${field.name}" name="${field.name}" cols="45" rows="8"></textarea>` : `<input id="f-${field.name}" name="${field.name}" type="text" value="" size="30" />`}</p>\n`,
        )
        .join(
          '',
        )}<p class="form-submit"><input name="submit" type="submit" value="${button}" /></p>\n</form>\n`,
    small: (text) => `<p class="note">${text}</p>\n`,
    shareBar: (label, links) =>
      `<div class="sharing"><span>${label}:</span>\n${links.map((link) => `<a class="share-icon" rel="nofollow" href="${link.href}">${link.text}</a>`).join('\n')}</div>\n`,
    footerOpen: '<div id="footer" role="contentinfo">\n',
    footerColumn: (title, links) =>
      `<div class="footer-widget">\n<h4>${title}</h4>\n<ul>\n${links.map((link) => `<li><a href="${link.href}">${link.text}</a></li>\n`).join('')}</ul>\n</div>\n`,
    footerNote: (text) => `<div id="site-info"><p>${text}</p></div>\n`,
    counter: (text) => `<div id="site-counter">${text}</div>\n`,
    footerClose: '</div><!-- #footer -->\n',
    bodyPartOpen: (kind) => `<div class="${post} type-${kind} hentry">\n`,
    bodyPartClose: `</div><!-- .${post} -->\n`,
    h1: (text) => `<h1 class="entry-title">${text}</h1>\n`,
    h2: (text) => `<h2>${text}</h2>\n`,
    byline: (text) => `<div class="entry-meta">${text}</div>\n`,
    p: (text) => `<p>${text}</p>\n`,
    bullets: (items, ordered) => {
      const tag = ordered ? 'ol' : 'ul';
      return `<${tag}>\n${items.map((item) => `<li>${item}</li>\n`).join('')}</${tag}>\n`;
    },
    table: (head, rows, caption) =>
      `<table class="datatable" cellspacing="0">\n<caption>${caption}</caption>\n<tr>${head.map((text) => `<th>${text}</th>`).join('')}</tr>\n${rows.map((row, at) => `<tr class="${at % 2 ? 'even' : 'odd'}">${row.map((text) => `<td>${text}</td>`).join('')}</tr>\n`).join('')}</table>\n`,
    quote: (text, source) => `<blockquote><p>${text}</p><p><cite>${source}</cite></p></blockquote>\n`,
    code: (text) => `<pre class="brush: js">${text}</pre>\n`,
    figure: (src, caption, width) =>
      `<div class="wp-caption alignright" style="width: ${width}px"><a href="${src}" rel="lightbox"><img class="size-medium" src="${src}" alt="${caption}" width="${width}" /></a><p class="wp-caption-text">${caption}</p></div>\n`,
    tagLine: (links) =>
      `<div class="entry-utility">${links.map((link) => `<a href="${link.href}" rel="tag">${link.text}</a>`).join(', ')}</div>\n`,
    excerpt: (link, meta, text, image) =>
      `<div class="${post}-summary">\n<h2 class="entry-title"><a href="${link.href}" rel="bookmark">${link.text}</a></h2>\n<div class="entry-meta">${meta}</div>\n<img class="alignleft" src="${image}" alt="" width="120" height="80" />\n<p>${text}</p>\n</div>\n`,
    comment: (id, meta, paragraphs) =>
      `<div class="comment" id="comment-${id}">\n<div class="comment-meta">${meta}</div>\n${paragraphs.map((text) => `<p>${text}</p>\n`).join('')}</div>\n`,
    price: (amount) => `<div class="price">${amount}</div>\n`,
    button: (label, id) => `<p class="buy"><a class="button" href="/cart/?add=${id}">${label}</a></p>\n`,
    post: (id, author, meta, body, signature) => ({
      before: `<div id="p${id}" class="postbody">\n<dl class="postprofile">${author.map((text) => `<dd>${text}</dd>`).join('')}</dl>\n<p class="author">${meta}</p>\n<div class="content">${body}</div>\n${signature === '' ? '' : `<div class="signature">${signature}</div>\n`}`,
      after: '</div>\n',
    }),
    postTools: (id, labels) =>
      `<ul class="profile-icons">${labels.map((label, at) => `<li><a href="/forum/posting.php?mode=${at}&amp;p=${id}">${label}</a></li>`).join('')}</ul>\n`,
    pager: (pages, here) =>
      `<div class="navigation">${pages.map((link, at) => (at === here ? `<span class="current">${link.text}</span>` : `<a class="page" href="${link.href}">${link.text}</a>`)).join('\n')}</div>\n`,
    teaser: (link, text) => `<li><a href="${link.href}">${link.text}</a> <span>${text}</span></li>\n`,
  };
}
