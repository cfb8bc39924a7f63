/**
 * The content of a page: paragraphs with inline markup, lists, tables, quotations, code, figures, comments.
 * Each block has its own key, so an edit changes one block and leaves the others unchanged.
 */
import type { Language } from './language.ts';
import { languageFor } from './languages.ts';
import { keyOf, Random } from './random.ts';
import { type PageId, publishedAt, type SitePlan, storyKey } from './site-plan.ts';
import type { Skin } from './skin.ts';

const DAY = 86_400_000;

/** The page that is being written, and how. */
export interface Voice {
  plan: SitePlan;
  skin: Skin;
  page: PageId;
  /** Time of the capture, in milliseconds of UTC. */
  time: number;
  /** Whether inline tags may overlap, as in tag soup. */
  misnest: boolean;
}

/**
 * Returns the random source of one part of a page, which is the same at every capture unless `version`
 * differs.
 */
export function randomFor({ plan, page }: Voice, part: string, number = 0, version = 0): Random {
  return new Random(keyOf(plan.seed, page.kind, page.ordinal, part, number, version));
}

/** Returns how often a block was rewritten before the capture: usually never, sometimes once. */
function versionOf(voice: Voice, part: string, number: number): number {
  const { plan, page, time } = voice;
  const key = keyOf(plan.seed, page.kind, page.ordinal, 'edit', part, number);
  if (key % 7 !== 0) return 0;
  const rewritten = plan.start + ((key >>> 3) % 7300) * DAY;
  return time >= rewritten ? 1 : 0;
}

/** Returns a body of `count` blocks, mostly paragraphs. */
export function writeBlocks(voice: Voice, count: number): string {
  let markup = '';
  for (let at = 0; at < count; at++) {
    const { kind, ordinal } = voice.page;
    const [seed, story] = storyKey(voice.plan, kind, ordinal);
    const random = new Random(keyOf(seed, kind, story, 'block', at, versionOf(voice, 'block', at)));
    markup += at === 0 ? writeParagraph(voice, random) : writeBlock(voice, random, at);
  }
  return markup;
}

/** Returns a paragraph with inline markup. */
export function writeParagraph({ plan, skin, misnest }: Voice, random: Random): string {
  return skin.p(decorate(plan.language, plan.language.paragraph(random), random, misnest));
}

/** A comment, review or post of a reader. */
export interface Remark {
  id: number;
  user: string;
  time: number;
  random: Random;
}

/** Returns the comments, reviews or posts written before the capture, oldest first. */
export function remarksBy(voice: Voice, atLeast: number, atMost: number): Remark[] {
  const { plan, page, time } = voice;
  const random = randomFor(voice, 'remarks');
  const total = random.between(atLeast, atMost);
  let written = publishedAt(plan, page.kind, page.ordinal);
  const remarks: Remark[] = [];
  for (let at = 0; at < total; at++) {
    // the first ones are written within hours, the last ones after years
    written += random.between(1, 1 + Math.floor(DAY / 1000) * (at < atLeast ? 2 : 40 + at * 30)) * 1000;
    if (written > time) break;
    const id = (page.ordinal + 1) * 100 + at;
    remarks.push({ id, user: userName(plan, random), time: written, random: randomFor(voice, 'remark', at) });
  }
  return remarks;
}

/** Returns date and time in the site's language: `12 May 2009 14:07`. */
export function stamp(language: Language, time: number): string {
  const clock = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${language.date(time)} ${two(clock.getUTCHours())}:${two(clock.getUTCMinutes())}`;
}

function writeBlock(voice: Voice, random: Random, at: number): string {
  const { plan, skin } = voice;
  const { language } = plan;
  const turn = random.below(20);
  if (turn < 12) return writeParagraph(voice, random);
  if (turn < 14) return skin.h2(language.title(random)) + writeParagraph(voice, random);
  if (turn < 16) {
    const items = Array.from({ length: random.between(3, 7) }, () => language.sentence(random).trimEnd());
    return skin.bullets(items, random.chance(0.3));
  }
  if (turn === 16)
    return skin.quote(language.sentences(random, 2), `${language.person(random)}, ${language.term(random)}`);
  if (turn === 17) return writeTable(voice, random);
  if (turn === 18) return skin.code(writeCode(random));
  const id = (voice.page.ordinal + 1) * 100 + at;
  return skin.figure(
    `/images/${voice.page.kind}/${id}.jpg`,
    language.sentence(random).trimEnd(),
    random.between(24, 60) * 10,
  );
}

function writeTable({ plan, skin }: Voice, random: Random): string {
  const { language } = plan;
  const columns = random.between(3, 5);
  const amount = () =>
    (random.chance(0.5) ? random.between(1000, 99_999) / 100 : random.between(1000, 999_999)).toString();
  const rows = Array.from({ length: random.between(4, 10) }, () => [
    `${language.term(random)} ${random.between(1, 99)}`,
    ...Array.from({ length: columns - 1 }, amount),
  ]);
  const head = Array.from(
    { length: columns },
    () => `${language.term(random)} ${random.between(1990, 2030)}`,
  );
  return skin.table(head, rows, language.sentence(random).trimEnd());
}

/** Returns a few lines of a program; its names are English in every language. */
function writeCode(random: Random): string {
  const { words } = languageFor('en').table;
  const name = () =>
    random.pick(words.B) + random.pick(words.N).replace(/^./, (letter) => letter.toUpperCase());
  const lines = [`function ${name()}(${random.pick(words.N)}, ${random.pick(words.N)}) {`];
  for (let at = random.between(3, 9); at > 0; at--) {
    const line = random.pick([
      () => `  const ${name()} = ${name()}(${random.between(1, 999)});`,
      () => `  if (${random.pick(words.N)} &lt; ${random.between(2, 999)}) return ${name()}();`,
      () => `  ${random.pick(words.N)}.${name()}("${random.pick(words.A)} ${random.pick(words.N)}");`,
    ])();
    lines.push(line);
  }
  lines.push(`} // ${random.pick(words.A)} ${random.pick(words.N)}`);
  return lines.join('\n');
}

/** Wraps some words in inline tags and inserts some character references. */
function decorate(language: Language, text: string, random: Random, misnest: boolean): string {
  if (random.chance(0.15)) return text.replace(', ', ' &ndash; ');
  if (!random.chance(0.45)) return text;
  const from = cutAfter(text, random.below(Math.floor(text.length / 2)), language.table.joint);
  const to = cutAfter(text, from + random.between(9, 34), language.table.joint);
  if (from < 0 || to <= from) return text;
  const inner = text.slice(from, to).trimEnd();
  const rest = text.slice(from + inner.length);
  const before = text.slice(0, from);
  if (misnest && random.chance(0.5)) {
    const middle = cutAfter(inner, Math.floor(inner.length / 2), language.table.joint);
    if (middle > 0) return `${before}<b>${inner.slice(0, middle)}<i>${inner.slice(middle)}</b>${rest}</i>`;
  }
  const turn = random.below(4);
  if (turn === 0) return `${before}<b>${inner}</b>${rest}`;
  if (turn === 1) return `${before}<em>${inner}</em>${rest}`;
  const href =
    turn === 2
      ? `/go/${random.below(1e6)}`
      : `http://www.${random.pick(languageFor('en').table.words.N)}.example/${random.below(9999)}`;
  return `${before}<a href="${href}">${inner}</a>${rest}`;
}

/** Returns the first position from `at` on where a word starts; -1 when no word starts there. */
function cutAfter(text: string, at: number, joint: string): number {
  if (joint === '') return at < text.length ? at : -1;
  const gap = text.indexOf(joint, at);
  return gap < 0 ? -1 : gap + joint.length;
}

function userName(plan: SitePlan, random: Random): string {
  const word = plan.language.word(random);
  return random.chance(0.5)
    ? `${word}${random.between(10, 9999)}`
    : `${plan.language.person(random)} ${random.between(2, 99)}`;
}
