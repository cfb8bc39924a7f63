/**
 * Boilerplate that resembles prose, for sites made to be hard: teasers of several sentences, calls to
 * subscribe, legal notices, boxes about the author, rules for comments, recommended goods, "about us". The
 * seed of a site decides which of them it has, where, and in which markup. Names of elements are
 * uninformative, as on many real sites; only repetition distinguishes this text.
 */
import type { LabelWriter } from './label-writer.ts';
import type { Voice } from './prose.ts';
import { keyOf, Random } from './random.ts';
import { linkTo } from './site-plan.ts';
import type { Link } from './skin.ts';

/** Positions of boilerplate on a page, relative to the text. */
const DISTRACTOR_PLACES = ['above', 'inside', 'below', 'end'] as const;
/** Name of a position. */
export type DistractorPlace = (typeof DISTRACTOR_PLACES)[number];

const DISTRACTORS = ['teasers', 'subscribe', 'legal', 'author', 'rules', 'goods', 'about', 'next'] as const;
type Distractor = (typeof DISTRACTORS)[number];

/** Possible positions of each kind. */
const PLACES: Record<Distractor, readonly DistractorPlace[]> = {
  teasers: ['inside', 'below', 'end'],
  subscribe: ['above', 'inside', 'below', 'end'],
  legal: ['above', 'below', 'end'],
  author: ['above', 'below'],
  rules: ['below', 'end'],
  goods: ['inside', 'below', 'end'],
  about: ['below', 'end'],
  next: ['below'],
};

const NAMES = [
  'box',
  'block',
  'inner',
  'row',
  'text',
  'wrap',
  'part',
  'module',
  'content-block',
  'entry-extra',
];
/** Number of other pages that a teaser may refer to. */
const TEASED_PAGES = 60;

/** Writes the boilerplate that the site has at a position of all its pages. */
export function writeDistractors(writer: LabelWriter, voice: Voice, place: DistractorPlace): void {
  const { plan } = voice;
  for (const kind of DISTRACTORS) {
    const site = new Random(keyOf(plan.seed, 'distractor', kind));
    const isThere = site.chance(0.6) && site.pick(PLACES[kind]) === place;
    if (isThere) writeDistractor(writer, voice, kind, site);
  }
}

function writeDistractor(writer: LabelWriter, voice: Voice, kind: Distractor, site: Random): void {
  const { plan, page, skin } = voice;
  const { language } = plan;
  const name = site.chance(0.2) ? kind : `${site.pick(NAMES)}-${site.between(1, 9)}`;
  const sentences = site.between(2, 5);
  const own = new Random(keyOf(plan.seed, 'distractor', kind, page.kind, page.ordinal));
  // text of the site that is the same on all pages; some sites have one text for each section
  const perSection = site.chance(0.3) ? page.section : 0;
  const constant = new Random(keyOf(plan.seed, 'distractor text', kind, perSection));
  const paragraph = (text: string) => (site.chance(0.7) ? skin.p(text) : `${text}<br>\n`);
  const isNamed = site.chance(0.8);
  writer.frame(isNamed ? `<div class="${name}">\n` : '<div>\n');
  if (kind === 'teasers' || kind === 'goods') {
    const linked = kind === 'goods' ? 'product' : 'article';
    for (let at = site.between(2, 5); at > 0; at--) {
      const link = escapeLink(linkTo(plan, linked, own.below(TEASED_PAGES)));
      const text = language.sentences(new Random(keyOf(plan.seed, 'teased', link.href)), sentences);
      const price = kind === 'goods' ? `${own.between(2, 400)}.${own.between(10, 99)} &euro; ` : '';
      writer.teaser(`<h4><a href="${link.href}">${link.text}</a></h4>\n${paragraph(price + text)}`);
    }
  } else if (kind === 'next') {
    // the beginning of the next article, as on pages that load it below
    const link = escapeLink(linkTo(plan, 'article', Math.floor(own.below(TEASED_PAGES) / 6)));
    writer.teaser(skin.h2(`<a href="${link.href}">${link.text}</a>`));
    const next = new Random(keyOf(plan.seed, 'next', link.href));
    for (let at = site.between(3, 6); at > 0; at--) writer.teaser(skin.p(language.paragraph(next)));
  } else if (kind === 'author') {
    const author = page.ordinal % Math.min(4, plan.staff.length);
    const text = language.sentences(new Random(keyOf(plan.seed, 'author', author)), sentences);
    writer.template(`<h4>${plan.staff[author]}</h4>\n${paragraph(text)}`);
  } else {
    if (site.chance(0.6)) writer.template(`<h3>${language.title(constant)}</h3>\n`);
    for (let at = site.between(1, kind === 'legal' ? 4 : 2); at > 0; at--)
      writer.template(paragraph(language.sentences(constant, sentences)));
    if (kind === 'subscribe')
      writer.template(
        skin.form('/letter/', [{ label: language.phrases.email, name: 'mail' }], language.phrases.subscribe),
      );
  }
  writer.frame('</div>\n');
}

function escapeLink({ href, text }: Link): Link {
  return { href: href.replace('&', '&amp;'), text };
}
