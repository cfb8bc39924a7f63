/**
 * Converts MathML to TeX. Presentation elements have TeX counterparts; unknown elements become their content. Below the
 * depth DEEPEST everything is text, so that hostile pages cannot exhaust the stack. Linear in the nodes.
 */
import { decodeReferences } from '../parse/character-references.ts';
import { tagName } from '../parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { sliceText } from './walk.ts';

const DEEPEST = 60;

/** The TeX of a MathML element, with white space collapsed. */
export function mathmlToTex(tree: Tree, math: number): string {
  return rowToTex(tree, math, 0).replace(/\s+/g, ' ').trim();
}

const SYMBOLS: Readonly<Record<string, string>> = {
  '∑': '\\sum',
  '∏': '\\prod',
  '∫': '\\int',
  '√': '\\surd',
  '∞': '\\infty',
  '≤': '\\le',
  '≥': '\\ge',
  '≠': '\\ne',
  '≈': '\\approx',
  '±': '\\pm',
  '×': '\\times',
  '÷': '\\div',
  '⋅': '\\cdot',
  '·': '\\cdot',
  '−': '-',
  '→': '\\to',
  '⇒': '\\Rightarrow',
  '∈': '\\in',
  '∂': '\\partial',
  '∇': '\\nabla',
  '…': '\\dots',
  '{': '\\{',
  '}': '\\}',
  '%': '\\%',
  '&': '\\&',
  '#': '\\#',
  $: '\\$',
  _: '\\_',
  '^': '\\wedge',
  '~': '\\sim',
  '\\': '\\backslash',
  // invisible operators and the application of a function
  '\u2061': '',
  '\u2062': '',
  '\u2063': '',
  '\u2064': '',
};
/** The same inside `\text{}`; the other characters are as they are there. */
const TEXT_SYMBOLS: Readonly<Record<string, string>> = {
  '^': '\\textasciicircum ',
  '~': '\\textasciitilde ',
  '\\': '\\textbackslash ',
};
/** Accents that are written above or below a base. */
const ACCENTS: Readonly<Record<string, string>> = {
  '¯': '\\overline',
  '‾': '\\overline',
  '^': '\\hat',
  '~': '\\tilde',
  '→': '\\vec',
  '˙': '\\dot',
  '⏟': '\\underbrace',
  _: '\\underline',
};

function childrenOf({ last }: Tree, node: number): number[] {
  const children: number[] = [];
  for (let child = node + 1; child < last[node]; child = last[child]) children.push(child);
  return children;
}

function elementsOf(tree: Tree, node: number): number[] {
  return childrenOf(tree, node).filter((child) => tree.kind[child] === ELEMENT);
}

function rowToTex(tree: Tree, node: number, depth: number): string {
  return childrenOf(tree, node)
    .map((child) => nodeToTex(tree, child, depth + 1))
    .join(' ');
}

/** All text inside a node, as it is. */
export function rawText(tree: Tree, node: number): string {
  let text = '';
  for (let inner = node; inner < tree.last[node]; inner++) {
    if (tree.kind[inner] === TEXT)
      text += decodeReferences(sliceText(tree.source, tree.start[inner], tree.end[inner]));
  }
  return text;
}

function textInside(tree: Tree, node: number): string {
  return rawText(tree, node).replace(/\s+/g, ' ').trim();
}

function nodeToTex(tree: Tree, node: number, depth: number): string {
  if (tree.kind[node] === TEXT) return tokenToTex(textInside(tree, node));
  if (tree.kind[node] !== ELEMENT) return '';
  if (depth > DEEPEST) return tokenToTex(textInside(tree, node));
  const part = (child: number | undefined): string =>
    child === undefined ? '' : nodeToTex(tree, child, depth + 1).trim();
  const group = (child: number | undefined): string => `{${part(child)}}`;
  const parts = elementsOf(tree, node);
  const [base, first, second] = parts;
  switch (tagName(tree, node)) {
    case 'mi':
    case 'mn':
    case 'mo':
      return tokenToTex(textInside(tree, node));
    case 'mtext':
    case 'ms': {
      const text = textInside(tree, node).replace(
        /[{}%&#$_^~\\]/g,
        (character) => TEXT_SYMBOLS[character] ?? `\\${character}`,
      );
      return text === '' ? '' : `\\text{${text}}`;
    }
    case 'mspace':
      return '\\ ';
    case 'mfrac':
      return `\\frac${group(base)}${group(first)}`;
    case 'msqrt':
      return `\\sqrt{${rowToTex(tree, node, depth).trim()}}`;
    case 'mroot':
      return `\\sqrt[${part(first)}]${group(base)}`;
    case 'msup':
      return `${atom(part(base))}^${group(first)}`;
    case 'msub':
      return `${atom(part(base))}_${group(first)}`;
    case 'msubsup':
    case 'munderover':
      return `${atom(part(base))}_${group(first)}^${group(second)}`;
    case 'mover':
    case 'munder': {
      // an element with one text, so that nested ones are not read again and again
      const isToken = first !== undefined && tree.last[first] <= first + 2;
      const accent = isToken ? ACCENTS[textInside(tree, first)] : undefined;
      const sign = tagName(tree, node) === 'mover' ? '^' : '_';
      return accent === undefined ? `${atom(part(base))}${sign}${group(first)}` : `${accent}${group(base)}`;
    }
    case 'mfenced':
      return `(${parts.map(part).join(', ')})`;
    case 'mtable':
      return `\\begin{matrix}${parts.map(part).join(' \\\\ ')}\\end{matrix}`;
    case 'mtr':
    case 'mlabeledtr':
      return parts.map(part).join(' & ');
    case 'annotation':
    case 'annotation-xml':
      return '';
    default:
      return rowToTex(tree, node, depth);
  }
}

/** Puts braces around a base of more than one token. */
function atom(tex: string): string {
  return tex.length > 1 && !/^(?:\\[a-zA-Z]+|\d+)$/.test(tex) ? `{${tex}}` : tex === '' ? '{}' : tex;
}

function tokenToTex(text: string): string {
  const symbols = Array.from(text, (character) => SYMBOLS[character] ?? character);
  // a command ends before the next letter
  return symbols
    .map((symbol) => (/^\\[a-zA-Z]/.test(symbol) ? `${symbol} ` : symbol))
    .join('')
    .trim();
}
