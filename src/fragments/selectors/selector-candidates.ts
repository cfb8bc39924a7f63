/**
 * What the members of a template have in common (`ContextReader`), and the selectors to try for it, from those a person would write to those that only pin it down: its own id,
 * its tag with a class, an attribute; then a path from the nearest ancestor that has a name; then places among
 * siblings; at last everything that is known. All of them match all members on the path they are made for;
 * which of them match nothing else is what the pages tell.
 */

import { tagName } from '../../parse/tag-names.ts';
import { ELEMENT } from '../../parse/tree.ts';
import type { PageElements } from './page-elements.ts';
import { type AttributeTest, formatSelector, type Selector, type Step } from './selector-matcher.ts';

/** Candidates of one template, over all its paths. */
const MOST_CANDIDATES = 160;
/** Candidates of the first path; further ones get less. */
const FIRST_PATH = 34;
const FURTHER_PATH = 16;
/** Candidates for the elements at one place of a composite. */
const ONE_PLACE = 6;
/** Ancestors with a name of their own that paths begin at. */
const MOST_ANCHORS = 3;

/** Elements of which a page has few, so that the tag alone may do. */
const LANDMARKS = new Set(
  'html head body nav header footer main aside form h1 style address menu dialog search noscript iframe frameset title select'.split(
    ' ',
  ),
);
/** Attributes in the order of what they promise to stay. */
const ATTRIBUTE_ORDER = [
  'role',
  'itemprop',
  'name',
  'aria-label',
  'aria-labelledby',
  'itemtype',
  'property',
  'for',
  'action',
  'summary',
  'title',
  'alt',
  'src',
  'href',
];
/** SVG writes these in mixed case, and so must a selector; better none. */
const MIXED_CASE =
  /^(?:alt(?:glyph|glyphdef|glyphitem)|animate(?:color|motion|transform)|clippath|fe[a-z]+|foreignobject|glyphref|(?:linear|radial)gradient|textpath)$/;

/** The candidates of a template, best first. */
export function makeCandidates(contexts: readonly Context[]): Selector[] {
  const candidates: Selector[] = [];
  const texts = new Set<string>();
  // the path of most members first; the order of pages must not matter where they are equal
  const ordered = contexts.toSorted(
    (a, b) => Number(a.isPlace) - Number(b.isPlace) || b.members - a.members || (a.key < b.key ? -1 : 1),
  );
  ordered.forEach(({ steps, isPlace }, at) => {
    let room = isPlace ? ONE_PLACE : at === 0 ? FIRST_PATH : FURTHER_PATH;
    for (const selector of ladder(steps, at === 0)) {
      const text = formatSelector(selector);
      if (texts.has(text)) continue;
      texts.add(text);
      candidates.push(selector);
      if (--room === 0 || candidates.length === MOST_CANDIDATES) break;
    }
    // without this one a path cannot be told to have no selector
    const strongest = steps.map(everything);
    if (!texts.has(formatSelector(strongest))) candidates.push(strongest);
  });
  return candidates.slice(0, MOST_CANDIDATES + contexts.length);
}

function* ladder(steps: readonly CommonStep[], wide: boolean): Generator<Selector> {
  const own = steps[steps.length - 1];
  const names = ownNames(own);

  // by itself
  for (const step of names) yield [step];
  if (LANDMARKS.has(own.tag)) yield [{ tag: own.tag }];
  const attributes = byPromise(own.attributes).filter(({ value }) => looksStable(value));
  for (const attribute of attributes.slice(0, wide ? 4 : 2))
    yield [{ tag: tagOf(own), attributes: [attribute] }];

  // by an ancestor with a name: tags between, then places where they are the same everywhere
  const anchors = anchorsOf(steps);
  for (const { at, step } of anchors) {
    const between = steps.slice(at + 1, -1);
    yield [step, ...between.map((each) => ({ tag: tagOf(each) })), names[0] ?? { tag: tagOf(own) }];
    yield [step, ...between.map(named), named(own)];
  }
  for (const { at, step } of anchors) {
    yield [step, ...steps.slice(at + 1, -1).map((each) => ({ tag: tagOf(each) })), placed(own)];
    yield [step, ...steps.slice(at + 1).map(placed)];
  }

  if (own.nthChild !== undefined) yield [{ ...named(own), nthChild: own.nthChild }];

  // by ids and names that look made by a machine
  if (own.id !== undefined) yield [{ tag: '*', id: own.id }];
  for (const attribute of byPromise(own.attributes).slice(0, 3))
    yield [{ tag: tagOf(own), attributes: [attribute] }];
  if (own.attributes.length > 1) yield [{ tag: tagOf(own), attributes: byPromise(own.attributes) }];

  // by the whole path, and by all there is
  const body = steps.findIndex(({ tag }) => tag === 'body' || tag === 'head');
  if (body >= 0 && body < steps.length - 1)
    yield [{ tag: steps[body].tag }, ...steps.slice(body + 1).map(placed)];
  for (const length of [1, 2, 3, 5]) {
    if (length >= steps.length) break;
    yield steps.slice(-length).map(allNames);
    yield steps.slice(-length).map(everything);
  }
  if (body >= 0) yield steps.slice(body).map(allNames);
}

/** `#id`, `tag.class` and `tag.class.class`, those that look as if they would stay. */
function ownNames(step: CommonStep): Step[] {
  const classes = step.classes.filter(looksStable);
  const names: Step[] = [];
  if (step.id !== undefined && looksStable(step.id)) names.push({ tag: '*', id: step.id });
  for (const name of classes.slice(0, 3)) names.push({ tag: tagOf(step), classes: [name] });
  if (classes.length > 1) names.push({ tag: tagOf(step), classes: classes.slice(0, 5) });
  return names;
}

/** The nearest ancestors with an id or a class of their own, or of a tag that is rare. */
function anchorsOf(steps: readonly CommonStep[]): { at: number; step: Step }[] {
  const anchors: { at: number; step: Step }[] = [];
  for (let at = steps.length - 2; at >= 0 && anchors.length < MOST_ANCHORS; at--) {
    const step =
      ownNames(steps[at])[0] ?? (LANDMARKS.has(steps[at].tag) ? { tag: steps[at].tag } : undefined);
    if (step !== undefined) anchors.push({ at, step });
  }
  return anchors;
}

function named(step: CommonStep): Step {
  return ownNames(step)[0] ?? { tag: tagOf(step) };
}

function placed(step: CommonStep): Step {
  if (step.nthOfType !== undefined && tagOf(step) !== '*')
    return { tag: tagOf(step), nthOfType: step.nthOfType };
  return step.nthChild !== undefined ? { tag: tagOf(step), nthChild: step.nthChild } : named(step);
}

function allNames(step: CommonStep): Step {
  return { tag: tagOf(step), id: step.id, classes: step.classes, attributes: byPromise(step.attributes) };
}

function everything(step: CommonStep): Step {
  return {
    ...allNames(step),
    nthOfType: tagOf(step) === '*' ? undefined : step.nthOfType,
    nthChild: step.nthChild,
  };
}

function tagOf({ tag }: CommonStep): string {
  return MIXED_CASE.test(tag) ? '*' : tag;
}

function byPromise(attributes: CommonStep['attributes']): CommonStep['attributes'] {
  const rank = (name: string): number => {
    const at = ATTRIBUTE_ORDER.indexOf(name);
    return at >= 0 ? at : name.startsWith('data-') ? 4.5 : ATTRIBUTE_ORDER.length;
  };
  return attributes.toSorted((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));
}

/**
 * Whether a name looks chosen by a person: not a number, a hash, a session, a generated class. Wrong guesses
 * cost nothing but the order in which selectors are tried.
 */
export function looksStable(name: string): boolean {
  if (/^\d+$/.test(name) || /\d{4,}/.test(name) || name.length > 60) return false;
  if (/(?:^|[-_])(?:sess|session|sid|token|nonce|csrf|uuid|guid)(?:$|[-_=])/i.test(name)) return false;
  // css-1q2w3e, sc-bdVaJa, ember123, _3xK9f
  if (/^(?:css|sc|jsx|ember|yui|ext-gen|gen|uid)[-_]?[a-z]*\d/i.test(name)) return false;
  // a run of letters and digits that change places too often for a word
  for (const run of name.split(/[^A-Za-z0-9]+/)) {
    if (run.length < 6) continue;
    const turns = run.match(/[a-z](?=\d)|\d(?=[A-Za-z])/gi)?.length ?? 0;
    if (turns >= 3 || /^[0-9a-f]{8,}$/i.test(run)) return false;
  }
  return true;
}

/**
 * Where the elements of a template stand, over all its pages: for each path of tags that leads to one, what
 * all elements on that path have in common, step by step: ids, classes, attributes, places. A selector made of
 * that matches all of them; made of all of it, it is the strongest that does: when even that one matches
 * another element, no selector of this grammar tells them apart.
 *
 * Costs the depth of each member; holds some paths of some steps per template, whatever the number of pages.
 */

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
