/**
 * Collects what the members of a template have in common (`ContextReader`), and makes the selectors to try
 * for it, from those that a person would write to those that only identify it: its own id, its tag with a
 * class, an attribute; then a path from the nearest named ancestor; then positions among siblings; at last
 * everything that is known. All of them match all members on the path they are made for; the pages show which
 * of them match nothing else.
 */

import { tagName } from '../../parse/tag-names.ts';
import { ELEMENT } from '../../parse/tree.ts';
import type { PageElements } from './page-elements.ts';
import { type AttributeTest, formatSelector, type PathStep, type Selector } from './selector-matcher.ts';

/** Maximum number of candidates of one template, over all its paths. */
const MAX_CANDIDATES = 160;
/** Maximum number of candidates of the first path; further paths get fewer. */
const FIRST_PATH = 34;
const FURTHER_PATH = 16;
/** Maximum number of candidates for the elements at one position of a composite. */
const ONE_PLACE = 6;
/** Maximum number of named ancestors that paths begin at. */
const MAX_ANCHORS = 3;

/** Elements that are rare on a page, so the tag alone may suffice. */
const LANDMARKS = new Set(
  'html head body nav header footer main aside form h1 style address menu dialog search noscript iframe frameset title select'.split(
    ' ',
  ),
);
/** Attributes, from the most to the least likely to stay the same. */
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
/** Names that SVG writes in mixed case, as a selector would have to; no selectors are made for them. */
const MIXED_CASE =
  /^(?:alt(?:glyph|glyphdef|glyphitem)|animate(?:color|motion|transform)|clippath|fe[a-z]+|foreignobject|glyphref|(?:linear|radial)gradient|textpath)$/;

/** Returns the candidates of a template, best first. */
export function makeCandidates(contexts: readonly SelectorContext[]): Selector[] {
  const candidates: Selector[] = [];
  const texts = new Set<string>();
  // the path with the most members first; ties must not depend on the order of pages
  const ordered = contexts.toSorted(
    (a, b) => Number(a.isPlace) - Number(b.isPlace) || b.members - a.members || (a.key < b.key ? -1 : 1),
  );
  ordered.forEach(({ steps, isPlace }, at) => {
    let room = isPlace ? ONE_PLACE : at === 0 ? FIRST_PATH : FURTHER_PATH;
    for (const selector of generateSelectors(steps, at === 0)) {
      const text = formatSelector(selector);
      if (texts.has(text)) continue;
      texts.add(text);
      candidates.push(selector);
      if (--room === 0 || candidates.length === MAX_CANDIDATES) break;
    }
    // without the strongest selector, a path cannot be known to have none
    const strongest = steps.map(strongestStep);
    if (!texts.has(formatSelector(strongest))) candidates.push(strongest);
  });
  return candidates.slice(0, MAX_CANDIDATES + contexts.length);
}

function* generateSelectors(steps: readonly CommonStep[], wide: boolean): Generator<Selector> {
  const own = steps[steps.length - 1];
  const names = ownNames(own);

  // by its own names
  for (const step of names) yield [step];
  if (LANDMARKS.has(own.tag)) yield [{ tag: own.tag }];
  const attributes = byStability(own.attributes).filter(({ value }) => looksStable(value));
  for (const attribute of attributes.slice(0, wide ? 4 : 2))
    yield [{ tag: tagOf(own), attributes: [attribute] }];

  // by a named ancestor: tags in between, then positions where they are always the same
  const anchors = anchorsOf(steps);
  for (const { at, step } of anchors) {
    const between = steps.slice(at + 1, -1);
    yield [step, ...between.map((each) => ({ tag: tagOf(each) })), names[0] ?? { tag: tagOf(own) }];
    yield [step, ...between.map(withStableNames), withStableNames(own)];
  }
  for (const { at, step } of anchors) {
    yield [step, ...steps.slice(at + 1, -1).map((each) => ({ tag: tagOf(each) })), withPosition(own)];
    yield [step, ...steps.slice(at + 1).map(withPosition)];
  }

  if (own.nthChild !== undefined) yield [{ ...withStableNames(own), nthChild: own.nthChild }];

  // by ids and names that look generated
  if (own.id !== undefined) yield [{ tag: '*', id: own.id }];
  for (const attribute of byStability(own.attributes).slice(0, 3))
    yield [{ tag: tagOf(own), attributes: [attribute] }];
  if (own.attributes.length > 1) yield [{ tag: tagOf(own), attributes: byStability(own.attributes) }];

  // by the whole path, and by everything known
  const body = steps.findIndex(({ tag }) => tag === 'body' || tag === 'head');
  if (body >= 0 && body < steps.length - 1)
    yield [{ tag: steps[body].tag }, ...steps.slice(body + 1).map(withPosition)];
  for (const length of [1, 2, 3, 5]) {
    if (length >= steps.length) break;
    yield steps.slice(-length).map(allNames);
    yield steps.slice(-length).map(strongestStep);
  }
  if (body >= 0) yield steps.slice(body).map(allNames);
}

/** Returns `#id`, `tag.class` and `tag.class.class` with names that look stable. */
function ownNames(step: CommonStep): PathStep[] {
  const classes = step.classes.filter(looksStable);
  const names: PathStep[] = [];
  if (step.id !== undefined && looksStable(step.id)) names.push({ tag: '*', id: step.id });
  for (const name of classes.slice(0, 3)) names.push({ tag: tagOf(step), classes: [name] });
  if (classes.length > 1) names.push({ tag: tagOf(step), classes: classes.slice(0, 5) });
  return names;
}

/** Returns the nearest ancestors with an id, a class or a rare tag. */
function anchorsOf(steps: readonly CommonStep[]): { at: number; step: PathStep }[] {
  const anchors: { at: number; step: PathStep }[] = [];
  for (let at = steps.length - 2; at >= 0 && anchors.length < MAX_ANCHORS; at--) {
    const step =
      ownNames(steps[at])[0] ?? (LANDMARKS.has(steps[at].tag) ? { tag: steps[at].tag } : undefined);
    if (step !== undefined) anchors.push({ at, step });
  }
  return anchors;
}

function withStableNames(step: CommonStep): PathStep {
  return ownNames(step)[0] ?? { tag: tagOf(step) };
}

function withPosition(step: CommonStep): PathStep {
  if (step.nthOfType !== undefined && tagOf(step) !== '*')
    return { tag: tagOf(step), nthOfType: step.nthOfType };
  return step.nthChild !== undefined ? { tag: tagOf(step), nthChild: step.nthChild } : withStableNames(step);
}

function allNames(step: CommonStep): PathStep {
  return { tag: tagOf(step), id: step.id, classes: step.classes, attributes: byStability(step.attributes) };
}

function strongestStep(step: CommonStep): PathStep {
  return {
    ...allNames(step),
    nthOfType: tagOf(step) === '*' ? undefined : step.nthOfType,
    nthChild: step.nthChild,
  };
}

function tagOf({ tag }: CommonStep): string {
  return MIXED_CASE.test(tag) ? '*' : tag;
}

function byStability(attributes: CommonStep['attributes']): CommonStep['attributes'] {
  const rank = (name: string): number => {
    const at = ATTRIBUTE_ORDER.indexOf(name);
    return at >= 0 ? at : name.startsWith('data-') ? 4.5 : ATTRIBUTE_ORDER.length;
  };
  return attributes.toSorted((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));
}

/**
 * Returns whether a name looks chosen by a person: not a number, a hash, a session, a generated class. Wrong
 * guesses only change the order in which selectors are tried.
 */
export function looksStable(name: string): boolean {
  if (/^\d+$/.test(name) || /\d{4,}/.test(name) || name.length > 60) return false;
  if (/(?:^|[-_])(?:sess|session|sid|token|nonce|csrf|uuid|guid)(?:$|[-_=])/i.test(name)) return false;
  // css-1q2w3e, sc-bdVaJa, ember123, _3xK9f
  if (/^(?:css|sc|jsx|ember|yui|ext-gen|gen|uid)[-_]?[a-z]*\d/i.test(name)) return false;
  // a run of letters and digits that alternate too often for a word
  for (const run of name.split(/[^A-Za-z0-9]+/)) {
    if (run.length < 6) continue;
    const turns = run.match(/[a-z](?=\d)|\d(?=[A-Za-z])/gi)?.length ?? 0;
    if (turns >= 3 || /^[0-9a-f]{8,}$/i.test(run)) return false;
  }
  return true;
}

/**
 * The common features of the elements at one step of a path: ids, classes, attributes, positions. They are
 * collected over all pages, for each path of tags that leads to an element of the template. A selector made
 * of common features matches all these elements. The one made of all of them is the strongest: if it matches
 * another element too, no selector of this grammar can distinguish them.
 *
 * Cost: the depth of each member; memory: some paths of some steps per template, whatever the number of
 * pages.
 */
export interface CommonStep {
  tag: string;
  id: string | undefined;
  classes: string[];
  attributes: AttributeTest[];
  nthOfType: number | undefined;
  nthChild: number | undefined;
}

/** A path of tags to elements of a template, with their common features. */
export interface SelectorContext {
  /** Tags of the path, which identify it. */
  key: string;
  /** From the outermost step to the element. */
  steps: CommonStep[];
  members: number;
  /** Whether it only describes the elements at one position of a composite. */
  isPlace: boolean;
}

/** Maximum number of steps of a path, from the inside. */
const MAX_STEPS = 24;
/**
 * Maximum number of paths per template, and again for positions; members on other paths are matched only by
 * chance.
 */
const MAX_PATHS = 12;
const MAX_CLASSES = 8;
const MAX_ATTRIBUTES = 8;
const LONGEST_VALUE = 120;

/** Reads the paths of a page's elements; features are read once per element. */
export class ContextReader {
  readonly #elements: PageElements;
  readonly #steps = new Map<number, CommonStep>();

  constructor(elements: PageElements) {
    this.#elements = elements;
  }

  /** Adds an element to the contexts of its template; those at a `place` of a composite are separate. */
  add(contexts: SelectorContext[], node: number, place = ''): void {
    const { tree } = this.#elements;
    const path: number[] = [];
    for (let at = node; at > 0 && path.length < MAX_STEPS; at = tree.parent[at])
      if (tree.kind[at] === ELEMENT) path.push(at);
    path.reverse();
    const key = place + path.map((at) => tagName(tree, at)).join('>');
    const known = contexts.find((context) => context.key === key);
    if (known === undefined) {
      if (contexts.filter((context) => context.isPlace === (place !== '')).length < MAX_PATHS)
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
        classes: classes.filter(usableValue).slice(0, MAX_CLASSES),
        attributes: usableAttributes(tag, attributes).slice(0, MAX_ATTRIBUTES),
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

/**
 * Returns whether a value can be written in a selector: short, and without characters on which parsers
 * disagree.
 */
export function usableValue(value: string): boolean {
  return (
    value !== '' && value.length <= LONGEST_VALUE && !/[\x00-\x1f\x7f-\x9f\ufffd\ud800-\udfff]/u.test(value)
  );
}

/**
 * Returns the attributes that describe an element. Excluded are those whose values HTML compares without
 * case, those with scripts, secrets or states, and names that SVG writes in mixed case.
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
