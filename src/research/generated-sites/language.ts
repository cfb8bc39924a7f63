/**
 * Generates text that resembles a language. Clauses are patterns over word lists; some words are real, others
 * are built from syllables of the language. A window of 32 characters contains several free choices, so two
 * pages rarely share one.
 *
 * A pattern is a line of tokens: a capital letter draws a word from that list, `#` is a number, `X` a name,
 * and other tokens are literal. Tokens are joined by the language's joint (a space, or nothing).
 */
import { type LanguageCode, type Phrases, phrasesIn } from './phrases.ts';
import type { Random } from './random.ts';

/** Words and patterns of a language. */
export interface LanguageTable {
  code: LanguageCode;
  /** Separator between two tokens of a clause. */
  joint: string;
  /** End of a sentence, with the space after it if the language has one. */
  stop: string;
  /** Connectors of two clauses of a sentence. */
  links: string[];
  clauses: string[];
  /** Patterns of headlines. */
  titles: string[];
  /** Words by the letter of their list. */
  words: Record<string, string[]>;
  firstNames: string[];
  lastNames: string[];
  places: string[];
  sections: string[];
  date(year: number, month: number, day: number): string;
  /** Minimum and maximum number of sentences in a paragraph. */
  sentencesPerParagraph: [number, number];
}

type Clause = (string | string[])[];
const NUMBER = ['#'];

/** Generates text in one language. */
export class Language {
  readonly table: LanguageTable;
  readonly code: LanguageCode;
  readonly phrases: Phrases;
  readonly #clauses: Clause[];
  readonly #titles: Clause[];

  constructor(table: LanguageTable) {
    this.table = table;
    this.code = table.code;
    this.phrases = phrasesIn(table.code);
    const lists = { ...table.words, X: [...table.lastNames, ...table.places], '#': NUMBER };
    this.#clauses = table.clauses.map((pattern) => compileClause(pattern, lists, table.joint));
    this.#titles = table.titles.map((pattern) => compileClause(pattern, lists, table.joint));
  }

  sentence(random: Random): string {
    let text = fillClause(random.pick(this.#clauses), random);
    if (random.chance(0.55))
      text += random.pick(this.table.links) + fillClause(random.pick(this.#clauses), random);
    return capitalise(text) + this.table.stop;
  }

  sentences(random: Random, count: number): string {
    let text = '';
    for (let at = 0; at < count; at++) text += this.sentence(random);
    return text.trimEnd();
  }

  paragraph(random: Random): string {
    return this.sentences(random, random.between(...this.table.sentencesPerParagraph));
  }

  /** Returns a headline. */
  title(random: Random): string {
    return capitalise(fillClause(random.pick(this.#titles), random));
  }

  /** Returns one or two words for a tag, a category or an attribute. */
  term(random: Random): string {
    const noun = random.pick(this.table.words.N);
    return capitalise(random.chance(0.5) ? noun : random.pick(this.table.words.A) + this.table.joint + noun);
  }

  word(random: Random): string {
    return random.pick(this.table.words.N);
  }

  person(random: Random): string {
    const { firstNames, lastNames, joint, code } = this.table;
    if (code === 'zh' || code === 'ja') return random.pick(lastNames) + random.pick(firstNames);
    return random.pick(firstNames) + joint + random.pick(lastNames);
  }

  /** Returns a date as the language writes it; `time` is in milliseconds of UTC. */
  date(time: number): string {
    const day = new Date(time);
    return this.table.date(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate());
  }
}

/** Returns words made of one part of each list, in a fixed order, about `count` of all combinations. */
export function combine(count: number, ...parts: string[][]): string[] {
  const total = parts.reduce((product, list) => product * list.length, 1);
  const words = new Set<string>();
  // a step coprime with most totals visits the combinations evenly
  const step = Math.max(1, Math.floor((total / count) * 0.618));
  for (let at = 0; at < total && words.size < count; at += step) {
    let rest = at;
    let word = '';
    for (const list of parts) {
      word += list[rest % list.length];
      rest = Math.floor(rest / list.length);
    }
    words.add(word);
  }
  return [...words];
}

/** Splits a line of words into a list. */
export function list(words: string): string[] {
  return words.trim().split(/\s+/);
}

/** Splits patterns separated by slashes into a list. */
export function patterns(lines: string): string[] {
  return lines.split('/').map((pattern) => pattern.trim());
}

function compileClause(pattern: string, lists: Record<string, string[]>, joint: string): Clause {
  const clause: Clause = [];
  for (const token of pattern.split(' ')) {
    // a comma or colon follows the previous token without a joint
    const glued = clause.length === 0 || /^[,:;]/.test(token);
    if (!glued && joint !== '') clause.push(joint);
    if (token.length === 2 && token.endsWith(':')) clause.push(lists[token[0]], ':');
    else clause.push(lists[token] ?? token);
  }
  return clause;
}

function fillClause(clause: Clause, random: Random): string {
  let text = '';
  for (const part of clause) {
    if (typeof part === 'string') text += part;
    else if (part === NUMBER) text += random.chance(0.5) ? random.between(2, 99) : random.between(100, 9999);
    else text += part[random.below(part.length)];
  }
  return text;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
