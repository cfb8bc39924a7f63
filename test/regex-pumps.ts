/**
 * Strings that make a regular expression slow if anything does: what it matches first, then a part of it over and over,
 * then something that fails. The parts are drawn from the pattern itself: characters of its classes, and runs of
 * consecutive items.
 */

export interface Pump {
  prefix: string;
  part: string;
  suffix: string;
}

type Node =
  | { kind: 'text'; text: string }
  /** Characters that match, those in most classes of the pattern first. */
  | { kind: 'any'; characters: string[] }
  | { kind: 'sequence'; items: Node[] }
  | { kind: 'choice'; options: Node[] }
  | { kind: 'repeat'; item: Node; min: number }
  | { kind: 'look'; item: Node };

const SUFFIXES = ['', '!', '\n', '\0', 'a', ' ', '"'];
/** Maximum rounds of a loop in a sample. */
const MAX_LEAST = 30;
const MAX_CHARACTERS = 6;
const MAX_WINDOW = 6;
/** Maximum number of alternatives that samples use. */
const MAX_CHOICES = 3;
const ALPHABET = [
  ...' a0\t\n\r-_./:;="\'<>&#%?!,()[]{}@+*|\\^$~`A\0é世',
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
];

export function pumpString({ prefix, part, suffix }: Pump, sizeCharacters: number): string {
  const times = Math.max(1, Math.floor((sizeCharacters - prefix.length - suffix.length) / part.length));
  return prefix + part.repeat(times) + suffix;
}

export function pumpsOf(pattern: RegExp): Pump[] {
  const root = new PatternReader(pattern).read();
  const pairs = new Map<string, [prefix: string, part: string]>();
  // of /^ +| +$/ the second choice is slow only after something that is no space
  const starts = pattern.source.includes('^') ? ['', 'a'] : [''];
  const add = (prefix: string, part: string) => {
    for (const before of [prefix, ...starts])
      if (part !== '') pairs.set(JSON.stringify([before, part]), [before, part]);
  };

  const visit = (node: Node, prefix: string): void => {
    if (node.kind === 'choice') for (const option of node.options) visit(option, prefix);
    else if (node.kind === 'look') visit(node.item, prefix);
    else if (node.kind === 'repeat') {
      for (const part of samplesOf(node.item)) add(prefix, part);
      visit(node.item, prefix);
    } else if (node.kind === 'sequence') {
      const { items } = node;
      for (let i = 0; i < items.length; i++) {
        for (const before of samplesOf({ kind: 'sequence', items: items.slice(0, i) })) {
          visit(items[i], prefix + before);
          for (let end = i + 1; end <= Math.min(items.length, i + MAX_WINDOW); end++) {
            const window: Node = { kind: 'sequence', items: items.slice(i, end) };
            for (const part of samplesOf(window)) add(prefix + before, part);
          }
        }
      }
    } else for (const part of samplesOf(node)) add(prefix, part);
  };
  visit(root, '');
  return [...pairs.values()].flatMap(([prefix, part]) =>
    SUFFIXES.map((suffix) => ({ prefix, part, suffix })),
  );
}

/** Several texts that a node matches: characters of a class, each choice, loops that are left out or not. */
function samplesOf(node: Node): string[] {
  if (node.kind === 'any') return node.characters;
  if (node.kind === 'choice') return node.options.flatMap(samplesOf);
  if (node.kind === 'sequence' && node.items.length === 1) return samplesOf(node.items[0]);
  const samples = Array.from({ length: 2 * MAX_CHOICES }, (_, k) => sampleOf(node, k >> 1, k & 1));
  return [...new Set(samples)];
}

/** One text that a node matches, with the choice of that number and this many rounds of loops that may be left out. */
function sampleOf(node: Node, choice: number, rounds: number): string {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'any':
      return node.characters[0] ?? '';
    case 'sequence':
      return node.items.map((item) => sampleOf(item, choice, rounds)).join('');
    case 'choice':
      return sampleOf(node.options[Math.min(choice, node.options.length - 1)], choice, rounds);
    case 'repeat':
      return sampleOf(node.item, choice, rounds).repeat(Math.max(node.min, rounds));
    case 'look':
      return '';
  }
}

/** Reads the syntax of patterns as far as this project uses it; what it does not know, it throws on. */
class PatternReader {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;
  /** How many classes of the pattern have a character. */
  readonly #frequency = new Map<string, number>();
  readonly #classes: { characters: string[] }[] = [];

  constructor({ source, flags }: RegExp) {
    this.#source = source;
    this.#flags = flags.replace(/[gyd]/g, '');
  }

  read(): Node {
    const root = this.#choice();
    if (this.#at < this.#source.length) throw new Error(`cannot read ${this.#source} from ${this.#at} on`);
    for (const one of this.#classes) {
      const order = (character: string) => -(this.#frequency.get(character) ?? 0);
      one.characters = one.characters.sort((a, b) => order(a) - order(b)).slice(0, MAX_CHARACTERS);
    }
    return root;
  }

  #choice(): Node {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return options.length === 1 ? options[0] : { kind: 'choice', options };
  }

  #sequence(): Node {
    const items: Node[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at])) {
      const item = this.#quantified(this.#atom());
      const last = items.at(-1);
      // so that a word is one item
      if (item?.kind === 'text' && last?.kind === 'text') last.text += item.text;
      else if (item) items.push(item);
    }
    return { kind: 'sequence', items };
  }

  /** Reads one item of a pattern; null for an assertion, which matches no character. */
  #atom(): Node | null {
    if (this.#match(/\^|\$|\\[bB]/y)) return null;
    if (this.#match(/\((?:\?(?:[:]|<[a-zA-Z]\w*>))?(?!\?)/y)) return this.#group();
    if (this.#match(/\(\?<?[=!]/y)) return { kind: 'look', item: this.#group() };
    if (this.#match(/\\(?:[1-9]|k<\w+>)/y)) return null;
    const any = this.#match(/\[(?:[^\]\\]|\\.)*\]|\\(?:[dDsSwW]|[pP]\{[^}]*\})|\./suy);
    if (any) return this.#class(any);
    const text = this.#match(/\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|.)|[^\\()[\]|*+?]/isuy);
    if (text) return { kind: 'text', text: this.#characterOf(text) };
    throw new Error(`cannot read ${this.#source} at ${this.#at}`);
  }

  #group(): Node {
    const inside = this.#choice();
    if (!this.#take(')')) throw new Error(`${this.#source}: ) expected at ${this.#at}`);
    return inside;
  }

  #quantified(item: Node | null): Node | null {
    const said = this.#match(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (!said || !item) return item;
    const least = /^\{(\d+)/.exec(said)?.[1] ?? (said[0] === '+' ? 1 : 0);
    return { kind: 'repeat', item, min: Math.min(Number(least), MAX_LEAST) };
  }

  #class(source: string): Node {
    const pattern = new RegExp(`^${source}$`, this.#flags);
    const characters = [...new Set(ALPHABET)].filter((character) => pattern.test(character));
    for (const one of characters) this.#frequency.set(one, (this.#frequency.get(one) ?? 0) + 1);
    const node = { kind: 'any' as const, characters };
    this.#classes.push(node);
    return node;
  }

  /** The character that an escape, or itself, stands for. */
  #characterOf(source: string): string {
    if (source.length === 1 || source[0] !== '\\') return source;
    const hex = /^\\[ux]\{?([\da-f]+)\}?$/i.exec(source);
    if (hex) return String.fromCodePoint(Number.parseInt(hex[1], 16));
    const known: Record<string, string> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' };
    return known[source[1]] ?? source[1];
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0];
    if (found === undefined) return null;
    this.#at += found.length;
    return found;
  }
}
