/**
 * Where the elements of a template stand, over all its pages: for each path of tags that leads to one, what
 * all elements on that path have in common, step by step: ids, classes, attributes, places. A selector made of
 * that matches all of them; made of all of it, it is the strongest that does: when even that one matches
 * another element, no selector of this grammar tells them apart.
 *
 * Costs the depth of each member; holds some paths of some steps per template, whatever the number of pages.
 */
import { tagName } from '../../parse/tag-names.ts';
import { ELEMENT } from '../../parse/tree.ts';
import type { PageElements } from './page-elements.ts';
import type { AttributeTest } from './selector.ts';

/** What all elements at one step of a path have in common. */
export interface CommonStep {
  tag: string;
  id: string | undefined;
  classes: string[];
  attributes: AttributeTest[];
  nthOfType: number | undefined;
  nthChild: number | undefined;
}

export interface Context {
  /** Tags of the path, for telling paths apart. */
  key: string;
  /** From the outermost step to the element. */
  steps: CommonStep[];
  members: number;
  /** Whether it is of the elements at one place of a composite only. */
  isPlace: boolean;
}

/** Innermost steps of a path that are looked at. */
const MOST_STEPS = 24;
/** Paths per template, and again for places; members on further ones are found only by a selector made for these. */
const MOST_PATHS = 12;
const MOST_CLASSES = 8;
const MOST_ATTRIBUTES = 8;
const LONGEST_VALUE = 120;

/** Reads paths; features of elements are read once per page. */
export class ContextReader {
  readonly #elements: PageElements;
  readonly #steps = new Map<number, CommonStep>();

  constructor(elements: PageElements) {
    this.#elements = elements;
  }

  /** Adds an element to the contexts of its template; those at a `place` of a composite are kept apart. */
  add(contexts: Context[], node: number, place = ''): void {
    const { tree } = this.#elements;
    const path: number[] = [];
    for (let at = node; at > 0 && path.length < MOST_STEPS; at = tree.parent[at])
      if (tree.kind[at] === ELEMENT) path.push(at);
    path.reverse();
    const key = place + path.map((at) => tagName(tree, at)).join('>');
    const known = contexts.find((context) => context.key === key);
    if (known === undefined) {
      if (contexts.filter((context) => context.isPlace === (place !== '')).length < MOST_PATHS)
        contexts.push({
          key,
          steps: path.map((at) => copyStep(this.#step(at))),
          members: 1,
          isPlace: place !== '',
        });
      return;
    }
    known.members++;
    for (const [depth, at] of path.entries()) keepCommon(known.steps[depth], this.#step(at));
  }

  #step(node: number): CommonStep {
    let step = this.#steps.get(node);
    if (step === undefined) {
      const elements = this.#elements;
      const { tag, id, classes, attributes } = elements.features(node);
      step = {
        tag,
        id: id !== undefined && usableValue(id) ? id : undefined,
        classes: classes.filter(usableValue).slice(0, MOST_CLASSES),
        attributes: usableAttributes(tag, attributes).slice(0, MOST_ATTRIBUTES),
        nthOfType: elements.nthOfType(node),
        nthChild: elements.nthChild(node),
      };
      this.#steps.set(node, step);
    }
    return step;
  }
}

function copyStep(step: CommonStep): CommonStep {
  return { ...step, classes: [...step.classes], attributes: [...step.attributes] };
}

function keepCommon(common: CommonStep, step: CommonStep): void {
  if (common.id !== step.id) common.id = undefined;
  if (common.classes.length > 0)
    common.classes = common.classes.filter((name) => step.classes.includes(name));
  if (common.attributes.length > 0) {
    common.attributes = common.attributes.filter(({ name, value }) =>
      step.attributes.some((other) => other.name === name && other.value === value),
    );
  }
  if (common.nthOfType !== step.nthOfType) common.nthOfType = undefined;
  if (common.nthChild !== step.nthChild) common.nthChild = undefined;
}

/** A value that can be written down: short, and without what no parser agrees on. */
export function usableValue(value: string): boolean {
  return (
    value !== '' && value.length <= LONGEST_VALUE && !/[\x00-\x1f\x7f-\x9f\ufffd\ud800-\udfff]/u.test(value)
  );
}

/**
 * Attributes that say what an element is. Not those whose values match in any case in HTML, those that hold
 * scripts, secrets or states, nor names that SVG writes in its own case.
 */
export function usableAttributes(tag: string, attributes: ReadonlyMap<string, string>): AttributeTest[] {
  const usable: AttributeTest[] = [];
  for (const [name, value] of attributes) {
    if (name === 'id' || name === 'class' || UNUSABLE.has(name) || !usableValue(value)) continue;
    const isData = /^(?:data|aria)-[a-z0-9_-]+$/.test(name);
    if (!isData && (!/^[a-z][a-z0-9-]*$/.test(name) || name.startsWith('on') || SVG_TAGS.has(tag))) continue;
    usable.push({ name, value });
  }
  return usable;
}

const UNUSABLE = new Set(
  (
    'accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer ' +
    'dir direction disabled enctype face frame hreflang http-equiv lang language link media method multiple ' +
    'nohref noresize noshade nowrap readonly rel rev rules scope scrolling selected shape target text type ' +
    'valign valuetype vlink nonce integrity value style open hidden'
  ).split(' '),
);
const SVG_TAGS = new Set(
  'svg math path g use circle rect line polygon polyline ellipse text tspan symbol image mask defs'.split(
    ' ',
  ),
);
