/** Around 2005: layout by nested tables, font tags, capital doctype, spacer images. */
import { type Skin, type SkinStyle, themeRules } from './skin.ts';

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
      `<table width="100%" border="0" cellspacing="0" cellpadding="3" bgcolor="${dark}">\n<tr>\n${items
        .map(
          (item) =>
            `<td align="center"${item.active ? ` bgcolor="#990000"` : ''}><a href="${item.href}">${font(2, `<b>${item.text}</b>`, ' color="#FFFFFF"')}</a></td>\n`,
        )
        .join(
          '',
        )}</tr>\n</table>\n<table width="100%" border="0" cellspacing="0" cellpadding="1" bgcolor="${light}">\n${items
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
      links
        .map(
          (link) =>
            `<img src="/images/arrow.gif" width="7" height="7" alt="">&nbsp;<a href="${link.href}">${font(1, link.text)}</a><br>\n`,
        )
        .join(''),
    cloud: (links) =>
      `${links.map((link, at) => `<a href="${link.href}">${font(1 + (at % 3), link.text)}</a>`).join('\n')}\n`,
    form: (action, fields, button) =>
      `<form action="${action}" method="post">\n<table border="0" cellspacing="0" cellpadding="2">\n${fields
        .map(
          (field) =>
            `<tr><td>${font(1, field.label)}</td><td>${field.long ? `<textarea name="${field.name}" rows="5" cols="40"></textarea>` : `<input type="text" name="${field.name}" size="24">`}</td></tr>\n`,
        )
        .join(
          '',
        )}<tr><td>&nbsp;</td><td><input type="submit" value="${button}"></td></tr>\n</table>\n</form>\n`,
    small: (text) => `<p>${font(1, text)}</p>\n`,
    shareBar: (label, links) =>
      `<p align="right">${font(1, `${label}: ${links.map((link) => `<a href="${link.href}">${link.text}</a>`).join(' | ')}`)}</p>\n`,
    footerOpen: `<hr size="1" noshade width="980">\n<table width="980" border="0" cellspacing="0" cellpadding="4" align="center">\n<tr>\n`,
    footerColumn: (title, links) =>
      `<td valign="top">${font(1, `<b>${title}</b><br>\n${links.map((link) => `<a href="${link.href}">${link.text}</a><br>\n`).join('')}`)}</td>\n`,
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
      return `<${tag}>\n${items.map((item) => `<li>${font(2, item)}</li>\n`).join('')}</${tag}>\n`;
    },
    table: (head, rows, caption) =>
      `<table border="1" cellspacing="0" cellpadding="3" width="90%">\n<caption>${font(1, caption)}</caption>\n<tr bgcolor="${light}">${head.map((text) => `<th>${font(1, text)}</th>`).join('')}</tr>\n${rows.map((row) => `<tr>${row.map((text) => `<td>${font(2, text)}</td>`).join('')}</tr>\n`).join('')}</table>\n`,
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
