/**
 * The selectors that are written, and nothing more of CSS: steps from an element down to its children,
 * each with a tag, an id, classes, one or more attributes with their values, and a place among its siblings:
 * `#wrap > div.side > ul:nth-of-type(2)`. Browsers, Pagefind and other rewriters of HTML all know them. Where
 * that does not do, the element may be asked for what it holds, `ul:has(a[href="/news"])`, which browsers know.
 */
import { cssIdentifier, cssString } from './css-text.ts';

/** One element of a path. */
export interface Step {
  /** Tag in lower case; `*` for any. */
  tag: string;
  id?: string;
  classes?: readonly string[];
  attributes?: readonly AttributeTest[];
  /** From 1. */
  nthOfType?: number;
  nthChild?: number;
  /** Elements that it must hold, at any depth; of the last step only. */
  has?: readonly Step[];
}

export interface AttributeTest {
  name: string;
  value: string;
}

/** From the outermost element to the one that is meant; each is the parent of the next. */
export type Selector = readonly Step[];

export function formatSelector(selector: Selector): string {
  return selector.map(formatStep).join(' > ');
}

export function formatStep({
  tag,
  id,
  classes = [],
  attributes = [],
  nthOfType,
  nthChild,
  has = [],
}: Step): string {
  const tests = [
    id === undefined ? '' : `#${cssIdentifier(id)}`,
    ...classes.map((name) => `.${cssIdentifier(name)}`),
    ...attributes.map(({ name, value }) => `[${cssIdentifier(name)}=${cssString(value)}]`),
    nthOfType === undefined ? '' : `:nth-of-type(${nthOfType})`,
    nthChild === undefined ? '' : `:nth-child(${nthChild})`,
    ...has.map((step) => `:has(${formatStep(step)})`),
  ].join('');
  return tag !== '*' ? `${cssIdentifier(tag)}${tests}` : tests === '' ? '*' : tests;
}
