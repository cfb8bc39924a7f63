/**
 * Finds the formulas of a page and their TeX, which replaces them in text and Markdown. Pages hold formulas as MathML,
 * often with TeX in an annotation, beside glyphs of KaTeX or MathJax or a fallback image. Only one of these forms is
 * written.
 */
import { readAttribute } from '../parse/attributes.ts';
import { TAG } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';
import { mathmlToTex, rawText } from './mathml-tex.ts';
import { sliceText } from './walk.ts';

/** A formula of a page, which replaces a node and everything inside it; without TeX the node is removed. */
export interface Formula {
  node: number;
  /** TeX on one line. */
  tex: string;
  /** Whether it is on a line of its own. */
  isDisplay: boolean;
}

/** A node that is replaced, with everything inside it, by a text; an empty text removes it. */
export interface Replacement {
  node: number;
  text: string;
}

/** Class names of elements that hold one formula in several forms. */
const WRAPPER = /(?:^|\s)(?:katex(?:-display)?|MathJax\w*|mwe-math-element|mjx-\w+|mjpage\w*)(?:\s|$)/;
const WRAPPER_LEVELS = 4;
const MATH_IMAGE = /(?:^|\s)(?:tex|latex|mwe-math-fallback-image-\w+|math-image|ee_img)(?:\s|$)/;
const IS_DISPLAY = /-display(?:\s|$)/;
/** Longest TeX, in characters, and longest MathML, in bytes, of a formula. */
const LONGEST_TEX = 10_000;
const LONGEST_MATHML = 200_000;

/** Finds the formulas in document order; they do not overlap. Linear in the nodes and their tags. */
export function findMath(tree: Tree): Formula[] {
  const { name, nodeCount, last, start, end } = tree;
  const found: Formula[] = [];
  const wrappers = new Map<number, Wrapper>();
  for (let node = 1; node < nodeCount; node++) {
    const tag = name[node];
    if (tag === TAG.math && end[node] - start[node] <= LONGEST_MATHML) {
      addMathml(tree, node, wrappers, found);
      // other formulas inside it are parts of it
      node = last[node] - 1;
    } else if (tag === TAG.script) addScript(tree, node, found);
    else if (tag === TAG.img) addImage(tree, node, found);
  }
  if (found.length < 2) return found;
  found.sort((a, b) => a.node - b.node);
  let next = 0;
  return found.filter(({ node }) => {
    const isOutside = node >= next;
    if (isOutside) next = last[node];
    return isOutside;
  });
}

/** Replaces a formula by its TeX between dollars, of which there are more than inside it. */
export function replaceFormula({ node, tex, isDisplay }: Formula): Replacement {
  if (tex === '') return { node, text: '' };
  const longest = tex.match(/\$+/g)?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0;
  const fence = '$'.repeat(Math.max(isDisplay ? 2 : 1, longest + 1));
  return { node, text: fence + tex + fence };
}

/** What the class of an element says about the formulas in it. */
interface Wrapper {
  isWrapper: boolean;
  isDisplay: boolean;
}

function addMathml(tree: Tree, math: number, wrappers: Map<number, Wrapper>, found: Formula[]): void {
  const tex = texOf(tree, math);
  if (tex === '') return;
  let outer = math;
  let isDisplay = readAttribute(tree, math, 'display') === 'block';
  for (let node = tree.parent[math], level = 0; node > 0 && level < WRAPPER_LEVELS; level++) {
    // many formulas may share an element with a long class
    let wrapper = wrappers.get(node);
    if (wrapper === undefined) {
      const names = readAttribute(tree, node, 'class') ?? '';
      wrapper = { isWrapper: WRAPPER.test(names), isDisplay: IS_DISPLAY.test(names) };
      wrappers.set(node, wrapper);
    }
    if (wrapper.isWrapper) outer = node;
    if (wrapper.isDisplay) isDisplay = true;
    node = tree.parent[node];
  }
  found.push({ node: outer, tex, isDisplay });
}

/** Adds `<script type="math/tex">` and the glyphs that MathJax has inserted before it. */
function addScript(tree: Tree, script: number, found: Formula[]): void {
  const { start, openEnd, end, last, parent, source } = tree;
  if (last[script] !== script + 2 || openEnd[script] - start[script] < 20) return;
  const type = readAttribute(tree, script, 'type') ?? '';
  if (!/^math\/tex\b/i.test(type)) return;
  const raw = sliceText(source, start[script + 1], end[script + 1]).replace(/^% <!\[CDATA\[|%? ?\]\]>$/g, '');
  const glyphs: Formula[] = [];
  let node = script;
  for (let count = 0; count < 2; count++) {
    let before = node - 1;
    while (before > 0 && parent[before] !== parent[script]) before = parent[before];
    const isGlyphs =
      before > 0 && last[before] === node && WRAPPER.test(readAttribute(tree, before, 'class') ?? '');
    if (!isGlyphs) break;
    glyphs.push({ node: before, tex: '', isDisplay: false });
    node = before;
  }
  // MathML inside the glyphs already gave this formula
  while (found.length > 0 && found[found.length - 1].node >= node) found.pop();
  found.push(...glyphs);
  const tex = cleanTex(raw);
  if (tex !== '') found.push({ node: script, tex, isDisplay: /mode\s*=\s*display/.test(type) });
}

function addImage(tree: Tree, image: number, found: Formula[]): void {
  const { start, openEnd } = tree;
  if (openEnd[image] - start[image] < 30) return;
  const names = readAttribute(tree, image, 'class');
  if (names === undefined || !MATH_IMAGE.test(names)) return;
  const tex = cleanTex(readAttribute(tree, image, 'alt') ?? '');
  if (tex !== '') found.push({ node: image, tex, isDisplay: IS_DISPLAY.test(names) });
}

function texOf(tree: Tree, math: number): string {
  for (let node = math + 1; node < tree.last[math]; node++) {
    if (tree.kind[node] !== ELEMENT) continue;
    const encoding = readAttribute(tree, node, 'encoding');
    if (encoding !== undefined && /\btex\b/i.test(encoding)) {
      const tex = cleanTex(rawText(tree, node));
      if (tex !== '') return tex;
      // a long one is not read again for the elements inside it
      node = tree.last[node] - 1;
    }
  }
  const alternative = cleanTex(readAttribute(tree, math, 'alttext') ?? '');
  return alternative === '' ? cleanTex(mathmlToTex(tree, math)) : alternative;
}

/** TeX on one line, without comments and the marks around it; empty when it is too long. */
export function cleanTex(raw: string): string {
  if (raw.length > LONGEST_TEX) return '';
  // on the last line, a percent sign begins no comment: the author forgot to escape it
  const lastLine = raw.lastIndexOf('\n') + 1;
  const lines = raw
    .slice(0, lastLine)
    .replace(/\\[\s\S]|%[^\n]*\n?/g, (token) => (token[0] === '%' ? '' : token));
  const line = raw.slice(lastLine).replace(/\\[\s\S]|%/g, (token) => (token === '%' ? '\\%' : token));
  let tex = (lines + line).replace(/[\s\x00-\x1f\x7f-\xa0\xad]+/g, ' ').trim();
  tex = /^\{\\(?:displaystyle|textstyle|scriptstyle) ([\s\S]*)\}$/.exec(tex)?.[1] ?? tex;
  tex = /^\\[([]([\s\S]*)\\[)\]]$/.exec(tex)?.[1] ?? /^(\$\$?)([^$]*)\1$/.exec(tex)?.[2] ?? tex;
  // a line break or space at the end is invisible, but would escape the mark after it
  let end = tex.length;
  while (end > 0 && (tex[end - 1] === '\\' || tex[end - 1] === ' ')) end--;
  return tex.slice(0, end).trimStart();
}
