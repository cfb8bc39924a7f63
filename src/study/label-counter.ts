/**
 * How many words of a capture are template, and how many of those are new. Words are counted subtree by subtree, as many
 * as are known to be in each; only a subtree in which a label ends is looked into. Cost: the entries, and for each
 * change of label the nodes on the way down to it.
 */
import { type PageTokens, readWords, type WordColumns } from '../analysis/page-tokens.ts';
import { withRoom } from '../model/growing-array.ts';
import { isInTemplate, type Range } from '../model/range.ts';
import { isHidden, TAG } from '../parse/tag-names.ts';
import { TextCursor } from '../parse/text.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';

const SPACE = 0x20;

/** Counts page after page; words must be asked for in the order of the text. */
export class LabelCounter {
  /** Words so far, of templates and of the rest, and those of them that are new. */
  templateWords = 0;
  newTemplateWords = 0;
  contentWords = 0;
  newContentWords = 0;
  #tree: Tree | undefined;
  #tokens: PageTokens | undefined;
  /** Stretches of one label: where each ends in the text, and whether it is template. */
  #ends = new Int32Array(64);
  #isTemplate = new Uint8Array(64);
  #stretches = 0;
  #at = 0;
  #words: WordColumns = { tokens: NO_NUMBERS, textStart: NO_NUMBERS, textEnd: NO_NUMBERS };

  /** Begins a page with these labels; its subtrees are those of `tokens`. */
  open(tree: Tree, tokens: PageTokens, ranges: readonly Range[]): void {
    this.#tree = tree;
    this.#tokens = tokens;
    this.templateWords = this.newTemplateWords = this.contentWords = this.newContentWords = 0;
    this.#ends = withRoom(this.#ends, ranges.length);
    this.#isTemplate = withRoom(this.#isTemplate, ranges.length);
    const cursor = new TextCursor(tree);
    let count = 0;
    for (const { end, label } of ranges) {
      const isTemplate = isInTemplate(label) ? 1 : 0;
      if (count === 0 || this.#isTemplate[count - 1] !== isTemplate) this.#isTemplate[count++] = isTemplate;
      this.#ends[count - 1] = cursor.positionOf(end);
    }
    this.#stretches = count;
    this.#at = 0;
  }

  /** Counts a word that stands at `start` in the text. */
  addWord(start: number, isNew: boolean): void {
    this.#goTo(start);
    this.#add(1, isNew);
  }

  /** Counts the words of a node that is subtree number `subtree`. */
  addSubtree(node: number, subtree: number, isNew: boolean): void {
    this.addNodes(node, this.#tree!.last[node], subtree, isNew);
  }

  /** Counts the words of nodes side by side, the first of whose subtrees has this number. */
  addNodes(from: number, to: number, subtree: number, isNew: boolean): void {
    const { kind, name, last, contentLow, contentHigh, textStart } = this.#tree!;
    const tokens = this.#tokens!;
    const { firstToken, endToken } = tokens;
    let next = subtree;
    for (let node = from; node < to; ) {
      const tag = kind[node] === ELEMENT ? name[node] : 0;
      if (kind[node] === ELEMENT ? tag === TAG.html || tag === TAG.body : kind[node] !== TEXT) {
        node++;
        continue;
      }
      if (tag === TAG.head || isHidden(tag)) {
        node = last[node];
        continue;
      }
      const isSubtree =
        next < firstToken.length &&
        tokens.contentLow[next] === contentLow[node] &&
        tokens.contentHigh[next] === contentHigh[node];
      if (!isSubtree) {
        // one token at most: nothing else stands within
        if (kind[node] === TEXT) this.#addShortText(node, isNew);
        node = last[node];
        continue;
      }
      this.#goTo(textStart[node]);
      if (this.#at === this.#stretches || this.#ends[this.#at] >= textStart[last[node]]) {
        this.#add(tokens.wordCount[next], isNew);
        const end = endToken[next];
        while (next < firstToken.length && firstToken[next] < end) next++;
        node = last[node];
      } else {
        if (kind[node] === TEXT) this.#addText(node, isNew);
        next++;
        node++;
      }
    }
  }

  #goTo(position: number): void {
    while (this.#at < this.#stretches && this.#ends[this.#at] <= position) this.#at++;
  }

  #add(words: number, isNew: boolean): void {
    if (this.#at < this.#stretches && this.#isTemplate[this.#at] === 1) {
      this.templateWords += words;
      if (isNew) this.newTemplateWords += words;
    } else {
      this.contentWords += words;
      if (isNew) this.newContentWords += words;
    }
  }

  #addShortText(node: number, isNew: boolean): void {
    const { text, textStart } = this.#tree!;
    let start = textStart[node];
    while (start < textStart[node + 1] && text[start] === SPACE) start++;
    if (start < textStart[node + 1]) this.addWord(start, isNew);
  }

  /** Counts the words of a text one by one. */
  #addText(node: number, isNew: boolean): void {
    const { textStart } = this.#tree!;
    const most = textStart[node + 1] - textStart[node];
    if (this.#words.tokens.length < most) {
      const [tokens, starts, ends] = [0, 1, 2].map(() => new Int32Array(2 * most));
      this.#words = { tokens, textStart: starts, textEnd: ends };
    }
    const count = readWords(this.#tree!, node, this.#words, 0);
    for (let word = 0; word < count; word++) this.addWord(this.#words.textStart[word], isNew);
  }
}

const NO_NUMBERS = new Int32Array(0);
