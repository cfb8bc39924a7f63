/** Ranks templates by the bytes saved when each is kept once, and names them. */
import { formatBytes } from './format-numbers.ts';
import type { ReportTemplate } from './report-data.ts';

/** A template with its index and rank value. */
export interface RankedTemplate<T> {
  template: T;
  /** Index of the template in its list. */
  number: number;
  savedBytes: number;
}

type Sized = Pick<ReportTemplate, 'sizeBytes' | 'pages'>;

/** Returns the bytes of a template on all pages except one. */
function savedBytesOf({ sizeBytes, pages }: Sized): number {
  return sizeBytes * Math.max(0, pages - 1);
}

/**
 * Returns the templates that save the most bytes first, equal ones in their order; markup without text comes after
 * all texts.
 */
export function rankTemplates<T extends Sized & { role: string }>(
  templates: readonly T[],
): RankedTemplate<T>[] {
  return templates
    .map((template, number) => ({ template, number, savedBytes: savedBytesOf(template) }))
    .sort(
      (a, b) =>
        Number(a.template.role === 'markup') - Number(b.template.role === 'markup') ||
        b.savedBytes - a.savedBytes ||
        a.number - b.number,
    );
}

/** Everyday names of roles. */
const ROLE_NAMES: Readonly<Record<string, string>> = {
  head: 'page head',
  toc: 'contents',
  block: 'repeated text',
  markup: 'markup without text',
  '': 'repeated text',
};

/** Returns the name of a role for readers, such as `menu` or `page head`. */
export function roleName(role: string): string {
  return ROLE_NAMES[role] ?? role;
}

/** Returns the name of a template for a sentence, such as `menu (nav.main, 4.2 kB)`. */
export function nameOfTemplate({
  role,
  place,
  sizeBytes,
}: Pick<ReportTemplate, 'role' | 'place' | 'sizeBytes'>): string {
  const last = place.split(' > ').at(-1) ?? '';
  return `${roleName(role)} (${[last, formatBytes(sizeBytes)].filter((part) => part !== '').join(', ')})`;
}
