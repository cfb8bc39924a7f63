/**
 * A page's tree as objects, with the form in which two nodes are compared and the sizes of what is compared.
 * Plain rather than fast; see digest.ts for the columns that large collections use.
 *
 * What counts: names, attributes in any order with their values, texts with white space collapsed and left out at
 * both ends (as it is in script, style, `pre` and their like), and the order of children. Values and texts are those
 * of a DOM: references decoded, line ends as line feeds, an attribute without value empty, the first of several
 * attributes of one name. Comments and doctypes do not count, and texts of white space only in `pre` alone.
 */

import type { Relation } from '../src/fragments/shared-page.ts';
import { compare } from '../src/model/order.ts';
import { scanAttributes } from '../src/parse/attributes.ts';
import { decodeAttribute, decodeReferences } from '../src/parse/character-references.ts';
import { tagName } from '../src/parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../src/parse/tree.ts';

export interface FragmentNode {
  page: number;
  id: number;
  last: number;
  start: number;
  end: number;
  kind: 'element' | 'text';
  /** In lower case; empty for a text. */
  name: string;
  /** Ordered by name. Strings hold a byte per character: their length is their size. */
  attributes: { name: string; value: string }[];
  /** As compared; empty for an element. */
  text: string;
  /** The element around it; undefined for the root. */
  parent: FragmentNode | undefined;
  /** Elements and texts. */
  children: FragmentNode[];
  /** White space before each of the children and after the last, where it counts. */
  spaces: string[];
  forms: Record<Relation, string>;
  sizes: Record<Relation, number>;
}

/** The elements and texts of a tree, in document order. */
export function readNodes(tree: Tree, page: number): FragmentNode[] {
  const bytes = Buffer.from(tree.source).toString('latin1');
  const nodes: FragmentNode[] = [];
  const byId = new Map<number, FragmentNode>();
  for (let id = 1; id < tree.nodeCount; id++) {
    if (tree.kind[id] !== ELEMENT && tree.kind[id] !== TEXT) continue;
    const parent = byId.get(tree.parent[id]);
    const node = readNode(tree, id, bytes, page, parent);
    parent?.children.push(node);
    byId.set(id, node);
    nodes.push(node);
  }
  for (const node of nodes) if (keepsSpace(node)) readSpaces(tree, node, bytes);
  // children come after their parents
  for (const node of nodes.toReversed()) complete(node);
  return nodes;
}

/** What a node is compared by: nodes are equal (similar) when their forms are the same. */
export function formOf(node: FragmentNode, relation: Relation): string {
  return node.forms[relation];
}

/** Bytes of what is compared; 0 for a text, which is not a fragment. */
export function sizeOf(node: FragmentNode, relation: Relation): number {
  return node.kind === 'text' ? 0 : node.sizes[relation];
}

function readNode(
  tree: Tree,
  id: number,
  bytes: string,
  page: number,
  parent: FragmentNode | undefined,
): FragmentNode {
  const isText = tree.kind[id] === TEXT;
  const start = tree.start[id];
  const end = tree.end[id];
  const attributes: FragmentNode['attributes'] = [];
  if (!isText && tree.openEnd[id] > start) {
    for (const span of scanAttributes(tree.source, start, tree.openEnd[id])) {
      const name = bytes.slice(span.nameStart, span.nameEnd).replace(/[A-Z]/g, (c) => c.toLowerCase());
      if (attributes.some((attribute) => attribute.name === name)) continue;
      const written = bytes.slice(span.valueStart, span.valueEnd);
      const value = decoded(written, /&[0-9A-Za-z#]+;?=?/g, decodeAttribute);
      attributes.push({ name, value });
    }
    attributes.sort((a, b) => compare(a.name, b.name));
  }
  return {
    page,
    id,
    last: tree.last[id],
    start,
    end,
    kind: isText ? 'text' : 'element',
    name: isText ? '' : Buffer.from(tagName(tree, id)).toString('latin1'),
    attributes,
    text: isText ? comparedText(bytes.slice(start, end), tree, id, parent) : '',
    parent,
    children: [],
    spaces: [],
    forms: { complete: '', structural: '' },
    sizes: { complete: 0, structural: 0 },
  };
}

/** Elements whose text is not text of the page; whose `&` is a character like others; that keep white space. */
const AS_IT_IS = new Set(['script', 'style', 'title', 'iframe', 'noembed', 'noframes']);
const RAW = new Set(['script', 'style', 'iframe', 'noembed', 'noframes', 'xmp', 'plaintext']);
const KEEPS_SPACE = new Set(['pre', 'textarea', 'listing']);

function keepsSpace(node: FragmentNode | undefined): boolean {
  return node !== undefined && (KEEPS_SPACE.has(node.name) || keepsSpace(node.parent));
}

function comparedText(written: string, tree: Tree, id: number, parent: FragmentNode | undefined): string {
  const isFirst =
    parent !== undefined && KEEPS_SPACE.has(parent.name) && tree.start[id] === tree.openEnd[parent.id];
  const unbroken = isFirst ? written.replace(/^\r?\n/, '') : written;
  const isRaw = RAW.has(parent?.name ?? '');
  const text = isRaw ? lineFeeds(unbroken) : decoded(unbroken, /&[0-9A-Za-z#]+;?/g, decodeReferences);
  if (AS_IT_IS.has(parent?.name ?? '') || keepsSpace(parent)) return text;
  const collapsed = text.replaceAll('\0', '').replace(/[\t\n\f\r ]+/g, ' ');
  return collapsed.replace(/^ | $/g, '');
}

/** Bytes, a character each, with their references decoded and line ends as line feeds. */
function decoded(bytes: string, references: RegExp, decode: (text: string) => string): string {
  return lineFeeds(bytes).replace(references, (found) => Buffer.from(decode(found)).toString('latin1'));
}

function lineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** White space that no text node stands for: around the children, comments included. */
function readSpaces(
  { source, kind, last, start, openEnd, end }: Tree,
  node: FragmentNode,
  bytes: string,
): void {
  let from = openEnd[node.id];
  if (KEEPS_SPACE.has(node.name)) from += /^\r?\n/.exec(bytes.slice(from, from + 2))?.[0].length ?? 0;
  let space = '';
  const read = (to: number) => {
    const found = /^[\t\n\f\r ]+/.exec(bytes.slice(from, Math.max(from, to)))?.[0];
    if (found !== undefined) space += JSON.stringify(lineFeeds(found));
  };
  for (let child = node.id + 1; child < last[node.id]; child = last[child]) {
    read(start[child]);
    from = end[child];
    if (kind[child] !== ELEMENT && kind[child] !== TEXT) continue;
    node.spaces.push(space);
    space = '';
  }
  read(Math.min(end[node.id], source.length));
  node.spaces.push(space);
}

/** Writes forms and sizes of a node whose children have theirs. Quoted strings keep the forms unambiguous. */
function complete({ kind, name, attributes, text, children, spaces, forms, sizes }: FragmentNode): void {
  if (kind === 'text') {
    forms.complete = JSON.stringify(text);
    forms.structural = '""';
    sizes.complete = text.length;
    return;
  }
  const tag = JSON.stringify(name);
  const names = attributes.map((attribute) => JSON.stringify(attribute.name));
  const pairs = attributes.map((attribute, k) => `${names[k]}=${JSON.stringify(attribute.value)}`);
  const content = children.map((child, k) => (spaces[k] ?? '') + child.forms.complete);
  forms.complete = `<${tag} ${pairs.join(' ')}>${content.join('')}${spaces[children.length] ?? ''}</>`;
  forms.structural = `<${tag} ${names.join(' ')}>${children.map((child) => child.forms.structural).join('')}</>`;
  sizes.structural =
    name.length +
    attributes.reduce((sum, attribute) => sum + attribute.name.length, 0) +
    children.reduce((sum, child) => sum + child.sizes.structural, 0);
  sizes.complete =
    name.length +
    attributes.reduce((sum, attribute) => sum + attribute.name.length + attribute.value.length, 0) +
    children.reduce((sum, child) => sum + child.sizes.complete, 0);
}
