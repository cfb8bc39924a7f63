/**
 * Lines of Markdown inside quotes and lists. A container adds a prefix to every line of the blocks in it;
 * an item's first line gets its marker. Containers beyond `LONGEST_PREFIX` add none, so that the prefixes
 * of a hostile page cannot outgrow its text.
 */

export interface OpenContainer {
  kind: 'quote' | 'list' | 'item';
  /** Prefix of the first line and of all later lines. */
  marker: string;
  indent: string;
  /** Characters of its indent and of those around it. */
  width: number;
  /** Whether its first line is written. */
  begun: boolean;
}

const LONGEST_PREFIX = 96;

/** Collects the lines of a Markdown document, with the prefixes of the open quotes and lists. */
export class BlockLines {
  readonly #lines: string[] = [];
  readonly #open: OpenContainer[] = [];
  /** The containers of the block written last. */
  #previous: OpenContainer[] = [];
  /** Whether that block is HTML, which ends at a blank line only. */
  #afterHtml = false;
  /** Containers of a rule that is written only if a block follows it. */
  #rule: OpenContainer[] | undefined;

  /** Opens a container; a list has no prefix of its own. */
  push(kind: OpenContainer['kind'], marker = ''): void {
    const around = this.#open.at(-1)?.width ?? 0;
    const shown = around + marker.length > LONGEST_PREFIX ? '' : marker;
    const indent = kind === 'quote' ? shown : ' '.repeat(shown.length);
    this.#open.push({ kind, marker: shown, indent, width: around + shown.length, begun: false });
  }

  pop(): void {
    this.#open.pop();
  }

  /** Number of open containers. */
  get depth(): number {
    return this.#open.length;
  }

  /** Whether the next line is the first of an item. */
  get isItemStart(): boolean {
    const last = this.#open.at(-1);
    return last?.kind === 'item' && !last.begun;
  }

  /** Marker of the last item of a list that ended directly before; empty if something else came last. */
  get markerBefore(): string {
    const depth = this.#open.length;
    const isHere =
      this.#previous[depth]?.kind === 'list' && this.#open.every((each, at) => each === this.#previous[at]);
    return isHere ? (this.#previous[depth + 1]?.marker ?? '') : '';
  }

  /** Separates the blocks before and after it; without a block on either side no rule is written. */
  rule(): void {
    if (this.#lines.length > 0) this.#rule = [...this.#open];
  }

  /** Writes one block, after a blank line if one is needed. */
  write(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const rule = this.#rule;
    this.#rule = undefined;
    if (rule?.every((container, depth) => container === this.#open[depth])) {
      const inside = this.#open.splice(rule.length);
      this.#write(['***']);
      this.#open.push(...inside);
    }
    this.#write(lines);
  }

  #write(lines: readonly string[]): void {
    if (this.#lines.length > 0 && (this.#afterHtml || !this.#isTight()))
      this.#lines.push(this.#commonPrefix().trimEnd());
    for (const line of lines) {
      let prefix = '';
      for (const container of this.#open) {
        prefix += container.begun ? container.indent : container.marker;
        container.begun = true;
      }
      this.#lines.push((prefix + line).trimEnd());
    }
    this.#previous = [...this.#open];
    this.#afterHtml = lines[0].startsWith('<table');
  }

  finish(): string {
    return this.#lines.length === 0 ? '' : `${this.#lines.join('\n')}\n`;
  }

  /** A new item needs no blank line after its neighbour or after the text of the item it is nested in. */
  #isTight(): boolean {
    const item = this.#open.findIndex((container) => container.kind === 'item' && !container.begun);
    if (item < 1) return false;
    const list = this.#open[item - 1];
    if (list.begun) return this.#previous[item]?.kind === 'item';
    const nested = item >= 2 && this.#open[item - 2].kind === 'item';
    const marker = this.#open[item].marker;
    return (
      nested && this.#previous[item - 1]?.kind !== 'list' && (/^[-*]/.test(marker) || /^1\D/.test(marker))
    );
  }

  #commonPrefix(): string {
    let prefix = '';
    for (let at = 0; at < this.#open.length; at++) {
      if (this.#open[at] !== this.#previous[at]) break;
      prefix += this.#open[at].indent;
    }
    return prefix;
  }
}
