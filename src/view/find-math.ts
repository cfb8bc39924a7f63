/**
 * Finds the formulas of a page and their TeX, which replaces them in text and Markdown. Pages hold formulas as MathML,
 * often with TeX in an annotation, beside glyphs of KaTeX or MathJax or a fallback image. Only one of these forms is
 * written.
 */
import { readAttribute } from '../parse/attributes.ts';
import { decodeReferences } from '../parse/character-references.ts';
import { TAG } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';
import { longestRun } from './markdown-inline.ts';
import { mathmlToTex, textInside } from './mathml-tex.ts';
import { sliceText } from './walk.ts';

/** A node that is replaced, with everything inside it, by a text; an empty text removes it. */
export interface Replacement {
  node: number;
  text: string;
}

/** Class names of elements that hold one formula in several forms. */
const WRAPPER = /(?:^|\s)(?:katex(?:-display)?|MathJax\w*|mwe-math-element|mjx-\w+|mjpage\w*)(?:\s|$)/;
const WRAPPER_LEVELS = 4;
const MATH_IMAGE = /(?:^|\s)(?:tex|latex|mwe-math-fallback-image-\w+|math-image|ee_img)(?:\s|$)/;
const LONGEST_TEX = 10_000;

/** Finds the formulas in document order; they do not overlap. */
export function findMath(tree: Tree): Replacement[] {
  const { name, nodeCount } = tree;
  const found: Replacement[] = [];
  for (let node = 1; node < nodeCount; node++) {
    const tag = name[node];
    if (tag === TAG.math) addMathml(tree, node, found);
    else if (tag === TAG.script) addScript(tree, node, found);
    else if (tag === TAG.img) addImage(tree, node, found);
  }
  if (found.length < 2) return found;
  found.sort((a, b) => a.node - b.node);
  let end = 0;
  return found.filter(({ node }) => {
    const isOutside = node >= end;
    if (isOutside) end = tree.last[node];
    return isOutside;
  });
}

function addMathml(tree: Tree, math: number, found: Replacement[]): void {
  const tex = texOf(tree, math);
  if (tex === '') return;
  let outer = math;
  let isDisplay = readAttribute(tree, math, 'display') === 'block';
  for (let node = tree.parent[math], level = 0; node > 0 && level < WRAPPER_LEVELS; level++) {
    const names = readAttribute(tree, node, 'class') ?? '';
    if (WRAPPER.test(names)) outer = node;
    if (/katex-display|-display(?:\s|$)/.test(names)) isDisplay = true;
    node = tree.parent[node];
  }
  // the same formula follows as a script for MathJax
  found.push({ node: outer, text: inDollars(tex, isDisplay) });
}

/** Adds `<script type="math/tex">` and the glyphs that MathJax has inserted before it. */
function addScript(tree: Tree, script: number, found: Replacement[]): void {
  const { start, openEnd, end, last, parent, source } = tree;
  if (last[script] !== script + 2 || openEnd[script] - start[script] < 20) return;
  const type = readAttribute(tree, script, 'type') ?? '';
  if (!/^math\/tex\b/i.test(type)) return;
  const raw = sliceText(source, start[script + 1], end[script + 1]).replace(/^% <!\[CDATA\[|%? ?\]\]>$/g, '');
  const tex = cleanTex(raw);
  const glyphs: Replacement[] = [];
  let node = script;
  for (let count = 0; count < 2; count++) {
    let before = node - 1;
    while (before > 0 && parent[before] !== parent[script]) before = parent[before];
    const isGlyphs =
      before > 0 && last[before] === node && WRAPPER.test(readAttribute(tree, before, 'class') ?? '');
    if (!isGlyphs) break;
    glyphs.push({ node: before, text: '' });
    node = before;
  }
  // MathML inside the glyphs already gave this formula
  while (found.length > 0 && found[found.length - 1].node >= node) found.pop();
  found.push(...glyphs);
  if (tex !== '') found.push({ node: script, text: inDollars(tex, /mode\s*=\s*display/.test(type)) });
}

function addImage(tree: Tree, image: number, found: Replacement[]): void {
  const { start, openEnd } = tree;
  if (openEnd[image] - start[image] < 30) return;
  const names = readAttribute(tree, image, 'class');
  if (names === undefined || !MATH_IMAGE.test(names)) return;
  const tex = cleanTex(readAttribute(tree, image, 'alt') ?? '');
  if (tex !== '') found.push({ node: image, text: inDollars(tex, /-display(?:\s|$)/.test(names)) });
}

function texOf(tree: Tree, math: number): string {
  for (let node = math + 1; node < tree.last[math]; node++) {
    if (tree.kind[node] !== ELEMENT) continue;
    const encoding = readAttribute(tree, node, 'encoding');
    if (encoding !== undefined && /\btex\b/i.test(encoding)) {
      const tex = cleanTex(textInside(tree, node));
      if (tex !== '') return tex;
    }
  }
  const alternative = cleanTex(decodeReferences(readAttribute(tree, math, 'alttext') ?? ''));
  return alternative === '' ? mathmlToTex(tree, math) : alternative;
}

function cleanTex(raw: string): string {
  if (raw.length > LONGEST_TEX) return '';
  let tex = raw.replace(/[\x00-\x1f\x7f-\xa0]+/g, ' ').trim();
  tex = /^\{\\(?:displaystyle|textstyle|scriptstyle) ([\s\S]*)\}$/.exec(tex)?.[1] ?? tex;
  tex = /^\\[([]([\s\S]*)\\[)\]]$/.exec(tex)?.[1] ?? /^(\$\$?)([^$]*)\1$/.exec(tex)?.[2] ?? tex;
  return tex.replace(/ {2,}/g, ' ').trim();
}

function inDollars(tex: string, isDisplay: boolean): string {
  const fence = '$'.repeat(Math.max(isDisplay ? 2 : 1, longestRun(tex, '$') + 1));
  return fence + tex + fence;
}
