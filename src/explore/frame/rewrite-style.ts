/**
 * Rewrites the addresses in style sheets of archived pages: `url(…)`, `src(…)`, `@import` and the texts of
 * `image-set(…)` become what `addressOf` returns, or NOWHERE. Names are compared with their escapes decoded, so
 * that `u\72l(` is an address too. Comments are left out. The result never contains `</`, so that it can be put
 * into a `<style>` element.
 *
 * One pass from left to right, linear in the length of the sheet.
 */

/** Address of nothing: an empty data URL. */
export const NOWHERE = 'data:,';

/** Returns the new address for an address in a style sheet; undefined blocks it. */
export type AddressOf = (written: string, kind: 'style' | 'image') => string | undefined;

/** Returns a style sheet with all addresses replaced. */
export function rewriteStyle(css: string, addressOf: AddressOf): string {
  return new StyleRewriter(css, addressOf).run();
}

/** CSS functions whose texts are addresses. */
const IMAGE_FUNCTIONS = new Set([
  'image-set',
  '-webkit-image-set',
  'image',
  '-webkit-cross-fade',
  'cross-fade',
]);

class StyleRewriter {
  readonly #css: string;
  readonly #addressOf: AddressOf;
  readonly #out: string[] = [];
  /** Number of open parentheses, and the one at which an image function began; -1 for none. */
  #depth = 0;
  #imagesAt = -1;
  #at = 0;

  constructor(css: string, addressOf: AddressOf) {
    this.#css = css;
    this.#addressOf = addressOf;
  }

  run(): string {
    const css = this.#css;
    while (this.#at < css.length) this.#step(css[this.#at]);
    return this.#out.join('').replaceAll('</', '<\\/');
  }

  #step(character: string): void {
    if (character === '/' && this.#css[this.#at + 1] === '*') {
      this.#skipComment();
      this.#out.push(' ');
    } else if (character === '"' || character === "'") {
      const text = this.#readText();
      this.#out.push(this.#imagesAt >= 0 ? quoted(this.#replace(text, 'image')) : quoted(text));
    } else if (character === '@') {
      this.#at++;
      const name = this.#readName();
      if (name.decoded === 'import') this.#rewriteImport();
      else this.#out.push(`@${name.written}`);
    } else if (isNameCharacter(character) || character === '\\') {
      this.#rewriteName();
    } else {
      if (character === '(') this.#depth++;
      if (character === ')') this.#close();
      this.#out.push(character);
      this.#at++;
    }
  }

  #close(): void {
    this.#depth = Math.max(0, this.#depth - 1);
    if (this.#depth <= this.#imagesAt) this.#imagesAt = -1;
  }

  #rewriteName(): void {
    const from = this.#at;
    const { written, decoded } = this.#readName();
    if (this.#at === from) {
      // a backslash before nothing that it can escape
      this.#at++;
      return;
    }
    if (this.#css[this.#at] !== '(') {
      this.#out.push(written);
      return;
    }
    if (decoded === 'url' || decoded === 'src') {
      this.#at++;
      this.#out.push(`url(${quoted(this.#replace(this.#readAddress(), 'image'))})`);
      return;
    }
    if (IMAGE_FUNCTIONS.has(decoded) && this.#imagesAt < 0) this.#imagesAt = this.#depth;
    this.#out.push(written);
  }

  /** Reads an `@import`: the address, then its conditions, up to the semicolon. */
  #rewriteImport(): void {
    this.#skipSpace();
    const first = this.#css[this.#at];
    let address: string | undefined;
    if (first === '"' || first === "'") address = this.#readText();
    else {
      const { decoded } = this.#readName();
      if (decoded === 'url' && this.#css[this.#at] === '(') {
        this.#at++;
        address = this.#readAddress();
      }
    }
    const from = this.#at;
    while (this.#at < this.#css.length && !';{}"\'\\@/'.includes(this.#css[this.#at])) this.#at++;
    const media = this.#css.slice(from, this.#at);
    const rewritten = address === undefined ? undefined : this.#addressOf(address, 'style');
    // without an address the rule is invalid, and browsers ignore it
    this.#out.push(rewritten === undefined ? '@media not all' : `@import url(${quoted(rewritten)})${media}`);
    if (rewritten === undefined && this.#css[this.#at] === ';') this.#out.push('{}');
    if (rewritten === undefined && this.#css[this.#at] === ';') this.#at++;
  }

  #replace(written: string, kind: 'style' | 'image'): string {
    return this.#addressOf(written.trim(), kind) ?? NOWHERE;
  }

  /** Reads the address after `url(`, with its closing parenthesis. */
  #readAddress(): string {
    this.#skipSpace();
    const first = this.#css[this.#at];
    let address = '';
    if (first === '"' || first === "'") address = this.#readText();
    while (this.#at < this.#css.length && this.#css[this.#at] !== ')') {
      address += this.#css[this.#at] === '\\' ? this.#readEscape() : this.#css[this.#at++];
    }
    this.#at++;
    return address;
  }

  /** Reads a quoted text and decodes its escapes; an end of line ends it, as in browsers. */
  #readText(): string {
    const quote = this.#css[this.#at++];
    const parts: string[] = [];
    while (this.#at < this.#css.length) {
      const character = this.#css[this.#at];
      if (character === '\\') {
        parts.push(this.#readEscape());
        continue;
      }
      if (character === '\n') break;
      this.#at++;
      if (character === quote) break;
      parts.push(character);
    }
    return parts.join('');
  }

  #readName(): { written: string; decoded: string } {
    const from = this.#at;
    const parts: string[] = [];
    for (;;) {
      const character = this.#css[this.#at] ?? '';
      if (character === '\\' && !/[\n\r\f]/.test(this.#css[this.#at + 1] ?? '\n'))
        parts.push(this.#readEscape());
      else if (character !== '' && isNameCharacter(character)) {
        parts.push(character);
        this.#at++;
      } else break;
    }
    return { written: this.#css.slice(from, this.#at), decoded: parts.join('').toLowerCase() };
  }

  /** Reads an escape: `\72 `, `\(` or an escaped end of line. */
  #readEscape(): string {
    this.#at++;
    const digits = /^[0-9a-f]{1,6}/i.exec(this.#css.slice(this.#at, this.#at + 6))?.[0];
    if (digits === undefined) {
      const character = this.#css[this.#at++] ?? '';
      return character === '\n' ? '' : character;
    }
    this.#at += digits.length;
    if (/\s/.test(this.#css[this.#at] ?? '')) this.#at++;
    const code = Number.parseInt(digits, 16);
    return code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
  }

  #skipSpace(): void {
    for (;;) {
      if (this.#css.startsWith('/*', this.#at)) this.#skipComment();
      else if (/\s/.test(this.#css[this.#at] ?? '')) this.#at++;
      else return;
    }
  }

  #skipComment(): void {
    const end = this.#css.indexOf('*/', this.#at + 2);
    this.#at = end < 0 ? this.#css.length : end + 2;
  }
}

function isNameCharacter(character: string): boolean {
  return /[\w-]/.test(character) || character > '\x7f';
}

/** Returns a text in quotes, with characters escaped that could end it. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"\n\r\f<]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `)}"`;
}
