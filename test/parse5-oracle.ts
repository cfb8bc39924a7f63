/**
 * Our tree against parse5's. parse5 gets the bytes as a latin1 string, so that its offsets are byte offsets,
 * and parses with scripting disabled, as we do.
 */
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { tagName } from '../src/parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../src/parse/tree.ts';

type Node = DefaultTreeAdapterMap['childNode'];

export interface Comparison {
  /** Elements parse5 gives a place in the source. */
  located: number;
  /** Of these, elements with the same parent here: the nearest located ancestor starts at the same byte. */
  sameParent: number;
  /** Elements we give a place and parse5 does not. */
  extra: number;
  /** Whether the whole outline agrees, implied elements and texts included. */
  sameOutline: boolean;
  /** Description of the first element that differs, for the message of a test. */
  firstDifference: string;
}

/** Compares our tree of a source with parse5's. */
export function compareWithParse5(tree: Tree): Comparison {
  const source = Buffer.from(tree.source);
  // a byte order mark is three odd letters in latin1
  if (source[0] === 0xef && source[1] === 0xbb && source[2] === 0xbf) source.fill(' ', 0, 3);
  const document = parse(source.toString('latin1'), {
    sourceCodeLocationInfo: true,
    scriptingEnabled: false,
  });

  const ours = locatedParents(tree);
  const seen = new Set<number>();
  const outline: string[] = [];
  const result = { located: 0, sameParent: 0, extra: 0, sameOutline: false, firstDifference: '' };
  const stack: { node: Node; parent: number; depth: number }[] = [];
  const pushChildren = (children: Node[], parent: number, depth: number): void => {
    for (let i = children.length - 1; i >= 0; i--) stack.push({ node: children[i], parent, depth });
  };
  pushChildren(document.childNodes, -1, 0);
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { node, parent, depth } = item;
    if (node.nodeName === '#text' && 'value' in node && /[^\t\n\f\r \0]/.test(node.value))
      outline.push(`${depth} #text`);
    if (!('tagName' in node)) continue;
    outline.push(`${depth} ${node.tagName.toLowerCase()}`);
    const offset = node.sourceCodeLocation?.startOffset;
    let self = parent;
    // formatting opened again carries the place of its first start tag: count that one only
    if (offset !== undefined && !seen.has(offset)) {
      seen.add(offset);
      result.located++;
      if (ours.get(offset) === parent) result.sameParent++;
      else if (result.firstDifference === '') {
        result.firstDifference = `<${node.tagName}> at ${offset}: parent at ${parent}, here ${ours.get(offset)}`;
      }
      ours.delete(offset);
      self = offset;
    }
    const children =
      'content' in node ? (node as DefaultTreeAdapterMap['template']).content.childNodes : node.childNodes;
    pushChildren(children, self, depth + 1);
  }
  result.extra = ours.size;
  const own = outlineOf(tree);
  const joined = outline.filter((line, i) => !(line.endsWith('#text') && line === outline[i - 1]));
  result.sameOutline = own.join('\n') === joined.join('\n');
  if (!result.sameOutline && result.firstDifference === '') {
    const at = own.findIndex((line, i) => line !== joined[i]);
    result.firstDifference = `outline line ${at}: parse5 ${joined[at]}, here ${own[at]}`;
  }
  return result;
}

/** For each element with a start tag, by its offset, the offset of the nearest ancestor that has one. */
function locatedParents(tree: Tree): Map<number, number> {
  const parents = new Map<number, number>();
  for (let node = 1; node < tree.nodeCount; node++) {
    if (tree.kind[node] !== ELEMENT || tree.openEnd[node] === tree.start[node]) continue;
    let parent = tree.parent[node];
    while (parent > 0 && tree.openEnd[parent] === tree.start[parent]) parent = tree.parent[parent];
    parents.set(tree.start[node], parent > 0 ? tree.start[parent] : -1);
  }
  return parents;
}

/** Depth and name of each element and text in document order; texts that only an ignored tag parts are one. */
function outlineOf(tree: Tree): string[] {
  const depth = new Int32Array(tree.nodeCount);
  const lines: string[] = [];
  for (let node = 1; node < tree.nodeCount; node++) {
    depth[node] = depth[tree.parent[node]] + 1;
    if (tree.kind[node] === ELEMENT) lines.push(`${depth[node] - 1} ${tagName(tree, node)}`);
    else if (tree.kind[node] === TEXT) {
      const line = `${depth[node] - 1} #text`;
      if (lines.at(-1) !== line) lines.push(line);
    }
  }
  return lines;
}
