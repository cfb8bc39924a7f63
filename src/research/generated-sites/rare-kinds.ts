/**
 * Page kinds that detectors get wrong, each after real pages that lost text: short facts between constant
 * labels, values that many pages share, sections that every page has, text that is hidden or built by
 * scripts, clauses that other pages quote, and a second layout on a few pages of a site. A site has them only
 * when `kinds` lists them. Their labels are English in every language.
 */
import type { Chrome } from './chrome.ts';
import type { LabelWriter } from './label-writer.ts';
import { randomFor, type Voice, writeParagraph } from './prose.ts';
import { keyOf, Random } from './random.ts';
import { linkTo, publishedAt } from './site-plan.ts';
import { each } from './skin.ts';

/**
 * Writes a file card: labels in paragraphs, each with a short unique fact below it, and a statement at the
 * end.
 */
export function writeRecord(writer: LabelWriter, voice: Voice): void {
  const { plan, skin, page } = voice;
  const { language } = plan;
  const random = randomFor(voice, 'record');
  writer.frame(skin.bodyPartOpen('record'));
  writer.content(skin.h1('Record of the archive'));
  const facts = {
    'Date of entry:': language.date(publishedAt(plan, page.kind, page.ordinal)),
    'Person:': `${language.person(random)} #${random.between(100, 999)}`,
    'Statement:': '',
  };
  for (const [label, value] of Object.entries(facts)) {
    writer.content(`<p class="text_bold">${label}</p>\n`);
    if (value !== '') writer.content(`<p>${value}</p>\n`);
  }
  for (let at = random.between(1, 3); at > 0; at--) writer.content(writeParagraph(voice, random));
  writer.frame(skin.bodyPartClose);
}

/** Writes a product page on a site where most products share their price, origin and reviewer. */
export function writeGoods(writer: LabelWriter, voice: Voice): void {
  const { plan, skin, page } = voice;
  const random = randomFor(voice, 'goods');
  const common = (usual: string, ...others: string[]) =>
    random.chance(0.7) ? usual : random.pick([usual, ...others]);
  const id = 1000 + page.ordinal;
  writer.frame(skin.bodyPartOpen('goods'));
  writer.content(skin.h1(linkTo(plan, 'goods', page.ordinal).text));
  writer.content(
    `<p class="review-by">By <a href="/staff/1">${common(plan.staff[0], plan.staff[1], plan.staff[2])}</a></p>\n`,
  );
  writer.content(`<p class="reading">${common('3', '2', '5')} minute read</p>\n`);
  writer.content(
    `<p class="price"><span class="label">Price:</span> <span class="amount">$${common('1.15', '0.55', '2.40', '9.99')}</span></p>\n`,
  );
  writer.slot(skin.button(plan.language.phrases.addToCart, id));
  for (let at = random.between(2, 4); at > 0; at--) writer.content(writeParagraph(voice, random));
  const rows = [
    ['Country', common('Japan', 'Korea', 'Peru')],
    ['Rating', common('4.5', '4.0', '3.5')],
    ['Condition', common('New', 'Used')],
    ['Item number', String(id * 7)],
  ];
  writer.content(
    `<table class="facts">\n${each(rows, ([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>\n`)}</table>\n`,
  );
  writer.content(
    `<p class="tagged">Tags: <a href="/tag/japan" rel="tag">${common('Japan', 'Lacquer', 'Paper')}</a></p>\n`,
  );
  writer.frame(skin.bodyPartClose);
}

/** Writes a page of a reference manual: the same sections on every page, powers and indexes in the text. */
export function writeManual(writer: LabelWriter, voice: Voice): void {
  const { plan, skin, page } = voice;
  const { language } = plan;
  const random = randomFor(voice, 'manual');
  writer.frame(skin.bodyPartOpen('manual'));
  writer.content(skin.h1(linkTo(plan, 'manual', page.ordinal).text));
  for (const section of ['Synopsis', 'Description', 'Parameters', 'Outputs', 'Notes', 'Examples']) {
    if (section === 'Outputs' && random.chance(0.5)) continue;
    writer.content(`<div class="refsect1">\n<h2>${section}</h2>\n`);
    if (section === 'Synopsis' || section === 'Examples') {
      const call = `${language.word(random)} ${language.word(random)} (${language.word(random)}, ${random.between(2, 99)});`;
      writer.content(`<pre class="synopsis">${call.toUpperCase()}</pre>\n`);
    } else if (section === 'Parameters') {
      const names = Array.from({ length: random.between(2, 6) }, () => language.term(random));
      writer.content(
        `<dl class="variablelist">\n${each(names, (name) => `<dt><code>${name}</code></dt>\n<dd>${skin.p(language.sentences(random, 2))}</dd>\n`)}</dl>\n`,
      );
    } else if (section === 'Notes') {
      const power = random.between(8, 64);
      writer.content(skin.p(`${language.sentence(random)}2<sup>${power}</sup> H<sub>2</sub>O.`));
    } else {
      writer.content(writeParagraph(voice, random) + writeParagraph(voice, random));
    }
    writer.content('</div>\n');
  }
  writer.frame(skin.bodyPartClose);
}

/** Writes a contract: nested clauses, some of which other contracts share. */
export function writeContract(writer: LabelWriter, voice: Voice): void {
  const { plan, skin, page } = voice;
  const { language } = plan;
  const random = randomFor(voice, 'contract');
  // two clauses in five are the usual ones of most contracts at this position
  const clause = (part: number, number: string) => {
    const usual = new Random(keyOf(plan.seed, 'clause', part, number));
    return `(${number}) ${language.sentences(random.chance(0.4) ? usual : random, 1)}`;
  };
  writer.frame(skin.bodyPartOpen('contract'));
  writer.content(skin.h1(linkTo(plan, 'contract', page.ordinal).text) + writeParagraph(voice, random));
  for (let part = 1; part <= 3; part++) {
    writer.content(skin.h2(`${part}. ${language.title(random)}`));
    const items = Array.from({ length: random.between(3, 5) }, (_, at) => {
      const inner = ['i', 'ii', 'iii'].map((number) => `<li>${clause(part, number)}</li>\n`).join('');
      return `<li>${clause(part, 'abcde'[at])}${random.chance(0.4) ? `\n<ol>\n${inner}</ol>\n` : ''}</li>\n`;
    });
    writer.content(`<ol class="clauses">\n${items.join('')}</ol>\n`);
  }
  writer.frame(skin.bodyPartClose);
}

/** Writes a product whose text is in tabs opened by a script, with a form of options and tracking pixels. */
export function writeTabs(writer: LabelWriter, voice: Voice): void {
  const { plan, skin, page } = voice;
  const { language } = plan;
  const random = randomFor(voice, 'tabs');
  const months = Array.from({ length: 48 }, (_, at) => `${1 + (at % 12)}/${2010 + Math.floor(at / 12)}`);
  writer.frame(skin.bodyPartOpen('tabs'));
  writer.content(skin.h1(linkTo(plan, 'tabs', page.ordinal).text) + writeParagraph(voice, random));
  // few pages have the form, so the site's evidence does not show that it is template
  const hasForm = page.ordinal % 20 === 7;
  if (hasForm)
    writer.template(
      `<form action="/month/"><select name="m">\n${each(months, (month) => `<option value="${month}">Month ${month}</option>\n`)}</select></form>\n`,
    );
  writer.template('<ul class="tab-names"><li>Story</li><li>Care</li></ul>\n');
  writer.frame('<div class="tab-panel" id="story">\n');
  writer.content(writeParagraph(voice, random) + writeParagraph(voice, random));
  writer.frame('</div>\n<div class="tab-panel" id="care" style="display:none" aria-hidden="true">\n');
  writer.content(writeParagraph(voice, random) + writeParagraph(voice, random));
  writer.frame('</div>\n<div class="tab-panel" id="origin" hidden>\n');
  writer.content(writeParagraph(voice, random));
  writer.frame('</div>\n');
  if (hasForm)
    writer.template(
      '<noscript><img src="/pixel.gif" alt=""> Please enable JavaScript to see this page.</noscript>\n',
    );
  writer.template('<div class="overlay" style="display:none"><p>Added to your basket. Continue?</p></div>\n');
  writer.frame('<noscript class="reviews">\n');
  for (let at = 2; at > 0; at--)
    writer.content(writeParagraph(voice, random) + language.sentences(random, 3));
  writer.frame(`</noscript>\n${skin.bodyPartClose}`);
}

/** Writes a page of a shop's second layout: little content above a long footer that no other layout has. */
export function writeLanding(writer: LabelWriter, voice: Voice, chrome: Chrome): void {
  const { plan, page } = voice;
  const random = randomFor(voice, 'landing');
  writer.frame('<div class="lp-hero">\n');
  writer.content(`<h1 class="lp-title">${linkTo(plan, 'landing', page.ordinal).text}</h1>\n`);
  writer.content(`<p class="lp-text">${plan.language.sentences(random, random.between(2, 4))}</p>\n`);
  writer.frame('</div>\n');
  writer.template(chrome.kindBottom.landing);
}

/** Returns the footer of the second layout, about 2 kB. */
export function landingFooter(sentences: (count: number) => string): string {
  const blocks = Array.from(
    { length: 6 },
    () => `<div class="lp-col"><h4>${sentences(1).slice(0, 30)}</h4><p>${sentences(4)}</p></div>\n`,
  );
  return `<div class="lp-footer">\n${blocks.join('')}</div>\n`;
}
