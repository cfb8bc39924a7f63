/** The main column of each page kind: its blocks, their order, and their labels. */
import type { Chrome } from './chrome.ts';
import { writeDistractors } from './distractors.ts';
import type { LabelWriter } from './label-writer.ts';
import { randomFor, remarksBy, stamp, type Voice, writeBlocks, writeParagraph } from './prose.ts';
import { keyOf, Random } from './random.ts';
import {
  writeContract,
  writeGoods,
  writeLanding,
  writeManual,
  writeRecord,
  writeTabs,
} from './rare-kinds.ts';
import { linkTo, ordinalIn, type PageKind, publishedAt, storyKey } from './site-plan.ts';
import type { Link } from './skin.ts';

/** Writes the main column of a page. */
type WriteBody = (writer: LabelWriter, voice: Voice, chrome: Chrome) => void;

const BODIES: Record<PageKind, WriteBody> = {
  home: writeHome,
  article: writeArticle,
  listing: writeListing,
  product: writeProduct,
  forum: writeThread,
  record: writeRecord,
  goods: writeGoods,
  manual: writeManual,
  contract: writeContract,
  tabs: writeTabs,
  landing: writeLanding,
};

/** Returns the first sentences of an article, as teasers and listings quote them. */
function excerptOf({ plan }: Voice, kind: PageKind, ordinal: number, sentences: number): string {
  const [seed, story] = storyKey(plan, kind, ordinal);
  return plan.language.sentences(new Random(keyOf(seed, 'excerpt', kind, story)), sentences);
}

function writeHome(writer: LabelWriter, voice: Voice): void {
  const { plan, skin } = voice;
  const random = randomFor(voice, 'front', Math.floor(voice.time / 604_800_000));
  writer.frame(skin.bodyPartOpen('home'));
  writer.content(skin.h1(plan.language.title(random)) + writeParagraph(voice, random));
  for (let at = random.between(10, 16); at > 0; at--)
    writer.content(writeExcerpt(voice, random.between(40, 4000), 2));
  writer.frame(skin.bodyPartClose);
}

function writeArticle(writer: LabelWriter, voice: Voice, chrome: Chrome): void {
  const { plan, skin, page } = voice;
  const { language } = plan;
  const { phrases } = language;
  const random = randomFor(voice, 'article');
  const published = publishedAt(plan, page.kind, page.ordinal);
  writer.frame(skin.bodyPartOpen('article'));
  writer.content(skin.h1(linkTo(plan, 'article', page.ordinal).text));
  writer.content(skin.byline(`${phrases.by} ${random.pick(plan.staff)}, ${stamp(language, published)}`));
  writer.template(chrome.kindTop.article);
  writer.content(skin.p(`<b>${excerptOf(voice, 'article', page.ordinal, 2)}</b>`));
  writer.content(writeBlocks(voice, storyBlocks(voice, random.between(4, 16))));
  if (plan.isHard) {
    // something in the middle of the text
    writeDistractors(writer, voice, 'inside');
    writer.content(writeParagraph(voice, random) + writeParagraph(voice, random));
  }
  writer.content(skin.tagLine(random.sample(plan.tags, random.between(2, 5))));
  writer.frame(skin.bodyPartClose);
  writeRelated(writer, voice, 'article', random);
  writeComments(writer, voice, 0, 12);
  writer.template(chrome.kindBottom.article);
}

/**
 * Returns the number of blocks of a story. A shared story has as many on every site, whatever else the pages
 * draw.
 */
function storyBlocks({ plan, page }: Voice, own: number): number {
  if (plan.stories === undefined) return own;
  const [seed, story] = storyKey(plan, 'article', page.ordinal);
  return new Random(keyOf(seed, 'blocks', story)).between(4, 16);
}

function writeListing(writer: LabelWriter, voice: Voice, chrome: Chrome): void {
  const { plan, skin, page } = voice;
  const random = randomFor(voice, 'listing');
  const nth = Math.floor(page.ordinal / plan.sections.length);
  writer.frame(skin.bodyPartOpen('listing'));
  writer.content(skin.h1(linkTo(plan, 'listing', page.ordinal).text));
  writer.template(chrome.kindTop.listing);
  const count = random.between(10, 20);
  for (let at = 0; at < count; at++)
    writer.content(writeExcerpt(voice, ordinalIn(page.section, nth * 20 + at), 2));
  writer.frame(skin.bodyPartClose);
  writePager(writer, voice, nth, (number) => `/${plan.sections[page.section].slug}/page/${number}/`);
  writer.template(chrome.kindBottom.listing);
}

function writeProduct(writer: LabelWriter, voice: Voice, chrome: Chrome): void {
  const { plan, skin, page } = voice;
  const { language } = plan;
  const { phrases } = language;
  const random = randomFor(voice, 'product');
  const id = 1000 + page.ordinal;
  const title = linkTo(plan, 'product', page.ordinal).text;
  // prices change by quarter
  const quarter = Math.floor(voice.time / 7_776_000_000);
  const amount = random.between(300, 99_999) + randomFor(voice, 'price', quarter).between(-90, 90);
  writer.frame(skin.bodyPartOpen('product'));
  writer.content(skin.h1(title) + skin.figure(`/images/shop/${id}_large.jpg`, title, 320));
  writer.content(skin.price(`${phrases.price}: ${(amount / 100).toFixed(2)} &euro;`));
  writer.slot(skin.button(phrases.addToCart, id));
  writer.content(skin.h2(`${phrases.description}: ${title}`) + writeBlocks(voice, random.between(3, 8)));
  const rows = random.sample(plan.attributes, random.between(7, 14)).map((name) => {
    const value = random.chance(0.5)
      ? `${random.between(10, 9999) / 10} ${language.word(random)}`
      : language.sentence(random);
    return [name, value.trimEnd()];
  });
  writer.content(skin.table([`${phrases.details} ${id}`, title], rows, language.sentence(random).trimEnd()));
  writer.frame(skin.bodyPartClose);
  writer.template(chrome.kindBottom.product);
  writeComments(writer, voice, 0, 6);
  writeRelated(writer, voice, 'product', random);
}

function writeThread(writer: LabelWriter, voice: Voice, chrome: Chrome): void {
  const { plan, skin, page } = voice;
  const { language } = plan;
  const { phrases } = language;
  writer.frame(skin.bodyPartOpen('forum'));
  writer.content(skin.h1(linkTo(plan, 'forum', page.ordinal).text));
  writer.template(chrome.kindTop.forum);
  for (const { id, user, time, random } of remarksBy(voice, 3, 20)) {
    const profile = [
      `<b>${user}</b>`,
      `${phrases.joined}: ${language.date(time - random.between(40, 2500) * 86_400_000)}`,
      `${phrases.posts}: ${random.between(1, 19_999)}`,
    ];
    let body = '';
    if (random.chance(0.25)) body += skin.quote(language.sentences(random, 2), `${user} ${phrases.wrote}:`);
    for (let at = random.between(1, 3); at > 0; at--) body += writeParagraph(voice, random);
    const signature = signatureOf(voice, user);
    const post = skin.post(id, profile, `#${id} ${stamp(language, time)}`, body, signature);
    writer.content(post.before);
    writer.slot(skin.postTools(id, [phrases.reply, phrases.quote, phrases.report]));
    writer.content(post.after);
  }
  writer.frame(skin.bodyPartClose);
  writePager(writer, voice, 0, (number) => `${page.path.replace('&', '&amp;')}&amp;start=${number * 20}`);
  writer.template(chrome.kindBottom.forum);
}

/** Returns a user's signature: two users in five have one, always with the same words. */
function signatureOf({ plan }: Voice, user: string): string {
  const random = new Random(keyOf(plan.seed, 'signature', user));
  return random.chance(0.4) ? plan.language.sentence(random).trimEnd() : '';
}

function writeComments(writer: LabelWriter, voice: Voice, atLeast: number, atMost: number): void {
  const { plan, skin } = voice;
  const { language } = plan;
  const remarks = plan.comments ? remarksBy(voice, atLeast, atMost) : [];
  if (remarks.length === 0) return;
  writer.slot(skin.h2(`${language.phrases.comments} (${remarks.length})`));
  for (const { id, user, time, random } of remarks) {
    const paragraphs = Array.from({ length: random.between(1, 2) }, () => language.paragraph(random));
    writer.content(skin.comment(id, `${user}, ${stamp(language, time)}`, paragraphs));
  }
}

function writeRelated(writer: LabelWriter, voice: Voice, kind: PageKind, random: Random): void {
  const { skin, page, plan } = voice;
  writer
    .frame(skin.boxOpen('related'))
    .template(skin.boxTitle(plan.language.phrases.related))
    .frame(skin.boxBody);
  // two neighbours at the same distance on every page, and some pages of the site's long archive
  const near = [1, 3].map((step) => page.ordinal + step * plan.sections.length);
  const far = Array.from({ length: random.between(2, 4) }, () => random.between(5000, 500_000));
  for (const ordinal of [...near, ...far]) {
    writer.teaser(skin.teaser(escapeLink(linkTo(plan, kind, ordinal)), excerptOf(voice, kind, ordinal, 1)));
  }
  writer.frame(skin.boxClose);
}

function writeExcerpt(voice: Voice, ordinal: number, sentences: number): string {
  const { plan, skin } = voice;
  const author = plan.staff[ordinal % plan.staff.length];
  const meta = `${author}, ${plan.language.date(publishedAt(plan, 'article', ordinal))}`;
  const text = excerptOf(voice, 'article', ordinal, sentences);
  return skin.excerpt(
    escapeLink(linkTo(plan, 'article', ordinal)),
    meta,
    text,
    `/images/article/${ordinal}_small.jpg`,
  );
}

function writePager(
  writer: LabelWriter,
  { plan, skin }: Voice,
  here: number,
  href: (page: number) => string,
): void {
  const first = Math.max(0, here - 2);
  const pages: Link[] = Array.from({ length: 6 }, (_, at) => ({
    href: href(first + at + 1),
    text: `${first + at + 1}`,
  }));
  pages.push({ href: href(here + 2), text: plan.language.phrases.next });
  writer.slot(skin.pager(pages, here - first));
}

function escapeLink(link: Link): Link {
  return { href: link.href.replace('&', '&amp;'), text: link.text };
}

/** Writes a whole page: the order of the parts is the same for all page kinds. */
export function renderPage(writer: LabelWriter, voice: Voice, chrome: Chrome): void {
  const { skin, plan, page, time } = voice;
  const { phrases } = plan.language;
  // slots change with every capture
  const random = randomFor(voice, 'slots', time);
  const ad = () => skin.ad(random.between(1, 40), random.between(1e6, 9e6), phrases.advertisement);

  writeHead(writer, voice, chrome);
  if (page.kind === 'landing') {
    // another layout: only the content of the page and its own footer
    writer.frame('<body class="lp">\n');
    writeLanding(writer, voice, chrome);
    writer.frame('</body>\n</html>\n');
    return;
  }
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
  if (plan.isHard) writeDistractors(writer, voice, 'above');
  BODIES[page.kind](writer, voice, chrome);
  if (plan.isHard) writeDistractors(writer, voice, 'below');
  writer.frame(skin.mainClose);
  if (!skin.sideFirst) writeSide(writer, voice, chrome, ad());
  writer.frame(skin.columnsClose);
  if (plan.isHard) writeDistractors(writer, voice, 'end');
  writer.frame(skin.footerOpen).template(chrome.footer);
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
