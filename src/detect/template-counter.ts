/** Collects the templates met on the sampled pages: how often, on how many pages, how large. */
import { hashId } from '../compare/byte-hash.ts';
import { HashCounter } from '../compare/hash-counter.ts';
import type { Template } from '../model/range.ts';
import { type ByteReader, type ByteWriter, ModelFormatError } from './model-bytes.ts';

export class TemplateCounter {
  readonly #counter = new HashCounter();
  readonly #sizes = new Map<number, number>();

  add(low: number, high: number, page: number, sizeBytes: number): void {
    this.#counter.add(low, high, page);
    const key = sizeKey(low, high);
    this.#sizes.set(key, (this.#sizes.get(key) ?? 0) + sizeBytes);
  }

  /** The templates on at least `minPages` pages, most pages first; sizes are means. */
  templates(minPages: number): Template[] {
    const { low, high, pages, occurrences } = this.#counter.select(minPages);
    const templates: Template[] = [];
    for (let i = 0; i < low.length; i++) {
      const id = hashId(low[i], high[i]);
      const sizeBytes = Math.round((this.#sizes.get(sizeKey(low[i], high[i])) ?? 0) / occurrences[i]);
      templates.push({ id, pages: pages[i], occurrences: occurrences[i], sizeBytes });
    }
    return templates.sort((a, b) => b.pages - a.pages || (a.id < b.id ? -1 : 1));
  }
}

/** 53 bits of the hash: a number is a far quicker key than a string, and no two templates will share it. */
function sizeKey(low: number, high: number): number {
  return (high >>> 0) * 0x200000 + (low & 0x1fffff);
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
