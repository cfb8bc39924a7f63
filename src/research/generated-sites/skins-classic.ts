/** Skins of 2010 (XHTML, divs with ids, clearing floats, jQuery plug-ins) and of 2005 (nested tables). */
import { each, type Skin, type SkinStyle, themeRules } from './skin.ts';

/** Skin in the style of 2010: XHTML, divs with ids, clearing floats, jQuery plug-ins. */
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
      `<div id="access" role="navigation"><div class="menu-header"><ul id="menu-main" class="menu">\n${each(items, (item, at) => `<li id="menu-item-${at + 21}" class="menu-item${item.active ? ' current-menu-item' : ''}"><a href="${item.href}">${item.text}</a>${item.children.length === 0 ? '' : `\n<ul class="sub-menu">\n${each(item.children, (link) => `<li class="menu-item"><a href="${link.href}">${link.text}</a></li>\n`)}</ul>\n`}</li>\n`)}</ul></div></div><!-- #access -->\n`,
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
      `<ul>\n${each(links, (link) => `<li class="cat-item"><a href="${link.href}" title="${link.text}">${link.text}</a></li>\n`)}</ul>\n`,
    cloud: (links) =>
      `<div class="tagcloud">${links.map((link, at) => `<a href="${link.href}" class="tag-link-${at}" style="font-size: ${8 + (at % 5) * 3}pt;">${link.text}</a>`).join('\n')}</div>\n`,
    form: (action, fields, button) =>
      `<form action="${action}" method="post" class="${prefix}-form">\n${each(fields, (field) => `<p><label for="f-${field.name}">${field.label}</label> ${field.long ? `<textarea id="f-${field.name}" name="${field.name}" cols="45" rows="8"></textarea>` : `<input id="f-${field.name}" name="${field.name}" type="text" value="" size="30" />`}</p>\n`)}<p class="form-submit"><input name="submit" type="submit" value="${button}" /></p>\n</form>\n`,
    small: (text) => `<p class="note">${text}</p>\n`,
    shareBar: (label, links) =>
      `<div class="sharing"><span>${label}:</span>\n${links.map((link) => `<a class="share-icon" rel="nofollow" href="${link.href}">${link.text}</a>`).join('\n')}</div>\n`,
    footerOpen: '<div id="footer" role="contentinfo">\n',
    footerColumn: (title, links) =>
      `<div class="footer-widget">\n<h4>${title}</h4>\n<ul>\n${each(links, (link) => `<li><a href="${link.href}">${link.text}</a></li>\n`)}</ul>\n</div>\n`,
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
      return `<${tag}>\n${each(items, (item) => `<li>${item}</li>\n`)}</${tag}>\n`;
    },
    table: (head, rows, caption) =>
      `<table class="datatable" cellspacing="0">\n<caption>${caption}</caption>\n<tr>${each(head, (text) => `<th>${text}</th>`)}</tr>\n${each(rows, (row, at) => `<tr class="${at % 2 ? 'even' : 'odd'}">${row.map((text) => `<td>${text}</td>`).join('')}</tr>\n`)}</table>\n`,
    quote: (text, source) => `<blockquote><p>${text}</p><p><cite>${source}</cite></p></blockquote>\n`,
    code: (text) => `<pre class="brush: js">${text}</pre>\n`,
    figure: (src, caption, width) =>
      `<div class="wp-caption alignright" style="width: ${width}px"><a href="${src}" rel="lightbox"><img class="size-medium" src="${src}" alt="${caption}" width="${width}" /></a><p class="wp-caption-text">${caption}</p></div>\n`,
    tagLine: (links) =>
      `<div class="entry-utility">${links.map((link) => `<a href="${link.href}" rel="tag">${link.text}</a>`).join(', ')}</div>\n`,
    excerpt: (link, meta, text, image) =>
      `<div class="${post}-summary">\n<h2 class="entry-title"><a href="${link.href}" rel="bookmark">${link.text}</a></h2>\n<div class="entry-meta">${meta}</div>\n<img class="alignleft" src="${image}" alt="" width="120" height="80" />\n<p>${text}</p>\n</div>\n`,
    comment: (id, meta, paragraphs) =>
      `<div class="comment" id="comment-${id}">\n<div class="comment-meta">${meta}</div>\n${each(paragraphs, (text) => `<p>${text}</p>\n`)}</div>\n`,
    price: (amount) => `<div class="price">${amount}</div>\n`,
    button: (label, id) => `<p class="buy"><a class="button" href="/cart/?add=${id}">${label}</a></p>\n`,
    post: (id, author, meta, body, signature) => ({
      before: `<div id="p${id}" class="postbody">\n<dl class="postprofile">${each(author, (text) => `<dd>${text}</dd>`)}</dl>\n<p class="author">${meta}</p>\n<div class="content">${body}</div>\n${signature === '' ? '' : `<div class="signature">${signature}</div>\n`}`,
      after: '</div>\n',
    }),
    postTools: (id, labels) =>
      `<ul class="profile-icons">${each(labels, (label, at) => `<li><a href="/forum/posting.php?mode=${at}&amp;p=${id}">${label}</a></li>`)}</ul>\n`,
    pager: (pages, here) =>
      `<div class="navigation">${pages.map((link, at) => (at === here ? `<span class="current">${link.text}</span>` : `<a class="page" href="${link.href}">${link.text}</a>`)).join('\n')}</div>\n`,
    teaser: (link, text) => `<li><a href="${link.href}">${link.text}</a> <span>${text}</span></li>\n`,
  };
}

/** Skin in the style of 2005: layout by nested tables, font tags, a doctype in capitals, spacer images. */
export function tablesSkin(style: SkinStyle): Skin {
  const { dark, light, prefix, siteName } = style;
  const face = ['Verdana, Arial, Helvetica', 'Arial, Helvetica', 'Tahoma, Verdana'][style.variant % 3];
  const font = (size: number, text: string, more = '') =>
    `<font face="${face}" size="${size}"${more}>${text}</font>`;
  const spacer = '<img src="/images/spacer.gif" width="1" height="8" alt="">';
  return {
    doctype:
      '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">\n',
    htmlOpen: '<html>\n<head>\n',
    headTags: (charset) =>
      `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">\n<meta http-equiv="Content-Language" content="${style.lang}">\n<meta name="author" content="${siteName}">\n<meta name="robots" content="index, follow">\n<meta name="GENERATOR" content="Publisher 4.${style.variant}">\n<link rel="stylesheet" type="text/css" href="/${prefix}/style.css">\n<link rel="shortcut icon" href="/favicon.ico">\n<style type="text/css">\n<!--\nA:link { color: ${dark}; text-decoration: none }\nA:visited { color: #666699 }\nA:hover { color: #CC0000; text-decoration: underline }\n${themeRules(['.small', '.menu', '.txt', '.box', 'TD.left', 'TD.top'], style, 22)}-->\n</style>\n<script language="JavaScript" type="text/javascript">\n<!--\nfunction popup(url, w, h) {\n  window.open(url, 'win', 'width=' + w + ',height=' + h + ',scrollbars=yes,resizable=yes');\n  return false;\n}\nfunction swapImage(name, src) {\n  if (document.images) document.images[name].src = src;\n}\nif (top != self) top.location = self.location;\n//-->\n</script>\n`,
    headClose: '</head>\n',
    bodyOpen: `<body bgcolor="#FFFFFF" text="#000000" link="${dark}" leftmargin="0" topmargin="0" marginwidth="0" marginheight="0">\n`,
    bodyClose: '</body>\n</html>\n',
    topOpen: `<table width="100%" border="0" cellspacing="0" cellpadding="4" bgcolor="${light}">\n<tr>\n`,
    topClose: '</tr>\n</table>\n',
    columnsOpen: '<table width="980" border="0" cellspacing="0" cellpadding="6" align="center">\n<tr>\n',
    columnsClose: '</tr>\n</table>\n',
    mainOpen: '<td valign="top" width="760">\n',
    mainClose: '</td>\n',
    sideOpen: `<td valign="top" width="200" bgcolor="#F4F4F4">\n`,
    sideClose: '</td>\n',
    sideFirst: true,
    scripts: `<script language="JavaScript" type="text/javascript" src="/${prefix}/stat.js"></script>\n<noscript><img src="/cgi-bin/stat.gif?js=0" width="1" height="1" alt=""></noscript>\n`,
    notice: () => '<a name="top"></a>\n',
    logo: (tagline) =>
      `<td width="260"><a href="/"><img src="/images/logo_${prefix}.gif" width="240" height="60" border="0" alt="${siteName}"></a></td>\n<td class="top"><b>${font(5, siteName, ` color="${dark}"`)}</b><br>${font(1, tagline)}</td>\n`,
    today: (date) => `<td align="right" nowrap>${font(1, date)}</td>\n`,
    searchBox: (label) =>
      `<td align="right"><form action="/cgi-bin/search.pl" method="get"><input type="text" name="q" size="16"><input type="submit" value="${label}"></form></td>\n`,
    menu: (items) =>
      `<table width="100%" border="0" cellspacing="0" cellpadding="3" bgcolor="${dark}">\n<tr>\n${each(items, (item) => `<td align="center"${item.active ? ` bgcolor="#990000"` : ''}><a href="${item.href}">${font(2, `<b>${item.text}</b>`, ' color="#FFFFFF"')}</a></td>\n`)}</tr>\n</table>\n<table width="100%" border="0" cellspacing="0" cellpadding="1" bgcolor="${light}">\n${items
        .filter((item) => item.children.length > 0)
        .map(
          (item) =>
            `<tr><td>${font(1, `${item.text}: ${item.children.map((link) => `<a href="${link.href}">${link.text}</a>`).join(' | ')}`)}</td></tr>\n`,
        )
        .join('')}</table>\n`,
    ad: (unit, serial, caption) =>
      `<center><a href="/cgi-bin/click.cgi?b=${unit}&amp;s=${serial}" target="_blank"><img src="/banners/468x60_${unit}.gif" width="468" height="60" border="0" alt="${caption} ${unit}"></a></center>\n`,
    crumbsOpen: `<font face="${face}" size="1">`,
    crumb: (link) => `<a href="${link.href}">${link.text}</a> &gt; `,
    crumbHere: (text) => text,
    crumbsClose: `</font>\n<hr size="1" noshade>\n`,
    boxOpen: () => `<table width="100%" border="0" cellspacing="1" cellpadding="3" bgcolor="${dark}">\n`,
    boxTitle: (title) => `<tr><td><b>${font(2, title, ' color="#FFFFFF"')}</b></td></tr>\n`,
    boxBody: '<tr><td bgcolor="#FFFFFF">\n',
    boxClose: `</td></tr>\n</table>\n${spacer}<br>\n`,
    linkList: (links) =>
      each(
        links,
        (link) =>
          `<img src="/images/arrow.gif" width="7" height="7" alt="">&nbsp;<a href="${link.href}">${font(1, link.text)}</a><br>\n`,
      ),
    cloud: (links) =>
      `${links.map((link, at) => `<a href="${link.href}">${font(1 + (at % 3), link.text)}</a>`).join('\n')}\n`,
    form: (action, fields, button) =>
      `<form action="${action}" method="post">\n<table border="0" cellspacing="0" cellpadding="2">\n${each(fields, (field) => `<tr><td>${font(1, field.label)}</td><td>${field.long ? `<textarea name="${field.name}" rows="5" cols="40"></textarea>` : `<input type="text" name="${field.name}" size="24">`}</td></tr>\n`)}<tr><td>&nbsp;</td><td><input type="submit" value="${button}"></td></tr>\n</table>\n</form>\n`,
    small: (text) => `<p>${font(1, text)}</p>\n`,
    shareBar: (label, links) =>
      `<p align="right">${font(1, `${label}: ${links.map((link) => `<a href="${link.href}">${link.text}</a>`).join(' | ')}`)}</p>\n`,
    footerOpen: `<hr size="1" noshade width="980">\n<table width="980" border="0" cellspacing="0" cellpadding="4" align="center">\n<tr>\n`,
    footerColumn: (title, links) =>
      `<td valign="top">${font(1, `<b>${title}</b><br>\n${each(links, (link) => `<a href="${link.href}">${link.text}</a><br>\n`)}`)}</td>\n`,
    footerNote: (text) => `<td valign="top" width="420">${font(1, text)}</td>\n`,
    counter: (text) => `<td align="center">${font(1, text)}</td>\n`,
    footerClose: '</tr>\n</table>\n',
    bodyPartOpen: () => '<table width="100%" border="0" cellspacing="0" cellpadding="4"><tr><td>\n',
    bodyPartClose: '</td></tr></table>\n',
    h1: (text) => `<h1>${font(5, text, ` color="${dark}"`)}</h1>\n`,
    h2: (text) => `<h3>${font(3, text)}</h3>\n`,
    byline: (text) => `<p><i>${font(1, text, ' color="#666666"')}</i></p>\n`,
    p: (text) => `<p>${font(2, text)}</p>\n`,
    bullets: (items, ordered) => {
      const tag = ordered ? 'ol' : 'ul';
      return `<${tag}>\n${each(items, (item) => `<li>${font(2, item)}</li>\n`)}</${tag}>\n`;
    },
    table: (head, rows, caption) =>
      `<table border="1" cellspacing="0" cellpadding="3" width="90%">\n<caption>${font(1, caption)}</caption>\n<tr bgcolor="${light}">${each(head, (text) => `<th>${font(1, text)}</th>`)}</tr>\n${each(rows, (row) => `<tr>${row.map((text) => `<td>${font(2, text)}</td>`).join('')}</tr>\n`)}</table>\n`,
    quote: (text, source) => `<blockquote>${font(2, `<i>${text}</i><br>${source}`)}</blockquote>\n`,
    code: (text) => `<pre>${text}</pre>\n`,
    figure: (src, caption, width) =>
      `<table align="right" width="${width}" border="0" cellpadding="4"><tr><td><img src="${src}" width="${width}" border="1" alt="${caption}"><br>${font(1, caption)}</td></tr></table>\n`,
    tagLine: (links) =>
      `<p>${font(1, links.map((link) => `<a href="${link.href}">${link.text}</a>`).join(', '))}</p>\n`,
    excerpt: (link, meta, text, image) =>
      `<table width="100%" border="0" cellpadding="3"><tr><td width="90" valign="top"><img src="${image}" width="80" height="60" alt=""></td><td valign="top"><a href="${link.href}"><b>${font(2, link.text)}</b></a><br>${font(1, meta, ' color="#666666"')}<br>${font(2, text)}</td></tr></table>\n`,
    comment: (id, meta, paragraphs) =>
      `<a name="c${id}"></a><table width="95%" border="0" cellpadding="3"><tr><td bgcolor="${light}">${font(1, meta)}</td></tr><tr><td>${paragraphs.map((text) => font(2, text)).join('<br><br>')}</td></tr></table>\n`,
    price: (amount) => `<p><b>${font(4, amount, ' color="#CC0000"')}</b></p>\n`,
    button: (label, id) =>
      `<form action="/cgi-bin/cart.pl" method="post"><input type="hidden" name="id" value="${id}"><input type="submit" value="${label}"></form>\n`,
    post: (id, author, meta, body, signature) => ({
      before: `<a name="p${id}"></a><table width="100%" border="1" cellspacing="0" cellpadding="4">\n<tr><td width="150" valign="top" bgcolor="${light}">${font(2, author.join('<br>'))}</td>\n<td valign="top">${font(1, meta)}<hr size="1">${font(2, body)}${signature === '' ? '' : `<br>_________________<br>${font(1, signature)}`}</td></tr>\n`,
      after: '</table>\n',
    }),
    postTools: (id, labels) =>
      `<tr><td colspan="2" align="right">${labels.map((label, at) => `<a href="/forum/post.pl?a=${at}&amp;p=${id}">${label}</a>`).join(' ')}</td></tr>\n`,
    pager: (pages, here) =>
      `<p align="center">${font(2, pages.map((link, at) => (at === here ? `<b>[${link.text}]</b>` : `<a href="${link.href}">${link.text}</a>`)).join(' '))}</p>\n`,
    teaser: (
      link,
      text,
    ) => `<p><a href="${link.href}"><b>${font(1, link.text)}</b></a><br>${font(1, text)}</p>
`,
  };
}
