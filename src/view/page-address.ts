/** The address of a page in the kernel's memory. Copies the page in, until trees are views of that memory. */
import { Block } from '../kernel/block.ts';
import * as l from '../kernel/layout.ts';
import { threadKernel } from '../kernel/thread-kernel.ts';
import type { Tree } from '../parse/tree.ts';

let block: Block | undefined;

export function pageAddress(tree: Tree): number {
  const kernel = threadKernel();
  block ??= new Block(kernel);
  const n = tree.nodeCount;
  const size = 4096 + 2 * tree.source.length + 15 * 4 * (n + 17) + 12 * tree.linkCount;
  const address = block.room(size);
  const { bytes, words } = kernel;
  let at = address + 256;
  const head = address >> 2;
  const put = (word: number, a: Uint8Array | Uint16Array | Int32Array, count: number, pad = 0) => {
    words[head + word] = at;
    const view = new Uint8Array(a.buffer, a.byteOffset, count * a.BYTES_PER_ELEMENT);
    bytes.set(view, at);
    at += view.length;
    bytes.fill(0, at, at + pad + 16);
    at = ((at + pad + 31) >> 4) << 4;
  };
  words[head + l.PAGE_SOURCE_BYTES] = tree.source.length;
  words[head + l.PAGE_TEXT_BYTES] = tree.textLength;
  words[head + l.PAGE_NODE_COUNT] = n;
  words[head + l.PAGE_LINK_COUNT] = tree.linkCount;
  put(l.PAGE_SOURCE, tree.source, tree.source.length, 64);
  put(l.PAGE_TEXT, tree.text, tree.textLength, 64);
  put(l.PAGE_KIND, tree.kind, n);
  put(l.PAGE_NAME, tree.name, n);
  put(l.PAGE_PARENT, tree.parent, n);
  put(l.PAGE_LAST, tree.last, n);
  put(l.PAGE_START, tree.start, n);
  put(l.PAGE_OPEN_END, tree.openEnd, n);
  put(l.PAGE_END, tree.end, n);
  put(l.PAGE_CONTENT_LOW, tree.contentLow, n);
  put(l.PAGE_CONTENT_HIGH, tree.contentHigh, n);
  put(l.PAGE_SHAPE_LOW, tree.shapeLow, n);
  put(l.PAGE_SHAPE_HIGH, tree.shapeHigh, n);
  put(l.PAGE_TEXT_START, tree.textStart, n + 1);
  put(l.PAGE_LINK_NODE, tree.linkNode, tree.linkCount);
  put(l.PAGE_LINK_START, tree.linkStart, tree.linkCount);
  put(l.PAGE_LINK_END, tree.linkEnd, tree.linkCount);
  return address;
}
