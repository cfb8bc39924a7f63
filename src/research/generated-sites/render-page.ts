/** One page from head to foot: the order of the parts, the same for all page kinds. */
import type { Chrome } from './chrome.ts';
import type { LabelWriter } from './label-writer.ts';
import { BODIES, excerptOf } from './page-kinds.ts';
import { randomFor, type Voice } from './prose.ts';
import { linkTo, publishedAt } from './site-plan.ts';

export function renderPage(writer: LabelWriter, voice: Voice, chrome: Chrome): void {
  const { skin, plan, page, time } = voice;
  const { phrases } = plan.language;
  // slots change with every capture
  const random = randomFor(voice, 'slots', time);
  const ad = () => skin.ad(random.between(1, 40), random.between(1e6, 9e6), phrases.advertisement);

  writeHead(writer, voice, chrome);
  writer.frame(skin.bodyOpen).template(chrome.notice);
  writer
    .frame(skin.topOpen)
    .template(chrome.logo)
    .slot(skin.today(plan.language.date(time)));
  writer.template(chrome.searchBox).frame(skin.topClose);
  writer.template(chrome.menus[page.kind === 'home' ? plan.sections.length : page.section]);
  writer.slot(ad()).frame(skin.columnsOpen);
  if (skin.sideFirst) writeSide(writer, voice, chrome, ad());
  writer.frame(skin.mainOpen);
  if (page.kind !== 'home') writeCrumbs(writer, voice);
  BODIES[page.kind](writer, voice, chrome);
  writer.frame(skin.mainClose);
  if (!skin.sideFirst) writeSide(writer, voice, chrome, ad());
  writer.frame(skin.columnsClose + skin.footerOpen).template(chrome.footer);
  const visits = 10_000 + Math.floor((time - plan.start) / 400_000) + random.below(400);
  writer.slot(skin.counter(`${phrases.visitors}: ${visits}`)).frame(skin.footerClose);
  writer.template(skin.scripts).frame(skin.bodyClose);
}

function writeHead(writer: LabelWriter, voice: Voice, chrome: Chrome): void {
  const { skin, plan, page } = voice;
  const { text } = linkTo(plan, page.kind, page.ordinal);
  writer.frame(skin.doctype + skin.htmlOpen).template(chrome.headTags);
  writer.frame('<title>').content(text).template(chrome.titleTail).frame('</title>\n');
  const summary = excerptOf(voice, page.kind, page.ordinal, 1);
  writer.content(`<meta name="description" content="${summary}">\n`);
  writer.slot(`<link rel="canonical" href="${page.url.replace('&', '&amp;')}">\n`);
  if (chrome.skin.doctype === '<!DOCTYPE html>\n') {
    const record = {
      '@context': 'http://schema.org',
      '@type': page.kind === 'product' ? 'Product' : page.kind === 'article' ? 'NewsArticle' : 'WebPage',
      name: text,
      url: page.url,
      datePublished: new Date(publishedAt(plan, page.kind, page.ordinal)).toISOString().slice(0, 10),
      publisher: { '@type': 'Organization', name: plan.name },
    };
    writer.slot(`<script type="application/ld+json">${JSON.stringify(record)}</script>\n`);
  }
  writer.frame(skin.headClose);
}

function writeCrumbs(writer: LabelWriter, { skin, plan, page }: Voice): void {
  const section = plan.sections[page.section];
  writer.frame(skin.crumbsOpen);
  writer.template(skin.crumb({ href: '/', text: plan.language.phrases.home }));
  writer.template(skin.crumb({ href: `/${section.slug}/`, text: section.name }));
  writer.content(skin.crumbHere(linkTo(plan, page.kind, page.ordinal).text)).frame(skin.crumbsClose);
}

function writeSide(writer: LabelWriter, voice: Voice, chrome: Chrome, ad: string): void {
  const { skin, plan, page } = voice;
  writer.frame(skin.sideOpen);
  if (page.kind !== 'home') writer.template(chrome.sectionBoxes[page.section]);
  writer.template(chrome.sideTop);
  writer
    .frame(skin.boxOpen('latest'))
    .template(skin.boxTitle(plan.language.phrases.latest))
    .frame(skin.boxBody);
  writer.slot(skin.linkList(chrome.latest)).frame(skin.boxClose);
  writer.template(chrome.sideBottom).slot(ad).frame(skin.sideClose);
}
