/** Ranks templates by the bytes saved when each is kept once, and names them. */
import { formatBytes } from './format-numbers.ts';
import type { ReportTemplate } from './report-data.ts';
import { roleName } from './role-name.ts';

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

/** Returns the name of a template for a sentence, such as `menu (nav.main, 4.2 kB)`. */
export function nameOfTemplate({
  role,
  place,
  sizeBytes,
}: Pick<ReportTemplate, 'role' | 'place' | 'sizeBytes'>): string {
  const last = place.split(' > ').at(-1) ?? '';
  return `${roleName(role)} (${[last, formatBytes(sizeBytes)].filter((part) => part !== '').join(', ')})`;
}
