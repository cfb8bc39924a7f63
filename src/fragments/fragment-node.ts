/**
 * A page's tree as objects, with the form in which two nodes are compared and the sizes of what is compared.
 * Plain rather than fast; see digest.ts for the columns that large collections use.
 *
 * What counts: names, attributes in any order with their values as written, texts with white space collapsed
 * (those of script, style and their like as they stand), and the order of children. Comments, doctypes and
 * texts of white space only do not.
 */
import { compare } from '../model/order.ts';
import { scanAttributes } from '../parse/attributes.ts';
import { tagName } from '../parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import type { Relation } from './shared-page.ts';

export interface FragmentNode {
  page: number;
  id: number;
  last: number;
  start: number;
  end: number;
  kind: 'element' | 'text';
  /** In lower case; empty for a text. */
  name: string;
  /** Ordered by name, then value. Strings hold a byte per character: their length is their size. */
  attributes: { name: string; value?: string }[];
  /** As compared; empty for an element. */
  text: string;
  /** The element it stands in; undefined for the root. */
  parent: FragmentNode | undefined;
  /** Elements and texts. */
  children: FragmentNode[];
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
  // children come after their parents
  for (const node of nodes.toReversed()) complete(node);
  return nodes;
}

/** What a node is compared by: nodes are equal (similar) when their forms are the same. */
export function formOf(node: FragmentNode, relation: Relation): string {
  return node.forms[relation];
}

/** Bytes of what is compared; 0 for a text, which is no fragment. */
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
      const hasValue = bytes.slice(span.nameEnd, span.valueStart).includes('=');
      attributes.push(hasValue ? { name, value: bytes.slice(span.valueStart, span.valueEnd) } : { name });
    }
    attributes.sort((a, b) => compare(a.name, b.name) || compare(a.value ?? '', b.value ?? ''));
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
    text: isText ? comparedText(bytes.slice(start, end), parent?.name ?? '') : '',
    parent,
    children: [],
    forms: { complete: '', structural: '' },
    sizes: { complete: 0, structural: 0 },
  };
}

/** Elements whose text is no text of the page, and is compared as it stands. */
const RAW = new Set(['script', 'style', 'title', 'iframe', 'noembed', 'noframes']);

function comparedText(text: string, parent: string): string {
  if (RAW.has(parent)) return text;
  const collapsed = text.replaceAll('\0', '').replace(/[\t\n\f\r ]+/g, ' ');
  return collapsed.replace(/^ | $/g, '');
}

/** Writes forms and sizes of a node whose children have theirs. Quoted strings keep the forms unambiguous. */
function complete({ kind, name, attributes, text, children, forms, sizes }: FragmentNode): void {
  if (kind === 'text') {
    forms.complete = JSON.stringify(text);
    forms.structural = '""';
    sizes.complete = text.length;
    return;
  }
  const tag = JSON.stringify(name);
  const names = attributes.map((attribute) => JSON.stringify(attribute.name));
  const values = attributes.map(({ value }) => (value === undefined ? '' : `=${JSON.stringify(value)}`));
  const pairs = names.map((written, k) => written + values[k]);
  forms.complete = `<${tag} ${pairs.join(' ')}>${children.map((child) => child.forms.complete).join('')}</>`;
  forms.structural = `<${tag} ${names.join(' ')}>${children.map((child) => child.forms.structural).join('')}</>`;
  sizes.structural =
    name.length +
    attributes.reduce((sum, attribute) => sum + attribute.name.length, 0) +
    children.reduce((sum, child) => sum + child.sizes.structural, 0);
  sizes.complete =
    name.length +
    attributes.reduce((sum, attribute) => sum + attribute.name.length + (attribute.value?.length ?? 0), 0) +
    children.reduce((sum, child) => sum + child.sizes.complete, 0);
}
