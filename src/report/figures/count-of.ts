/** `1 page`, `2,000 pages`: a number with its noun, which is in the plural unless it is one. */
import { formatCount } from '../format-numbers.ts';

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
