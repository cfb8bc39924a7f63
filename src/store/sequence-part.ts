/**
 * The templates that a label task met, site by site and detector by detector: what the table of templates and the
 * study are made of, without reading the ranges of all pages again. Numbers as they lie in memory, in the form of
 * structured clones.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { Range } from '../model/range.ts';
import { type FoundTemplates, SiteTemplates, type SiteTemplatesData } from '../study/site-templates.ts';

export const SEQUENCES_FILE = 'sequences.bin';

/** On its way to the file. The pages of a site follow each other. */
export class SequencePart {
  readonly #done: SiteTemplates[] = [];
  /** Of the current site, by detector. */
  #current = new Map<string, SiteTemplates>();
  #page = { page: 0, site: '', time: '' };

  /** The page whose ranges come next. */
  beginPage({ page, site, time }: { page: number; site: string; time: string }): void {
    if (site !== this.#page.site) {
      this.#done.push(...this.#current.values());
      this.#current = new Map();
    }
    this.#page = { page, site, time };
  }

  /** Adds what a detector found on the page, numbered from 0 as it met them on the site; `fresh` are those it met first. */
  add(detector: string, found: FoundTemplates, fresh: readonly Range[]): void {
    const { page, site, time } = this.#page;
    let templates = this.#current.get(detector);
    if (!templates) this.#current.set(detector, (templates = new SiteTemplates(site, detector)));
    templates.addFound(page, time, found, fresh);
  }

  write(path: string): void {
    const parts = [...this.#done, ...this.#current.values()].map((templates) => templates.data());
    writeFileSync(path, serialize(parts.filter(({ pages }) => pages.length > 0)));
  }
}

/** Those of several files, given in the order of their pages: one site after another, by detector. */
export function* readSequenceParts(files: readonly string[]): Generator<SiteTemplatesData[]> {
  let site: string | undefined;
  let current = new Map<string, SiteTemplatesData[]>();
  for (const file of files) {
    for (const part of deserialize(readFileSync(file)) as SiteTemplatesData[]) {
      if (part.site !== site) {
        if (site !== undefined) yield Array.from(current.values(), joinParts);
        site = part.site;
        current = new Map();
      }
      const known = current.get(part.detector);
      if (known) known.push(part);
      else current.set(part.detector, [part]);
    }
  }
  if (site !== undefined) yield Array.from(current.values(), joinParts);
}

function joinParts(parts: SiteTemplatesData[]): SiteTemplatesData {
  const [first] = parts;
  if (parts.length === 1) return first;
  const whole = new SiteTemplates(first.site, first.detector);
  for (const part of parts) whole.merge(part);
  return whole.data();
}
