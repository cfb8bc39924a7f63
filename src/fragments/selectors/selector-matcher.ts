/**
 * Matches many selectors on a page at once, and defines the grammar of selectors (`Step`, `formatSelector`).
 * The selectors form a tree of steps, in which selectors with a common beginning share it. The elements of a
 * page are visited once in document order, each with the steps that its parent has reached. The next steps
 * are found by the element's id, classes, attributes, position and tag. So the cost depends on the elements
 * and the matches, not on the number of selectors.
 */
import { TAG } from '../../parse/tag-names.ts';
import { ELEMENT } from '../../parse/tree.ts';
import type { ElementFeatures, PageElements } from './page-elements.ts';

/** A step in the tree, with the possible next steps indexed by their rarest condition. */
class StepNode {
  /** Numbers of the selectors that end here. */
  readonly ends: number[] = [];
  hasNext = false;
  readonly #known = new Map<string, Next>();
  readonly #byId = new Map<string, Next[]>();
  readonly #byClass = new Map<string, Next[]>();
  readonly #byTag = new Map<string, ByTag>();

  follow(step: PathStep): StepNode {
    const key = `${step.tag} ${formatStep(step)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known.place;
    const next = { step, place: new StepNode() };
    this.#known.set(key, next);
    this.hasNext = true;
    const { id, classes = [], attributes = [], nthOfType, nthChild, tag } = step;
    if (id !== undefined) push(this.#byId, id, next);
    else if (classes.length > 0) push(this.#byClass, classes[0], next);
    else {
      let byTag = this.#byTag.get(tag);
      if (byTag === undefined) this.#byTag.set(tag, (byTag = new ByTag()));
      if (attributes.length > 0) {
        const { name, value } = attributes[0];
        let byValue = byTag.byAttribute.get(name);
        if (byValue === undefined) byTag.byAttribute.set(name, (byValue = new Map()));
        push(byValue, value, next);
      } else if (nthOfType !== undefined) push(byTag.byNthOfType, nthOfType, next);
      else if (nthChild !== undefined) push(byTag.byNthChild, nthChild, next);
      else byTag.plain.push(next);
    }
    return next.place;
  }

  /** Appends the steps that an element leads to. */
  advance(elements: PageElements, node: number, features: ElementFeatures, reached: StepNode[]): void {
    const { tag, id, classes } = features;
    if (id !== undefined && this.#byId.size > 0) take(this.#byId.get(id), elements, node, features, reached);
    if (this.#byClass.size > 0) {
      for (const name of classes) take(this.#byClass.get(name), elements, node, features, reached);
    }
    this.#byTag.get(tag)?.advance(elements, node, features, reached);
    this.#byTag.get('*')?.advance(elements, node, features, reached);
  }
}

interface Next {
  step: PathStep;
  place: StepNode;
}

class ByTag {
  readonly plain: Next[] = [];
  readonly byNthOfType = new Map<number, Next[]>();
  readonly byNthChild = new Map<number, Next[]>();
  readonly byAttribute = new Map<string, Map<string, Next[]>>();

  advance(elements: PageElements, node: number, features: ElementFeatures, reached: StepNode[]): void {
    take(this.plain, elements, node, features, reached);
    for (const [name, byValue] of this.byAttribute) {
      const value = features.attributes.get(name);
      if (value !== undefined) take(byValue.get(value), elements, node, features, reached);
    }
    if (this.byNthOfType.size > 0)
      take(this.byNthOfType.get(elements.nthOfType(node)), elements, node, features, reached);
    if (this.byNthChild.size > 0)
      take(this.byNthChild.get(elements.nthChild(node)), elements, node, features, reached);
  }
}

/** Finds the elements of pages that any of a set of selectors matches. */
export class SelectorMatcher {
  readonly #selectors: { number: number; selector: Selector }[] = [];
  #start: StepNode | undefined;
  #quirksStart: StepNode | undefined;

  /** Adds a selector with the number by which `match` reports it. */
  add(number: number, selector: Selector): void {
    this.#selectors.push({ number, selector });
    this.#start = undefined;
    this.#quirksStart = undefined;
  }

  /** Calls `onMatch` for each element that any selector matches, in document order; the list is reused. */
  match(elements: PageElements, onMatch: (node: number, numbers: number[]) => void): void {
    const start = elements.quirks
      ? (this.#quirksStart ??= this.#buildSteps(folded))
      : (this.#start ??= this.#buildSteps());
    const { kind, name, last, parent, nodeCount } = elements.tree;
    const placesOf = new Map<number, StepNode[]>();
    const numbers: number[] = [];
    for (let node = 1; node < nodeCount; node++) {
      if (kind[node] !== ELEMENT) continue;
      const features = elements.quirks ? foldedFeatures(elements.features(node)) : elements.features(node);
      const reached: StepNode[] = [];
      start.advance(elements, node, features, reached);
      const before = placesOf.get(parent[node]);
      if (before !== undefined) for (const place of before) place.advance(elements, node, features, reached);

      if (reached.length > 0) {
        numbers.length = 0;
        for (const place of reached) for (const number of place.ends) numbers.push(number);
        if (numbers.length > 0) onMatch(node, numbers);
        if (last[node] > node + 1) {
          const open = reached.filter((place) => place.hasNext);
          if (open.length > 0) placesOf.set(node, open);
        }
      }
      // the contents of a template element are not part of the page
      if (name[node] === TAG.template) node = last[node] - 1;
    }
  }

  #buildSteps(change?: (step: PathStep) => PathStep): StepNode {
    const start = new StepNode();
    for (const { number, selector } of this.#selectors) {
      let place = start;
      for (const step of selector) place = place.follow(change?.(step) ?? step);
      place.ends.push(number);
    }
    return start;
  }
}

function folded({ id, classes, ...step }: PathStep): PathStep {
  return {
    ...step,
    ...(id === undefined ? {} : { id: foldCase(id) }),
    ...(classes === undefined ? {} : { classes: classes.map(foldCase) }),
  };
}

function foldedFeatures({ id, classes, ...features }: ElementFeatures): ElementFeatures {
  return {
    ...features,
    id: id === undefined ? id : foldCase(id),
    classes: [...new Set(classes.map(foldCase))],
  };
}

/** Converts ASCII letters to lower case, as quirks mode compares ids and classes. */
function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function take(
  nexts: Next[] | undefined,
  elements: PageElements,
  node: number,
  features: ElementFeatures,
  reached: StepNode[],
): void {
  if (nexts === undefined) return;
  for (const { step, place } of nexts) if (fits(step, elements, node, features)) reached.push(place);
}

function fits(step: PathStep, elements: PageElements, node: number, features: ElementFeatures): boolean {
  if (step.tag !== '*' && step.tag !== features.tag) return false;
  if (step.id !== undefined && step.id !== features.id) return false;
  for (const name of step.classes ?? []) if (!features.classes.includes(name)) return false;
  for (const { name, value } of step.attributes ?? [])
    if (features.attributes.get(name) !== value) return false;
  if (step.nthOfType !== undefined && elements.nthOfType(node) !== step.nthOfType) return false;
  return step.nthChild === undefined || elements.nthChild(node) === step.nthChild;
}

function push<Key>(lists: Map<Key, Next[]>, key: Key, next: Next): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [next]);
  else list.push(next);
}

/**
 * One step of a selector. Selectors use only this part of CSS: steps from an element to its children, each
 * with a tag, an id, classes, attributes with values, and a position among siblings: `#wrap > div.side >
 * ul:nth-of-type(2)`. Browsers, Pagefind and other HTML rewriters support all of these. If they do not
 * suffice, a step may require content, `ul:has(a[href="/news"])`, which browsers support.
 *
 * Identifiers and strings are escaped according to CSS (CSS Syntax 3, section 4.3; CSSOM, "serialize an
 * identifier"). In addition, characters that control a terminal or the direction of text, and those that end
 * a comment or a tag, are written as numbers, so a selector can be copied into a style sheet, a YAML file, a
 * script or a terminal.
 */
export interface PathStep {
  /** Tag in lower case; `*` for any. */
  tag: string;
  id?: string;
  classes?: readonly string[];
  attributes?: readonly AttributeTest[];
  /** Position among siblings, from 1. */
  nthOfType?: number;
  nthChild?: number;
  /** Elements that it must contain at any depth; only in the last step. */
  has?: readonly PathStep[];
}

/** An attribute that must have a value. */
export interface AttributeTest {
  name: string;
  value: string;
}

/** A selector: steps from the outermost element to the matched one; each is the parent of the next. */
export type Selector = readonly PathStep[];

/** Returns a selector as CSS. */
export function formatSelector(selector: Selector): string {
  return selector.map(formatStep).join(' > ');
}

/** Returns a step as CSS. */
function formatStep({
  tag,
  id,
  classes = [],
  attributes = [],
  nthOfType,
  nthChild,
  has = [],
}: PathStep): string {
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

/**
 * Letters, digits and other visible characters of any language; no spaces, controls or marks of direction.
 */
const VISIBLE = /[\p{L}\p{N}\p{M}\p{P}\p{S}]/u;
/** ASCII that needs no escape in a CSS string. */
const PLAIN_IN_STRING = /[A-Za-z0-9 _.,:;=?&%#@!~^|+$/()[\]-]/;

/** Returns a name, id or class as a CSS identifier: `1x` becomes `\31 x`. */
export function cssIdentifier(text: string): string {
  const characters = [...text];
  let escaped = '';
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i];
    const isDigit = character >= '0' && character <= '9';
    if (isDigit && (i === 0 || (i === 1 && characters[0] === '-'))) escaped += asNumber(character);
    else if (character === '-' && characters.length === 1) escaped += '\\-';
    else if (/[A-Za-z0-9_-]/.test(character)) escaped += character;
    else if (character < '\u0080')
      escaped +=
        /[!-~]/.test(character) && !'*/<>'.includes(character) ? `\\${character}` : asNumber(character);
    else escaped += VISIBLE.test(character) ? character : asNumber(character);
  }
  return escaped;
}

/** Returns a value as a quoted CSS string. */
export function cssString(text: string): string {
  let escaped = '"';
  for (const character of text) {
    if (character === '"' || character === '\\') escaped += `\\${character}`;
    else if (character < '\u0080')
      escaped += PLAIN_IN_STRING.test(character) ? character : asNumber(character);
    else escaped += VISIBLE.test(character) ? character : asNumber(character);
  }
  return `${escaped}"`;
}

/** Returns a character as a numeric escape; the space at its end separates it from any next character. */
function asNumber(character: string): string {
  return `\\${character.codePointAt(0)!.toString(16)} `;
}
