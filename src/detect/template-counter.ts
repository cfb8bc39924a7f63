/** Collects the templates met on the sampled pages: how often, on how many pages, how large. */
import { hashId } from '../analysis/byte-hash.ts';
import { HashCounter } from '../analysis/hash-tables.ts';
import type { Template } from '../model/range.ts';
import { type ByteReader, type ByteWriter, ModelFormatError } from './model-bytes.ts';

export class TemplateCounter {
  readonly #counter = new HashCounter();
  /** By number of the template: bytes of all its occurrences. */
  readonly #sizes: number[] = [];

  add(low: number, high: number, page: number, sizeBytes: number): void {
    const number = this.#counter.add(low, high, page);
    if (number === this.#sizes.length) this.#sizes.push(sizeBytes);
    else this.#sizes[number] += sizeBytes;
  }

  /** The templates on at least `least` pages, or with so many occurrences, most pages first; sizes are means. */
  templates(least: number, by: 'pages' | 'occurrences' = 'pages'): Template[] {
    const { low, high, pages, occurrences } = this.#counter.select(least, by);
    const templates: Template[] = [];
    for (let i = 0; i < low.length; i++) {
      const id = hashId(low[i], high[i]);
      const allBytes = this.#sizes[this.#counter.numberOf(low[i], high[i])];
      const sizeBytes = Math.round(allBytes / occurrences[i]);
      templates.push({ id, pages: pages[i], occurrences: occurrences[i], sizeBytes });
    }
    return templates.sort((a, b) => b.pages - a.pages || (a.id < b.id ? -1 : 1));
  }
}

export function writeTemplates(writer: ByteWriter, templates: readonly Template[]): void {
  writer.number(templates.length);
  for (const { id, pages, occurrences, sizeBytes } of templates) {
    writer.bytes(Buffer.from(id, 'hex'));
    writer.number(pages);
    writer.number(occurrences - pages);
    writer.number(sizeBytes);
  }
}

export function readTemplates(reader: ByteReader): Template[] {
  const templates: Template[] = [];
  for (let rest = reader.length(11); rest > 0; rest--) {
    const id = Buffer.from(reader.bytes(8)).toString('hex');
    const pages = reader.number();
    templates.push({ id, pages, occurrences: pages + reader.number(), sizeBytes: reader.number() });
  }
  for (let i = 1; i < templates.length; i++) {
    if (templates[i].pages > templates[i - 1].pages) throw new ModelFormatError('templates are out of order');
  }
  return templates;
}
